// The first start: what the user chose is kept, then one of three ways leads into the house.

import type { Backend, Seal } from '@/backend/backend';
import type { Hub } from './hub';
import type { Settings } from './settings.svelte';
import type { Route, Shell } from './shell.svelte';

export type Start = 'demo' | 'own' | 'look';

export class Welcome {
  busy = $state(false);

  readonly #backend: Pick<Backend, 'addDemo' | 'startServer' | 'listTools'>;
  readonly #hub: Hub;
  readonly #settings: Settings;
  readonly #shell: Shell;

  constructor(backend: Backend, hub: Hub, settings: Settings, shell: Shell) {
    this.#backend = backend;
    this.#hub = hub;
    this.#settings = settings;
    this.#shell = shell;
  }

  /** Keeps the seal and leaves the welcome; a failure leaves it open. */
  async finish(seal: Seal, start: Start): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    try {
      await this.#settings.setSeal(seal);
      const demo = start === 'demo' ? await this.#backend.addDemo() : '';
      this.#shell.go(routes[start](demo));
      await this.#settings.finishWelcome();
      if (demo !== '') await this.#startDemo(demo);
    } finally {
      this.busy = false;
    }
  }

  /** The launch gate comes by itself; once it is allowed, the demo's first tool opens. */
  async #startDemo(id: string): Promise<void> {
    const here = this.#shell.route;
    let looking = true;
    const look = async () => {
      const { rows } = await this.#backend.listTools({ text: '', serverId: id, offset: 0, limit: 1 });
      const first = rows[0];
      const moved = this.#shell.route !== here;
      if (!looking || (!first && !moved)) return;
      looking = false;
      stop();
      if (first && !moved) this.#shell.go({ page: 'tools', serverId: id, name: first.name, focus: true });
    };
    const stop = this.#hub.on(['servers', 'tools'], () => void look().catch(() => undefined));
    await this.#backend.startServer(id);
    await look();
  }
}

const routes: Record<Start, (demo: string) => Route> = {
  demo: (id) => ({ page: 'servers', id }),
  own: () => ({ page: 'servers', add: true }),
  look: () => ({ page: 'chat' }),
};
