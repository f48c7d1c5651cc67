// The window's way out: the question when something runs, and the plan to close when that has ended. Go decides; a press
// on the window again takes the plan back.

import type { Backend, LeavingState, Work } from '@/backend/backend';
import type { Hub } from './hub';
import { Resource } from './resource.svelte';

export class Leaving {
  readonly #backend: Backend;
  readonly #way: Resource<LeavingState>;
  /** The user wants to close later. Known here at once: the focus may come back before the hint does. */
  #later = false;
  /** The window has lost the focus since. */
  #gone = false;

  constructor(backend: Backend, hub: Hub) {
    this.#backend = backend;
    this.#way = new Resource(() => backend.leaving());
    this.#way.follow(hub, ['leaving']);
    // While the question stands, its list is what runs now.
    hub.on(['call', 'pending', 'chat'], () => {
      if (this.asked) void this.#way.refresh();
    });
  }

  get asked(): boolean {
    return this.#way.value?.state === 'asked';
  }

  get planned(): boolean {
    return this.#way.value?.state === 'planned';
  }

  get work(): readonly Work[] {
    return this.#way.value?.work ?? [];
  }

  leave(how: 'now' | 'later' | 'stay'): Promise<void> {
    this.#later = how === 'later';
    this.#gone = false;
    return this.#backend.leave(how);
  }

  /** The window has lost the focus. */
  away(): void {
    this.#gone = true;
  }

  /** The window has the focus again. Reports whether that took a plan back. */
  async back(): Promise<boolean> {
    const later = this.#later && this.#gone; // a focus that comes before the window has gone is no return
    if (later) await this.leave('stay');
    return later;
  }
}
