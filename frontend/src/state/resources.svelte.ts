// The Resources page: what each connected server lists, the entry that is open, and what was read of it.

import { SvelteMap, SvelteSet } from 'svelte/reactivity';
import type {
  Backend,
  BackendError,
  ResourceContent,
  ResourceList,
  ResourceRow,
  ResourceTemplate,
  ResourceType,
  ServerRow,
} from '@/backend/backend';
import { resourceTypes } from '@/backend/resources';
import { failureFrom } from '@/backend/errors';
import type { Hub } from './hub';
import { Completer } from './completer.svelte';
import type { Resource } from './resource.svelte';
import { ServerLists } from './server-lists.svelte';

/** One line of the list. */
export type Entry =
  | { kind: 'server'; server: ServerRow; list: Resource<ResourceList> }
  | { kind: 'resource'; server: ServerRow; resource: ResourceRow; live: boolean }
  | { kind: 'template'; server: ServerRow; template: ResourceTemplate };

type Calls = Pick<
  Backend,
  | 'listResources'
  | 'readResource'
  | 'watchResource'
  | 'expandTemplate'
  | 'searchResources'
  | 'complete'
  | 'setCompletion'
>;

/** Unique for an address at a server. An id holds no space. */
export const sourceKey = (serverId: string, uri: string): string => `${serverId} ${uri}`;

export function entryKey(entry: Entry): string {
  if (entry.kind === 'server') return entry.server.id;
  return entry.kind === 'resource'
    ? sourceKey(entry.server.id, entry.resource.uri)
    : `${entry.server.id} {} ${entry.template.uriTemplate}`;
}

const liveGap = 1000; // milliseconds between two reads of a resource that keeps changing

export class ResourceBrowser {
  filter = $state('');
  liveOnly = $state(false);
  /** What kinds of resources are shown; none picked is all. */
  readonly types = new SvelteSet<ResourceType>();
  /** What servers have found, by their id; it holds while the filter is what they searched for. */
  readonly found = new SvelteMap<string, { query: string; resources: ResourceRow[] }>();
  /** The key of the open entry, '' for none. */
  key = $state('');
  /** What is written into the variables of the open template. */
  values = $state<Record<string, string>>({});
  /** The address that the open template has with these values. */
  address = $state('');
  /** What was read last, and of which address. */
  content = $state.raw<ResourceContent | null>(null);
  uri = $state('');
  reading = $state(false);
  error = $state.raw<BackendError | null>(null);
  readonly folded = new SvelteSet<string>();
  /** When a server said that a resource changed which has not been read since; by sourceKey. */
  readonly changed = new SvelteMap<string, string>();

  readonly lists: ServerLists<ResourceList>;
  readonly completer: Completer;

  readonly #backend: Calls;
  #generation = 0;
  #filling = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #due = false;

