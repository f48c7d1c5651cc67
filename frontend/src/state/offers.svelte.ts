// What the composer offers while somebody types “/” at its start (prompts and tools) or “@” (resources).

import type { Backend, ResourceRow, ResourceTemplate, ServerRow, ToolRow } from '@/backend/backend';
import type { PromptBrowser, PromptEntry } from './prompts.svelte';
import type { ResourceBrowser } from './resources.svelte';

export type Offer =
  | (PromptEntry & { kind: 'prompt' })
  | { kind: 'tool'; tool: ToolRow }
  | { kind: 'resource'; server: ServerRow; resource: ResourceRow }
  | { kind: 'template'; server: ServerRow; template: ResourceTemplate };

export interface OfferGroup {
  name: 'prompts' | 'tools' | 'resources';
  offers: Offer[];
}

/** What is asked for, and where in the text that stands. */
export interface Wish {
  sign: '/' | '@';
  text: string;
  start: number;
  end: number;
}

const most = { prompts: 8, tools: 8, resources: 12 };
const pauseMs = 120;

/** What the text before the caret asks for, null if nothing. */
export function wishOf(text: string, caret: number): Wish | null {
  const before = text.slice(0, caret);
  const [, space = '', sign = '', wanted = ''] = /(^|\s)([/@])(\S*)$/.exec(before) ?? [];
  if (sign === '' || (sign === '/' && before.length > wanted.length + 1)) return null;
  const start = before.length - wanted.length - 1;
  return { sign: sign as Wish['sign'], text: wanted, start: space === '' ? 0 : start, end: caret };
}

export class Offers {
  wish = $state.raw<Wish | null>(null);

  readonly #backend: Pick<Backend, 'listTools'>;
  readonly #prompts: PromptBrowser;
  readonly #resources: ResourceBrowser;
  #tools = $state.raw<readonly ToolRow[]>([]);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asked = 0;

  constructor(backend: Pick<Backend, 'listTools'>, prompts: PromptBrowser, resources: ResourceBrowser) {
    this.#backend = backend;
    this.#prompts = prompts;
    this.#resources = resources;
  }

  /** Looks at what is typed. */
  read(text: string, caret: number): void {
    this.wish = wishOf(text, caret);
    clearTimeout(this.#timer);
    const mine = ++this.#asked;
    if (this.wish?.sign === '@') return this.#resources.lists.load();
    if (this.wish?.sign !== '/') return;
    this.#prompts.lists.load();
    const wanted = this.wish.text;
    this.#timer = setTimeout(() => {
      const ask = this.#backend.listTools({ text: wanted, serverId: '', offset: 0, limit: most.tools });
      void ask.then(
        ({ rows }) => mine === this.#asked && (this.#tools = rows),
        () => undefined,
      );
    }, pauseMs);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#asked++;
    this.wish = null;
  }

  get groups(): OfferGroup[] {
    const { wish } = this;
    if (!wish) return [];
    const wanted = wish.text.toLowerCase();
    const holds = (...parts: string[]) => parts.join('\n').toLowerCase().includes(wanted);
    const groups: OfferGroup[] =
      wish.sign === '/'
        ? [
            {
              name: 'prompts',
              offers: this.#prompts.all
                .filter(({ prompt }) => prompt.problem === '' && holds(prompt.name, prompt.title))
                .slice(0, most.prompts),
            },
            { name: 'tools', offers: this.#tools.map((tool) => ({ kind: 'tool' as const, tool })) },
          ]
        : [{ name: 'resources', offers: this.#listed(holds).slice(0, most.resources) }];
    return groups.filter(({ offers }) => offers.length > 0);
  }

  #listed(holds: (...parts: string[]) => boolean): Offer[] {
    return this.#resources.lists.sources.flatMap(({ server, list }): Offer[] => [
      ...(list.value?.resources ?? [])
        .filter((each) => each.problem === '' && holds(each.title, each.name, each.uri))
        .map((resource): Offer => ({ kind: 'resource', server, resource })),
      ...(list.value?.templates ?? [])
        .filter((each) => each.problem === '' && holds(each.title, each.uriTemplate))
        .map((template): Offer => ({ kind: 'template', server, template })),
    ]);
  }
}
