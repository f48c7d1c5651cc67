// One call on its way: fetched again at each hint, ten times a second at most.

import type { Backend, BackendError, CallState, CallView } from '@/backend/backend';
import { failureFrom } from '@/backend/errors';
import type { Hub } from './hub';

const leastGap = 100; // milliseconds between two fetches

/** Whether a call is still on its way. */
export const isOpen = (state: CallState): boolean => ['asking', 'queued', 'running', 'task'].includes(state);

export class CallWatch {
  view = $state.raw<CallView | null>(null);
  error = $state.raw<BackendError | null>(null);

  readonly #backend: Pick<Backend, 'call'>;
  readonly #hub: Hub;
  #generation = 0;

  constructor(backend: Pick<Backend, 'call'>, hub: Hub) {
    this.#backend = backend;
    this.#hub = hub;
  }

  /** Follows the call until the returned function is called, or another call is followed. */
  follow(id: string): () => void {
    const mine = ++this.#generation;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let busy = false;
    let again = false;
    const fetch = async () => {
      busy = true;
      again = false;
      try {
        const view = await this.#backend.call(id);
        if (mine === this.#generation) [this.view, this.error] = [view, null];
      } catch (cause) {
        if (mine === this.#generation) this.error = failureFrom(cause);
      }
      if (mine !== this.#generation) return;
      timer = setTimeout(() => {
        busy = false;
        if (again) void fetch();
      }, leastGap);
    };
    const stop = this.#hub.on(['call'], (event) => {
      if (event && event.id !== '' && event.id !== id) return;
      if (busy) again = true;
      else void fetch();
    });
    void fetch();
    return () => {
      stop();
      clearTimeout(timer);
      if (mine === this.#generation) this.#generation++;
    };
  }
}
