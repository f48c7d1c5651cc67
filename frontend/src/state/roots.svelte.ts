// The folders and files that servers may know about.

import type { Backend } from '@/backend/backend';
import type { RootRow, RootVisibility } from '@/backend/roots';
import type { Hub } from './hub';
import { Resource } from './resource.svelte';

export class Roots {
  readonly list: Resource<RootRow[]>;
  readonly #backend: Backend;

  constructor(backend: Backend, hub: Hub) {
    this.#backend = backend;
    this.list = new Resource(() => backend.roots());
    this.list.follow(hub, ['roots']);
  }

  /** What a server gets to know of a root. */
  of(root: RootRow, serverId: string): RootVisibility {
    return root.servers[serverId] ?? '';
  }

  async show(root: RootRow, serverId: string, visibility: RootVisibility): Promise<void> {
    await this.#backend.showRoot(root.id, serverId, visibility);
    await this.list.refresh();
  }
}
