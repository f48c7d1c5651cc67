// A reply to a server's question, while it is written. Go keeps the bytes: what is typed is put there, checked and
// digested, and the answer names that digest.

import type { BackendError, PendingItem } from '@/backend/backend';
import { failureFrom } from '@/backend/errors';
import { t } from '@/i18n/index.svelte';
import type { Fault } from '@/schema/values';
import type { Fate, Inbox } from './inbox.svelte';

const pauseMs = 150; // in typing, before Go is asked

export class Written {
  faults = $state.raw<readonly Fault[]>([]);
  /** Go has exactly what is on screen. */
  current = $state(false);
  touched = $state(false);
  error = $state.raw<BackendError | null>(null);

  readonly #inbox: Inbox;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asked = 0;

  constructor(inbox: Inbox) {
    this.#inbox = inbox;
  }

  leave(): void {
    clearTimeout(this.#timer);
    this.#asked++;
  }

  /** What is wrong, by pointer. */
  problems(item: PendingItem): ReadonlyMap<string, string> {
    const found = this.touched && this.current ? item.problems : [];
    return new Map<string, string>([
      ...found.map(({ pointer, message }) => [pointer, message] as const),
      ...this.faults.map(({ pointer, code }) => [pointer, t().form.faults[code]] as const),
    ]);
  }

  /** Why it cannot be sent, in words; null when it can. */
  off(item: PendingItem, fate: Fate, armed: boolean, answering: boolean): string | null {
    const words = t().consent.off;
    if (fate === 'withdrawn') return words.gone;
    if (answering) return words.answering;
    if (this.faults.length > 0) return words.answers(this.faults.length);
    if (this.current && item.problems.length > 0) return words.answers(item.problems.length);
    return armed && this.current ? null : words.arming;
  }

  /** Puts a text in Go, soon; with faults it waits for them to be mended. */
  protected put(text: string, faults: readonly Fault[], soon: boolean): void {
    clearTimeout(this.#timer);
    const mine = ++this.#asked;
    this.faults = faults;
    this.current = false;
    if (faults.length === 0) this.#timer = setTimeout(() => void this.#put(mine, text), soon ? 0 : pauseMs);
  }

  async #put(mine: number, text: string): Promise<void> {
    try {
      await this.#inbox.amend(text);
      if (mine !== this.#asked) return;
      this.current = true;
      this.error = null;
    } catch (cause) {
      if (mine === this.#asked) this.error = failureFrom(cause);
    }
  }
}
