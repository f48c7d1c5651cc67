// The journal: newest first, fetched page by page as the list is scrolled, and the entry that is open.

import type { Backend, BackendError, HistoryDetail, HistoryQuery, HistoryRow } from '@/backend/backend';
import { failureFrom } from '@/backend/errors';
import type { Hub } from './hub';
import { Resource } from './resource.svelte';

const pageSize = 100;

export type HistoryFilter = Pick<HistoryQuery, 'text' | 'serverId' | 'decision'>;

export class HistoryBrowser {
  rows = $state.raw<readonly HistoryRow[]>([]);
  total = $state(0);
  loaded = $state(false);
  error = $state.raw<BackendError | null>(null);
  filter = $state.raw<HistoryFilter>({ text: '', serverId: '', decision: '' });
  id = $state('');
  readonly entry: Resource<HistoryDetail>;

  readonly #backend: Pick<Backend, 'history' | 'historyEntry'>;
  readonly #newest: Resource<void>;
  #next = '';
  #generation = 0;
  #fetching = false;

  constructor(backend: Pick<Backend, 'history' | 'historyEntry'>, hub: Hub) {
    this.#backend = backend;
    this.entry = new Resource(() => backend.historyEntry(this.id));
    this.#newest = new Resource(() => this.#fetchNewest());
    hub.on(['history', 'call'], (event) => {
      if (event?.kind === 'call') return;
      if (this.loaded) void this.#newest.refresh();
      if (this.id !== '') void this.entry.refresh();
    });
  }

  /** Fetches the newest page. */
  load(): Promise<void> {
    return this.#newest.refresh();
  }

  search(filter: HistoryFilter): void {
    this.filter = filter;
    this.#generation++;
    this.rows = [];
    this.loaded = false;
    void this.load();
  }

  /** Fetches the next older page, if there is one. */
  async more(): Promise<void> {
    if (this.#fetching || this.#next === '') return;
    this.#fetching = true;
    const mine = this.#generation;
    try {
      const page = await this.#backend.history({ ...this.filter, before: this.#next, limit: pageSize });
      if (mine !== this.#generation) return;
      this.rows = [...this.rows, ...page.rows];
      this.#next = page.next;
      this.error = null;
    } catch (cause) {
      if (mine === this.#generation) this.error = failureFrom(cause);
    } finally {
      this.#fetching = false;
    }
  }

  open(id: string): void {
    this.id = id;
    this.entry.value = undefined;
    this.entry.error = null;
    if (id !== '') void this.entry.refresh();
  }

  async #fetchNewest(): Promise<void> {
    const mine = this.#generation;
    try {
      const page = await this.#backend.history({ ...this.filter, before: '', limit: pageSize });
      if (mine !== this.#generation) return;
      const fresh = new Set(page.rows.map(({ id }) => id));
      const joined = this.rows.some(({ id }) => fresh.has(id));
      // Without a row in common there may be a hole between the page and what is here: start again.
      if (!joined) this.#next = page.next;
      this.rows = joined ? [...page.rows, ...this.rows.filter(({ id }) => !fresh.has(id))] : page.rows;
      this.total = page.total;
      this.error = null;
    } catch (cause) {
      if (mine === this.#generation) this.error = failureFrom(cause);
    }
    if (mine === this.#generation) this.loaded = true;
  }
}
