// The icons that servers send with their names, drawn by Go; fetched when something that may have one comes into view.

import { SvelteMap } from 'svelte/reactivity';
import type { Backend, IconKind } from '@/backend/backend';
import type { Hub } from './hub';

const mostKept = 2000;

export class Icons {
  readonly #backend: Pick<Backend, 'icon'>;
  readonly #theme: () => 'light' | 'dark';
  readonly #urls = new SvelteMap<string, string>();
  readonly #asked = new Map<string, string>(); // key → server
  #round = $state(0);

  constructor(backend: Pick<Backend, 'icon'>, hub: Hub, theme: () => 'light' | 'dark') {
    this.#backend = backend;
    this.#theme = theme;
    hub.on(['servers', 'tools', 'lists'], (event) => {
      for (const [key, server] of this.#asked) if (!event?.id || event.id === server) this.#asked.delete(key);
      this.#round++; // what is in view asks again, and shows what it has meanwhile
    });
  }

  /** The picture's URL, '' for none and until it is known. */
  of(serverId: string, kind: IconKind, name = ''): string {
    void this.#round;
    const theme = this.#theme();
    const key = JSON.stringify([serverId, kind, name, theme]);
    if (!this.#asked.has(key)) {
      if (this.#asked.size >= mostKept) this.#asked.clear();
      this.#asked.set(key, serverId);
      void this.#fetch(key, serverId, kind, name, theme);
    }
    return this.#urls.get(key) ?? '';
  }

  async #fetch(key: string, serverId: string, kind: IconKind, name: string, theme: 'light' | 'dark'): Promise<void> {
    // A server that is not connected says nothing of its icons: that is no fault of the page.
    const url = await this.#backend.icon(serverId, kind, name, theme).catch(() => '');
    if (this.#urls.size >= mostKept) this.#urls.clear();
    if (url !== '' || this.#urls.has(key)) this.#urls.set(key, url);
  }
}
