// Events are hints: Wails replays nothing and promises no order. The hub passes each hint to whoever fetches that kind
// of truth, and on a gap in the sequence numbers it tells everybody to fetch again.

import type { Backend, GatehouseEvent } from '@/backend/backend';

export type EventKind = GatehouseEvent['kind'];

/** The event that caused a call, or null: something was missed, fetch everything. */
export type Listener = (event: GatehouseEvent | null) => void;

export class Hub {
  readonly #listeners = new Map<EventKind, Set<Listener>>();
  readonly #stop: () => void;
  #last = 0;

  constructor(backend: Pick<Backend, 'onEvent'>) {
    this.#stop = backend.onEvent((event) => this.#receive(event));
  }

  /** Calls the listener for each event of these kinds; returns how to stop. */
  on(kinds: readonly EventKind[], listener: Listener): () => void {
    for (const kind of kinds) {
      const set = this.#listeners.get(kind) ?? new Set();
      this.#listeners.set(kind, set.add(listener));
    }
    return () => kinds.forEach((kind) => this.#listeners.get(kind)?.delete(listener));
  }

  close(): void {
    this.#stop();
    this.#listeners.clear();
  }

  #receive(event: GatehouseEvent): void {
    const missed = this.#last > 0 && event.seq > this.#last + 1;
    this.#last = Math.max(this.#last, event.seq);
    if (missed) {
      for (const listener of new Set([...this.#listeners.values()].flatMap((set) => [...set]))) listener(null);
      return;
    }
    for (const listener of [...(this.#listeners.get(event.kind) ?? [])]) listener(event);
  }
}
