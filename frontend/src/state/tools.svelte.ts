// The Tools page: a list of any length, of which only the rows in view are fetched.

import type { Backend, BackendError, ToolRow } from '@/backend/backend';
import { failureFrom } from '@/backend/errors';
import type { Hub } from './hub';

const pageSize = 50;

export const toolKey = ({ serverId, name }: Pick<ToolRow, 'serverId' | 'name'>): string => `${serverId}/${name}`;

export class ToolBrowser {
  /** What is in the filter row; search() applies it. */
  filter = $state({ text: '', serverId: '' });
  /** As long as the whole list; rows that have not been fetched yet are undefined. */
  rows = $state.raw<readonly (ToolRow | undefined)[]>([]);
  servers = $state(0);
  error = $state.raw<BackendError | null>(null);
  loaded = $state(false);

  /** Stops following. */
  readonly close: () => void;

  readonly #backend: Pick<Backend, 'listTools'>;
  #text = '';
  #serverId = '';
  #view = { first: 0, last: pageSize };
  #generation = 0;
  #filled = -1; // the generation that rows are of
  #asked = new Set<number>();

  constructor(backend: Pick<Backend, 'listTools'>, hub: Hub) {
    this.#backend = backend;
    this.close = hub.on(['tools', 'servers', 'history'], () => this.reload());
  }

  /** Narrows the list; both texts may be ''. */
  search(text: string, serverId: string): void {
    if (text === this.#text && serverId === this.#serverId && this.loaded) return;
    this.#text = text;
    this.#serverId = serverId;
    this.#view = { first: 0, last: pageSize };
    this.reload();
  }

  /** Fetches the rows in view again; those on screen stay until the answer is there. */
  reload(): void {
    this.#generation++;
    this.#asked.clear();
    this.show(this.#view.first, this.#view.last);
  }

  /** Fetches the rows [first, last) that are not there yet. */
  show(first: number, last: number): void {
    this.#view = { first, last };
    const lastPage = Math.floor(Math.max(first, last - 1) / pageSize);
    for (let page = Math.floor(first / pageSize); page <= lastPage; page++) {
      if (!this.#asked.has(page)) void this.#fetch(page);
    }
  }

  async #fetch(page: number): Promise<void> {
    const mine = this.#generation;
    this.#asked.add(page);
    const offset = page * pageSize;
    try {
      const answer = await this.#backend.listTools({
        text: this.#text,
        serverId: this.#serverId,
        offset,
        limit: pageSize,
      });
      if (mine !== this.#generation) return;
      const rows: (ToolRow | undefined)[] = this.#filled === mine ? [...this.rows] : [];
      this.#filled = mine;
      rows.length = answer.total;
      answer.rows.forEach((row, i) => (rows[offset + i] = row));
      this.rows = rows;
      this.servers = answer.servers;
      this.error = null;
    } catch (cause) {
      if (mine !== this.#generation) return;
      this.#asked.delete(page);
      this.error = failureFrom(cause);
    }
    this.loaded = true;
  }
}
