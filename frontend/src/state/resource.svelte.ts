// A Resource is one piece of truth of the Go side, held by the page and fetched again when a hint arrives.

import { untrack } from 'svelte';
import type { BackendError } from '@/backend/backend';
import { failureFrom } from '@/backend/errors';
import type { EventKind, Hub } from './hub';

export class Resource<T> {
  value = $state.raw<T | undefined>(undefined);
  error = $state.raw<BackendError | null>(null);
  loading = $state(false);

  readonly #fetch: () => Promise<T>;
  #done = Promise.resolve();
  #busy = false;
  #again = false;

  constructor(fetch: () => Promise<T>) {
    this.#fetch = fetch;
  }

  /** Fetches on every hint of these kinds (only of this id, if one is given); returns how to stop. */
  follow(hub: Hub, kinds: readonly EventKind[], id?: () => string): () => void {
    return hub.on(kinds, (event) => {
      if (!event || !id || event.id === '' || event.id === id()) void this.refresh();
    });
  }

  /** Fetches once more. Calls while a fetch runs are folded into one further fetch, so the last answer is never stale. */
  refresh(): Promise<void> {
    if (this.#busy) this.#again = true;
    else this.#done = this.#run();
    return this.#done;
  }

  async #run(): Promise<void> {
    this.#busy = this.loading = true;
    do {
      this.#again = false;
      try {
        // An effect that starts a fetch must not run again because of what the fetch reads.
        const value = await untrack(this.#fetch);
        if (this.#again) continue;
        this.value = value;
        this.error = null;
      } catch (cause) {
        this.error = failureFrom(cause);
      }
    } while (this.#again);
    this.#busy = this.loading = false; // at once: a call that comes now must fetch again
  }
}
