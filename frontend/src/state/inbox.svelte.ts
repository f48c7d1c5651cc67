// The requests that wait for a decision, oldest first, and the one that is open in the gate. A gate opens by itself only
// for a request that arrived while the window was in use, and never while the user types in a field.

import type { AnswerInput, Backend, BackendError, PendingItem } from '@/backend/backend';
import { failureFrom } from '@/backend/errors';
import type { Hub } from './hub';
import { Resource } from './resource.svelte';

/** What became of the open request behind the user's back. */
export type Fate = '' | 'changed' | 'withdrawn';

export interface Arrival {
  item: PendingItem;
  /** It stays in the inbox for now, because the user is typing or another request is open. */
  waits: boolean;
}

export class Inbox {
  /** The request in the gate, as it was when it was shown. */
  open = $state.raw<PendingItem | null>(null);
  fate = $state<Fate>('');
  answering = $state(false);
  /** The newest request that nobody has been told about yet. */
  arrival = $state.raw<Arrival | null>(null);

  readonly #backend: Backend;
  readonly #typing: () => boolean;
  readonly #pending: Resource<PendingItem[]>;
  #known: Set<string> | null = null;
  readonly #later = new Set<string>();
  readonly #answered = new Set<string>();
  #amending = false;

  constructor(backend: Backend, hub: Hub, typing: () => boolean) {
    this.#backend = backend;
    this.#typing = typing;
    this.#pending = new Resource(async () => {
      const items = await backend.pending();
      this.#receive(items);
      return items;
    });
    this.#pending.follow(hub, ['pending']);
  }

  get items(): readonly PendingItem[] {
    return this.#pending.value ?? [];
  }

  /** Nothing is known yet. */
  get loading(): boolean {
    return this.#pending.value === undefined && this.#pending.error === null;
  }

  get error(): BackendError | null {
    return this.#pending.error;
  }

  /** Which of the waiting requests is open, from 1; 0 if it is no longer among them. */
  get position(): number {
    return this.items.findIndex(({ id }) => id === this.open?.id) + 1;
  }

  refresh(): Promise<void> {
    return this.#pending.refresh();
  }

  review(id: string): void {
    const item = this.items.find((each) => each.id === id);
    if (item) this.#show(item);
  }

  /** Opens the request before (-1) or after (1) the open one. */
  step(by: -1 | 1): void {
    const { length } = this.items;
    const next = this.items[(Math.max(0, this.position - 1) + by + length) % length];
    if (next && next.id !== this.open?.id) this.#show(next);
  }

  /** Leaves what waits in the inbox: none of it opens by itself again. */
  later(): void {
    for (const { id } of this.items) this.#later.add(id);
    this.#show(null);
  }

  /** Takes a withdrawn request off the gate. */
  close(): void {
    this.#show(this.#nextNew());
  }

  /** The user left the field that kept a gate from opening. */
  fieldLeft(): void {
    if (!this.open && !this.#typing()) this.#show(this.#nextNew());
  }

  /** Puts edited arguments in the place of the open request's; they are shown and decided as new bytes. */
  async amend(args: string): Promise<void> {
    if (!this.open) return;
    this.#amending = true;
    try {
      const item = await this.#backend.amend(this.open.id, args);
      if (item.id === this.open.id) this.open = item;
    } finally {
      this.#amending = false;
      await this.refresh();
    }
  }

  /** Gives the one answer. On failure the request stays open and the error says why. */
  async answer(answer: AnswerInput): Promise<BackendError | null> {
    const item = this.open;
    if (!item || this.answering) return null;
    this.answering = true;
    this.#answered.add(item.id);
    try {
      await this.#backend.resolve(item.id, item.digest, answer);
      await this.refresh();
      this.#show(this.#nextNew());
      return null;
    } catch (cause) {
      this.#answered.delete(item.id);
      await this.refresh();
      return failureFrom(cause);
    } finally {
      this.answering = false;
    }
  }

  /** Answers everything that waits with no. */
  async denyAll(): Promise<void> {
    const deny = { allow: false, decline: false, reason: '', stop: false };
    const waiting = this.items.filter(({ visit }) => !visit);
    await Promise.allSettled(waiting.map(({ id, digest }) => this.#backend.resolve(id, digest, deny)));
    await this.refresh();
  }

  #receive(items: PendingItem[]): void {
    this.#reconcile(items);
    const known = this.#known;
    this.#known = new Set(items.map(({ id }) => id));
    // Questions never pop up first thing after a start: they wait in the inbox.
    if (!known) {
      for (const { id } of items) this.#later.add(id);
      return;
    }
    const fresh = items.filter(({ id }) => !known.has(id));
    const newest = fresh.at(-1);
    if (!newest) return;
    const opens = !this.open && !this.#typing();
    this.arrival = { item: newest, waits: !opens };
    if (opens) this.#show(fresh[0] ?? null);
  }

  #reconcile(items: PendingItem[]): void {
    const open = this.open;
    if (!open || this.#answered.has(open.id)) return;
    const now = items.find(({ id }) => id === open.id);
    if (!now) {
      this.fate = 'withdrawn';
    } else if (now.digest !== open.digest && !this.#amending) {
      this.open = now;
      this.fate = 'changed';
    }
  }

  #nextNew(): PendingItem | null {
    return this.items.find(({ id }) => !this.#later.has(id) && !this.#answered.has(id)) ?? null;
  }

  #show(item: PendingItem | null): void {
    this.fate = '';
    this.open = item;
  }
}
