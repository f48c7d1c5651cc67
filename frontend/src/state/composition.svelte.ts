// A call that the user composes: the tool, the values of its form, and what Go says would be sent. The Run panel of the
// Tools page and the manual model of the chat are two of these.

import type { Backend, BackendError, Draft, ToolDetail } from '@/backend/backend';
import { failureFrom } from '@/backend/errors';
import { emptyObject, parseJson, type Value } from '@/schema/json';
import type { Form } from '@/schema/model';
import { readSchema } from '@/schema/read';
import { compose, initialValue, type Fault } from '@/schema/values';
import { Arming } from './arming.svelte';
import type { Hub } from './hub';
import { Resource } from './resource.svelte';
import { toolKey } from './tools.svelte';

const noForm: Form = { kind: 'group', fields: [] };
const pauseMs = 150; // in typing, before Go is asked
const mostKept = 50; // half-filled forms that are remembered

export interface CompositionOptions {
  backend: Backend;
  hub: Hub;
  /** The surface's name for Go: "panel:tools", "panel:chat". */
  panel: string;
  /** Presses Run in Go. */
  run: (panel: string, digest: string) => Promise<void>;
  /** Whether the user may have the call run as a task. */
  tasks?: boolean;
}

export class Composition {
  readonly panel: string;
  readonly arming: Arming;
  readonly tool: Resource<ToolDetail>;
  serverId = $state('');
  name = $state('');
  value = $state.raw<Value>(emptyObject());
  faults = $state.raw<readonly Fault[]>([]);
  /** Go's newest answer. Only while it is current does it say what would be sent. */
  draft = $state.raw<Draft | null>(null);
  current = $state(false);
  /** Why Go could not say what would be sent. */
  error = $state.raw<BackendError | null>(null);
  /** Why the last press of Run did nothing. */
  refusal = $state.raw<BackendError | null>(null);
  running = $state(false);
  /** The user has changed something: from now on the panel says what is missing. */
  touched = $state(false);

  /** Hears of no changes any more. */
  readonly end: () => void;
  /** The user wants the call to become a task; only for a tool that lets the caller choose. */
  asTask = $state(false);

  readonly form = $derived.by(() => (this.tool.value ? readSchema(this.tool.value.inputSchema) : noForm));

  readonly #options: CompositionOptions;
  readonly #kept = new Map<string, Value>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asked = 0;
  #definition = '';

  constructor(options: CompositionOptions) {
    this.#options = options;
    this.panel = options.panel;
    this.arming = new Arming(options.backend);
    this.tool = new Resource(() => this.#fetch());
    this.end = options.hub.on(['tools'], (event) => {
      if (this.name !== '' && (!event || event.id === '' || event.id === this.serverId)) void this.tool.refresh();
    });
  }

  get key(): string {
    return this.name === '' ? '' : toolKey(this);
  }

  /** Shows a tool with the values it was left with, or with its defaults. */
  async open(serverId: string, name: string): Promise<void> {
    if (serverId === this.serverId && name === this.name) return;
    this.#leave();
    this.serverId = serverId;
    this.name = name;
    this.tool.value = undefined;
    this.tool.error = null;
    if (name !== '') await this.tool.refresh();
  }

  close(): void {
    this.#leave();
    this.serverId = '';
    this.name = '';
    this.tool.value = undefined;
  }

  set(value: Value): void {
    this.value = value;
    this.touched = true;
    this.refusal = null;
    this.#draftSoon(pauseMs);
  }

  /** Turns text of the JSON tab back into values, if it is JSON. */
  toForm(): void {
    if (this.value.kind !== 'raw') return;
    const parsed = parseJson(this.value.text);
    if (parsed.ok) this.value = parsed.value;
  }

  /** Back to the defaults. */
  reset(): void {
    this.value = initialValue(this.form);
    this.touched = false;
    this.#draftSoon(0);
  }

  get choosesTask(): boolean {
    return this.#options.tasks === true && this.tool.value?.taskSupport === 'optional';
  }

  /** Whether pressing Run would do something now. */
  get ready(): boolean {
    return this.arming.armed && !this.running && this.current && this.draft?.problems.length === 0;
  }

  async run(): Promise<void> {
    const { draft } = this;
    if (!this.ready || !draft) return;
    this.running = true;
    this.refusal = null;
    try {
      await this.#options.run(this.panel, draft.digest);
      this.arming.restart(); // Go's clock starts again with every press that counts
    } catch (cause) {
      this.refusal = failureFrom(cause);
      // The bytes may have become others, for example by a changed definition.
      this.#draftSoon(0);
    } finally {
      this.running = false;
    }
  }

  async #fetch(): Promise<ToolDetail> {
    const tool = await this.#options.backend.tool(this.serverId, this.name);
    if (tool.serverId !== this.serverId || tool.name !== this.name) return tool;
    if (this.#definition === '') {
      this.value = this.#kept.get(toolKey(tool)) ?? initialValue(readSchema(tool.inputSchema));
    }
    if (tool.definition !== this.#definition) {
      this.#definition = tool.definition;
      this.#draftSoon(0);
    }
    return tool;
  }

  #leave(): void {
    clearTimeout(this.#timer);
    this.#asked++;
    if (this.#definition !== '') {
      this.#kept.delete(this.key);
      this.#kept.set(this.key, this.value);
      const oldest = this.#kept.keys().next();
      if (this.#kept.size > mostKept && !oldest.done) this.#kept.delete(oldest.value);
    }
    this.#definition = '';
    this.value = emptyObject();
    this.draft = null;
    this.current = false;
    this.faults = [];
    this.error = null;
    this.refusal = null;
    this.touched = false;
    this.asTask = false;
    this.arming.restart();
  }

  #draftSoon(pause: number): void {
    clearTimeout(this.#timer);
    const mine = ++this.#asked;
    const { text, faults } = compose(this.value);
    this.faults = faults;
    // What is on screen is no longer what Go would send: nothing can be run until it is again.
    this.current = false;
    if (faults.length > 0) return;
    this.#timer = setTimeout(() => void this.#ask(mine, text === '' ? '{}' : text), pause);
  }

  async #ask(mine: number, text: string): Promise<void> {
    try {
      const draft = await this.#options.backend.draftCall(this.panel, this.serverId, this.name, text);
      if (mine !== this.#asked) return;
      this.draft = draft;
      this.current = true;
      this.error = null;
    } catch (cause) {
      if (mine === this.#asked) this.error = failureFrom(cause);
    }
  }
}
