// One kind of list of every connected server: fetched once for each connection, and again at hints.

import type { ServerRow } from '@/backend/backend';
import type { Hub } from './hub';
import { Resource } from './resource.svelte';

export interface Source<T> {
  server: ServerRow;
  list: Resource<T>;
}

export class ServerLists<T extends { offered: boolean }> {
  readonly #fetch: (serverId: string, fresh: boolean) => Promise<T>;
  readonly #servers: Resource<ServerRow[]>;
  /** By server and connection: a new connection lists anew. */
  #lists = $state.raw<ReadonlyMap<string, Resource<T>>>(new Map());

  constructor(fetch: (serverId: string, fresh: boolean) => Promise<T>, hub: Hub, servers: Resource<ServerRow[]>) {
    this.#fetch = fetch;
    this.#servers = servers;
    hub.on(['lists'], (event) => {
      for (const [key, list] of this.#lists) {
        if (!event?.id || key.startsWith(`${event.id} `)) void list.refresh();
      }
    });
  }

  /** The servers that can be asked now. */
  get connected(): ServerRow[] {
    return (this.#servers.value ?? []).filter(({ status }) => status === 'ready' || status === 'degraded');
  }

  /** Asks the connected servers that have not been asked; a list that fails stands beside the others. */
  load(): void {
    const lists = new Map<string, Resource<T>>();
    for (const { id, since } of this.connected) {
      const key = `${id} ${since}`;
      let list = this.#lists.get(key);
      if (!list) {
        list = new Resource(() => this.#fetch(id, false));
        void list.refresh();
      }
      lists.set(key, list);
    }
    this.#lists = lists;
  }

  /** Has every server asked anew. */
  async refresh(): Promise<void> {
    const asked = this.connected.map(async ({ id, since }) => {
      // A server that fails says so in its own list.
      await this.#fetch(id, true).catch(() => undefined);
      await this.#lists.get(`${id} ${since}`)?.refresh();
    });
    await Promise.all(asked);
  }

  /** Whether every list has come or failed. */
  get loaded(): boolean {
    return (
      this.#servers.value !== undefined &&
      [...this.#lists.values()].every(({ value, error }) => value !== undefined || error !== null)
    );
  }

  /** What is known of the servers that have what is listed, or whose list is still to come or failed. */
  get sources(): Source<T>[] {
    return this.connected.flatMap((server) => {
      const list = this.#lists.get(`${server.id} ${server.since}`);
      return list && (list.value?.offered ?? true) ? [{ server, list }] : [];
    });
  }
}
