// The Servers page: the filtered list, the server that is open, its log.

import type { Backend, LogLine, ServerDetail, ServerRow } from '@/backend/backend';
import type { Hub } from './hub';
import { Resource } from './resource.svelte';
import type { ServerForm } from './server-form.svelte';

export class ServerBrowser {
  filter = $state('');
  id = $state('');
  /** The form that is open; it outlives a look at another page. */
  form = $state.raw<ServerForm | null>(null);
  readonly detail: Resource<ServerDetail>;

  readonly #backend: Backend;
  readonly #rows: Resource<ServerRow[]>;

  constructor(backend: Backend, hub: Hub, rows: Resource<ServerRow[]>) {
    this.#backend = backend;
    this.#rows = rows;
    this.detail = new Resource(() => backend.server(this.id));
    hub.on(['servers', 'tools'], (event) => {
      if (this.id !== '' && (!event || event.id === '' || event.id === this.id)) void this.detail.refresh();
    });
  }

  /** The servers whose name or origin holds the filter's text; those of other profiles come last. */
  get shown(): ServerRow[] {
    const text = this.filter.trim().toLowerCase();
    const rows = this.#rows.value ?? [];
    const found = rows.filter(({ name, origin }) => `${name}\n${origin}`.toLowerCase().includes(text));
    return [...found.filter(({ aside }) => !aside), ...found.filter(({ aside }) => aside)];
  }

  /** The open server's row; undefined if none is open or it has been removed. */
  get row(): ServerRow | undefined {
    return this.#rows.value?.find((row) => row.id === this.id);
  }

  open(id: string): void {
    if (id === this.id) return;
    this.id = id;
    this.detail.value = undefined;
    if (id !== '') void this.detail.refresh();
  }

  /** Stops, waits until the process is gone, and starts. */
  async restart(id: string): Promise<void> {
    await this.#backend.stopServer(id);
    await this.#backend.startServer(id);
  }

  async remove(id: string): Promise<void> {
    await this.#backend.removeServer(id);
    if (id === this.id) this.open('');
    await this.#rows.refresh();
  }

  /** Brings a removed server back, running if it ran, and returns its name: another one if its own is taken by now. */
  async restore(id: string, start: boolean): Promise<string> {
    const name = await this.#backend.restoreServer(id);
    await this.#rows.refresh();
    this.open(id);
    if (start) await this.#backend.startServer(id);
    return name;
  }

  /** Switches a server on again, running if it ran. */
  async switchOn(id: string, start: boolean): Promise<void> {
    await this.#backend.setServerEnabled(id, true);
    if (start) await this.#backend.startServer(id);
  }
}

/** What the page keeps of a log; Go keeps no more. */
const mostLines = 4000;

/** The severities of log messages (RFC 5424), the least severe first. */
export const logLevels: readonly string[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
];

/** The log of one server while it is on screen. */
export class ServerLog {
  lines = $state.raw<readonly LogLine[]>([]);
  /** Least concerns log messages alone; one of a level that is none of those is always shown. */
  filter = $state({ text: '', stream: '', least: '' });
  readonly #more: Resource<void>;
  readonly #id: string;

  constructor(backend: Pick<Backend, 'serverLog'>, id: string) {
    this.#id = id;
    this.#more = new Resource(async () => {
      const more = await backend.serverLog(id, this.lines.at(-1)?.seq ?? 0);
      const last = this.lines.at(-1)?.seq ?? 0;
      const fresh = more.filter(({ seq }) => seq > last);
      if (fresh.length > 0) this.lines = [...this.lines, ...fresh].slice(-mostLines);
    });
  }

  get error() {
    return this.#more.error;
  }

  /** The lines that the filter lets through. */
  get shown(): readonly LogLine[] {
    const { text, stream, least } = this.filter;
    const words = text.trim().toLowerCase();
    const from = logLevels.indexOf(least);
    return this.lines.filter(
      (line) =>
        (stream === '' || line.stream === stream) &&
        (from < 0 ||
          line.stream !== 'log' ||
          !logLevels.includes(line.level) ||
          logLevels.indexOf(line.level) >= from) &&
        `${line.text}\n${line.logger}\n${line.data}`.toLowerCase().includes(words),
    );
  }

  /** Fetches what is new now and at each hint; returns how to stop. */
  follow(hub: Hub): () => void {
    void this.#more.refresh();
    return this.#more.follow(hub, ['log'], () => this.#id);
  }
}