  constructor(backend: Calls, hub: Hub, servers: Resource<ServerRow[]>) {
    this.#backend = backend;
    this.lists = new ServerLists((id, fresh) => backend.listResources(id, fresh), hub, servers);
    this.completer = new Completer(backend);
    hub.on(['resource'], (event) => this.#updated(event?.id ?? ''));
  }

  /** The lines to show: each server, and what of it matches the filter. */
  get entries(): Entry[] {
    const text = this.filter.trim().toLowerCase();
    const filtered = text !== '' || this.liveOnly || this.types.size > 0;
    const wanted = ({ type }: { type: ResourceType }) => this.types.size === 0 || this.types.has(type);
    const holds = (...parts: string[]) => parts.join('\n').toLowerCase().includes(text);
    return this.lists.sources.flatMap(({ server, list }): Entry[] => {
      const { resources = [], templates = [], live = [] } = list.value ?? {};
      const alive = new Set(live);
      const found = this.found.get(server.id);
      const theirs = found !== undefined && text !== '' && found.query === this.filter.trim();
      const lines: Entry[] = (theirs ? found.resources : resources)
        .filter(wanted)
        .filter((r) => (theirs || holds(r.title, r.name, r.uri, r.mimeType)) && (!this.liveOnly || alive.has(r.uri)))
        .map((resource) => ({ kind: 'resource', server, resource, live: alive.has(resource.uri) }));
      if (!this.liveOnly) {
        const matching = templates.filter((each) => wanted(each) && holds(each.title, each.uriTemplate, each.mimeType));
        lines.push(...matching.map((template): Entry => ({ kind: 'template', server, template })));
      }
      if (filtered && lines.length === 0) return [];
      return [{ kind: 'server', server, list }, ...(this.folded.has(server.id) && !filtered ? [] : lines)];
    });
  }

  /** The kinds that are listed, and those that are picked. */
  get listedTypes(): ResourceType[] {
    const listed = this.lists.sources.flatMap(({ list }) => [
      ...(list.value?.resources ?? []),
      ...(list.value?.templates ?? []),
    ]);
    const present = new Set(listed.map(({ type }) => type));
    return resourceTypes.filter((type) => present.has(type) || this.types.has(type));
  }

  /** The open entry; undefined if none is, or it is not listed any more. */
  get entry(): Entry | undefined {
    for (const { server, list } of this.lists.sources) {
      if (server.id === this.key) return { kind: 'server', server, list };
      if (!this.key.startsWith(`${server.id} `)) continue;
      const { resources = [], templates = [], live = [] } = list.value ?? {};
      const found = this.found.get(server.id)?.resources ?? [];
      const resource = [...resources, ...found].find(({ uri }) => sourceKey(server.id, uri) === this.key);
      if (resource) return { kind: 'resource', server, resource, live: live.includes(resource.uri) };
      const template = templates.find((each) => entryKey({ kind: 'template', server, template: each }) === this.key);
      if (template) return { kind: 'template', server, template };
    }
    return undefined;
  }

  /** The servers that can search for what the filter says, and have not. */
  get searchers(): ServerRow[] {
    const query = this.filter.trim();
    if (query === '') return [];
    return this.lists.sources
      .filter(({ server, list }) => list.value?.search === true && this.found.get(server.id)?.query !== query)
      .map(({ server }) => server);
  }

  /** Has a server search for what the filter says: it sees that. */
  async search(serverId: string): Promise<void> {
    const query = this.filter.trim();
    const { resources } = await this.#backend.searchResources(serverId, query);
    this.found.set(serverId, { query, resources });
  }

  /** How many resources are followed. */
  get live(): number {
    return this.lists.sources.reduce((sum, { list }) => sum + (list.value?.live.length ?? 0), 0);
  }

  isLive(serverId: string, uri: string): boolean {
    return this.lists.sources.some(({ server, list }) => server.id === serverId && list.value?.live.includes(uri));
  }

  open(key: string): void {
    if (key === this.key) return;
    this.#forget();
    this.completer.close();
    this.key = key;
    this.values = {};
    this.address = '';
    const { entry } = this;
    if (entry?.kind === 'template') void this.fill(entry, {});
  }

  /** Puts values into the open template and has its address written out; an empty optional variable is left out. */
  async fill({ server, template }: Entry & { kind: 'template' }, values: Record<string, string>): Promise<void> {
    this.values = values;
    const mine = ++this.#filling;
    const given = Object.fromEntries(
      template.variables.flatMap(({ name, optional }) => {
        const value = values[name] ?? '';
        return value === '' && optional ? [] : [[name, value]];
      }),
    );
    try {
      const address = await this.#backend.expandTemplate(server.id, template.uriTemplate, given);
      if (mine === this.#filling) this.address = address;
    } catch (cause) {
      this.error = failureFrom(cause);
    }
  }

  /** Reads an address at a server and nowhere else. */
  async read(serverId: string, uri: string, live = false): Promise<void> {
    const mine = ++this.#generation;
    if (uri !== this.uri) this.content = null;
    this.uri = uri;
    this.reading = true;
    try {
      const content = await this.#backend.readResource(serverId, uri, live);
      if (mine !== this.#generation) return;
      this.content = content;
      this.error = null;
      if (!live) this.changed.delete(sourceKey(serverId, uri));
    } catch (cause) {
      if (mine !== this.#generation) return;
      this.error = failureFrom(cause);
    }
    this.reading = false;
  }

  async watch(serverId: string, uri: string, on: boolean): Promise<void> {
    if (!on) this.changed.delete(sourceKey(serverId, uri));
    await this.#backend.watchResource(serverId, uri, on);
  }

  /** Closes the open entry; what it followed is not followed any more (P8). */
  async close(): Promise<void> {
    const { entry, uri } = this;
    this.open('');
    if (!entry || entry.kind === 'server') return;
    const followed = entry.kind === 'resource' ? entry.resource.uri : uri;
    if (followed !== '' && this.isLive(entry.server.id, followed)) await this.watch(entry.server.id, followed, false);
  }

  #forget(): void {
    this.#generation++;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.content = null;
    this.uri = '';
    this.reading = false;
    this.error = null;
  }

  /** A server said that a followed resource changed; '' = any may have. */
  #updated(key: string): void {
    if (key !== '') this.changed.set(key, new Date().toISOString());
    const { entry, uri } = this;
    if (!entry || !this.content || !this.isLive(entry.server.id, uri)) return;
    if (key !== '' && key !== sourceKey(entry.server.id, uri)) return;
    this.#follow(entry.server.id, uri);
  }

  /** Reads again what keeps changing, at most once a second; the last change is never missed. */
  #follow(serverId: string, uri: string): void {
    if (this.#timer) {
      this.#due = true;
      return;
    }
    this.#due = false;
    void this.read(serverId, uri, true);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#due && this.uri === uri) this.#follow(serverId, uri);
    }, liveGap);
  }
}
