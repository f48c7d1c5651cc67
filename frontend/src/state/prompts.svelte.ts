// The Prompts page: what each connected server lists, the prompt that is open, its arguments, and what it expands to.

import { SvelteSet } from 'svelte/reactivity';
import type { Backend, BackendError, PromptList, PromptPreview, PromptRow, ServerRow } from '@/backend/backend';
import { failureFrom } from '@/backend/errors';
import { Completer } from './completer.svelte';
import type { Hub } from './hub';
import type { Resource } from './resource.svelte';
import { ServerLists } from './server-lists.svelte';

/** One line of the list. */
export type PromptEntry =
  | { kind: 'server'; server: ServerRow; list: Resource<PromptList> }
  | { kind: 'prompt'; server: ServerRow; prompt: PromptRow };

/** Unique for a prompt at a server. An id holds no space. */
export const promptKey = (serverId: string, name: string): string => `${serverId} ${name}`;

export const promptEntryKey = (entry: PromptEntry): string =>
  entry.kind === 'server' ? entry.server.id : promptKey(entry.server.id, entry.prompt.name);

type Calls = Pick<Backend, 'listPrompts' | 'getPrompt' | 'attachPrompt' | 'complete' | 'setCompletion'>;

export class PromptBrowser {
  filter = $state('');
  /** The key of the open prompt, '' for none. */
  key = $state('');
  values = $state.raw<Readonly<Record<string, string>>>({});
  preview = $state.raw<PromptPreview | null>(null);
  /** The arguments that the preview was made with. */
  previewed = $state('');
  filling = $state(false);
  error = $state.raw<BackendError | null>(null);
  readonly folded = new SvelteSet<string>();
  readonly lists: ServerLists<PromptList>;
  readonly completer: Completer;

  readonly #backend: Calls;
  readonly #kept = new Map<string, Readonly<Record<string, string>>>(); // half-filled forms
  #generation = 0;

  constructor(backend: Calls, hub: Hub, servers: Resource<ServerRow[]>) {
    this.#backend = backend;
    this.lists = new ServerLists((id, fresh) => backend.listPrompts(id, fresh), hub, servers);
    this.completer = new Completer(backend);
  }

  /** The lines to show: each server, and what of it matches the filter. */
  get entries(): PromptEntry[] {
    const text = this.filter.trim().toLowerCase();
    return this.lists.sources.flatMap(({ server, list }): PromptEntry[] => {
      const prompts = (list.value?.prompts ?? []).filter(({ name, title }) =>
        `${name}\n${title}`.toLowerCase().includes(text),
      );
      if (text !== '' && prompts.length === 0) return [];
      const lines = prompts.map((prompt): PromptEntry => ({ kind: 'prompt', server, prompt }));
      return [{ kind: 'server', server, list }, ...(this.folded.has(server.id) && text === '' ? [] : lines)];
    });
  }

  /** Every prompt that can be used. */
  get all(): (PromptEntry & { kind: 'prompt' })[] {
    return this.lists.sources.flatMap(({ server, list }) =>
      (list.value?.prompts ?? []).map((prompt) => ({ kind: 'prompt' as const, server, prompt })),
    );
  }

  /** The open prompt; undefined if none is, or it is not listed any more. */
  get entry(): (PromptEntry & { kind: 'prompt' }) | undefined {
    return this.all.find((entry) => promptEntryKey(entry) === this.key);
  }

  open(key: string): void {
    if (key === this.key) return;
    if (this.key !== '') this.#kept.set(this.key, this.values);
    this.#generation++;
    this.completer.close();
    this.key = key;
    this.values = this.#kept.get(key) ?? {};
    this.preview = null;
    this.filling = false;
    this.error = null;
  }

  set(name: string, value: string): void {
    this.values = { ...this.values, [name]: value };
  }

  /** What goes to the server: an argument that is left empty is left out. */
  get given(): Record<string, string> {
    return Object.fromEntries(Object.entries(this.values).filter(([, value]) => value !== ''));
  }

  /** Whether the preview shows what these arguments expand to. */
  get current(): boolean {
    return this.preview !== null && this.previewed === JSON.stringify(this.given);
  }

  /** Has the server expand the open prompt. Nothing goes to a model. */
  async fill(): Promise<void> {
    const { entry, given } = this;
    if (!entry) return;
    const mine = ++this.#generation;
    this.completer.close();
    this.filling = true;
    try {
      const preview = await this.#backend.getPrompt(entry.server.id, entry.prompt.name, given);
      if (mine !== this.#generation) return;
      this.preview = preview;
      this.previewed = JSON.stringify(given);
      this.error = null;
    } catch (cause) {
      if (mine !== this.#generation) return;
      this.error = failureFrom(cause);
    }
    this.filling = false;
  }

  /** Puts what the preview shows into the next message. */
  async use(): Promise<void> {
    if (!this.preview || !this.current) return;
    await this.#backend.attachPrompt(this.preview.id);
  }
}
