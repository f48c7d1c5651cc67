// The Trace page: what crossed the connections, oldest first, of which only the rows around the view are fetched. It
// follows what happens until it is paused.

import type { Backend, BackendError, TraceDetail, TraceFilter, TracePage, TraceRow } from '@/backend/backend';
import type { Hub } from './hub';
import { Resource } from './resource.svelte';

const margin = 40; // rows fetched before and behind those in view
const pauseMs = 250; // between two looks at what happens

export const everything: TraceFilter = { serverId: '', show: '', kind: '', text: '', call: '' };

export class TraceBrowser {
  filter = $state.raw<TraceFilter>(everything);
  /** As long as the whole list; rows that have not been fetched are undefined. */
  rows = $state.raw<readonly (TraceRow | undefined)[]>([]);
  figures = $state.raw<Omit<TracePage, 'rows'> | undefined>(undefined);
  /** The newest entry when it was paused, 0 = it goes on. */
  until = $state(0);
  seq = $state(0);
  readonly entry: Resource<TraceDetail>;

  readonly #backend: Pick<Backend, 'readTrace' | 'traceEntry'>;
  readonly #page: Resource<void>;
  #view = { first: 0, last: 0 };
  #fetched = { first: 0, last: 0 };
  #seen = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(backend: Pick<Backend, 'readTrace' | 'traceEntry'>, hub: Hub) {
    this.#backend = backend;
    this.entry = new Resource(() => backend.traceEntry(this.seq));
    this.#page = new Resource(() => this.#fetch());
    hub.on(['trace'], () => this.#soon());
  }

  get error(): BackendError | null {
    return this.#page.error;
  }

  /** Follows while the page is open; returns how to stop. */
  watch(): () => void {
    this.#seen = true;
    void this.#page.refresh();
    return () => {
      this.#seen = false;
      clearTimeout(this.#timer);
      this.#timer = undefined;
    };
  }

  search(filter: TraceFilter): void {
    this.filter = filter;
    this.#view = { first: 0, last: 0 };
    void this.#page.refresh();
  }

  refresh(): void {
    void this.#page.refresh();
  }

  /** The rows [first, last) are in view. */
  show(first: number, last: number): void {
    this.#view = { first, last };
    if (first < this.#fetched.first || Math.min(last, this.rows.length) > this.#fetched.last) void this.#page.refresh();
  }

  pause(paused: boolean): void {
    this.until = paused ? (this.figures?.last ?? 0) : 0;
    if (!paused) void this.#page.refresh();
  }

  open(seq: number): void {
    this.seq = seq;
    this.entry.value = undefined;
    this.entry.error = null;
    if (seq !== 0) void this.entry.refresh();
  }

  #soon(): void {
    if (!this.#seen || this.until > 0 || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#page.refresh();
      if (this.entry.value?.state === 'open') void this.entry.refresh();
    }, pauseMs);
  }

  async #fetch(): Promise<void> {
    const offset = Math.max(0, this.#view.first - margin);
    const limit = Math.min(500, Math.max(100, this.#view.last - offset + margin));
    const query = { ...this.filter, until: this.until, offset, limit };
    const { rows, ...figures } = await this.#backend.readTrace(query);
    const all = new Array<TraceRow | undefined>(figures.total).fill(undefined);
    rows.forEach((row, i) => (all[offset + i] = row));
    this.#fetched = { first: offset, last: offset + rows.length };
    this.rows = all;
    this.figures = figures;
  }
}
