// What a server proposes while one field is typed into. Go asks it, if the user allows that; here it is asked for after a
// pause, and never for what was answered before.

import type { Backend, CompletionList, CompletionQuery } from '@/backend/backend';

const pauseMs = 250;
const mostKept = 200;

type Calls = Pick<Backend, 'complete' | 'setCompletion'>;

export class Completer {
  /** Of which argument, '' for none. */
  argument = $state('');
  list = $state.raw<CompletionList | null>(null);
  /** What the server saw. */
  seen = $state.raw<CompletionQuery | null>(null);

  readonly #backend: Calls;
  readonly #kept = new Map<string, CompletionList>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asked = 0;

  constructor(backend: Calls) {
    this.#backend = backend;
  }

  /** Asks soon, unless more is typed. */
  type(query: CompletionQuery): void {
    this.close();
    this.argument = query.argument;
    const kept = this.#kept.get(JSON.stringify(query));
    if (kept) [this.list, this.seen] = [kept, query];
    else this.#timer = setTimeout(() => void this.#ask(query, this.#asked), pauseMs);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#asked++;
    this.argument = '';
    this.list = null;
    this.seen = null;
  }

  /** The user's word for this server, which holds until it is changed. */
  async decide(serverId: string, leave: 'ask' | 'on' | 'off'): Promise<void> {
    const { seen } = this;
    await this.#backend.setCompletion(serverId, leave);
    this.close();
    if (leave === 'on' && seen) {
      this.argument = seen.argument;
      await this.#ask(seen, this.#asked);
    }
  }

  async #ask(query: CompletionQuery, mine: number): Promise<void> {
    // Proposals are help: a server that fails to give them spoils nothing.
    const list = await this.#backend.complete(query).catch(() => null);
    if (mine !== this.#asked) return;
    this.list = list;
    this.seen = query;
    if (list?.state !== 'values') return;
    this.#kept.set(JSON.stringify(query), list);
    const oldest = this.#kept.keys().next();
    if (this.#kept.size > mostKept && !oldest.done) this.#kept.delete(oldest.value);
  }
}
