// Prompts of the fake back end, what they expand to, what is proposed, and what is attached.

import type {
  Attachment,
  Backend,
  Block,
  CompletionList,
  CompletionQuery,
  GatehouseEvent,
  PromptArgument,
  PromptList,
  PromptPreview,
  PromptRow,
} from '@/backend/backend';
import { dot } from './resources';
import { FakeTrace } from './trace';

const argument = (name: string, title: string, required: boolean, description = ''): PromptArgument => ({
  name,
  title,
  description,
  required,
});
const prompt = (name: string, title: string, description: string, ...given: PromptArgument[]): PromptRow => ({
  name,
  title,
  description,
  arguments: given,
  problem: '',
});

export const promptLists: Record<string, PromptList> = {
  'srv-notes': {
    offered: true,
    prompts: [
      prompt(
        'handover',
        'Draft a shift handover',
        'A handover from the shift notes: open incidents, berths in use, what to watch.',
        argument('shift', 'Shift', true, 'Date and watch, for instance 2026-11-30 early.'),
        argument('berth', 'Berth', true),
        argument('tone', 'Tone', false),
      ),
      prompt('weekly', 'Summary of a week', '', argument('week', '', true)),
      prompt('tour', 'A tour', 'Shows <b>everything</b>.'),
    ],
    warning: '',
    stale: '',
    completion: 'ask',
  },
  'srv-pg': {
    offered: true,
    prompts: [
      prompt('explain_query', 'Explain a slow query', 'Reads the plan.', argument('sql', 'SQL', true)),
      { ...prompt('', '', ''), problem: 'the prompt has no name' },
    ],
    warning: 'more than 2 prompts',
    stale: '',
    completion: '',
  },
};

const noPrompts: PromptList = { offered: false, prompts: [], warning: '', stale: '', completion: '' };

export const promptsOf = (lists: Record<string, PromptList>, serverId: string): PromptList =>
  structuredClone(lists[serverId] ?? noPrompts);

const block = (changes: Partial<Block>): Block => ({
  kind: 'text',
  text: '',
  mimeType: '',
  data: '',
  uri: '',
  name: '',
  bytes: 0,
  note: '',
  detail: '',
  audience: [],
  ...changes,
});

export function previewOf(name: string, args: Record<string, string>): PromptPreview {
  const text = `Draft the ${name} for the ${args['shift'] ?? 'night'} shift at berth ${args['berth'] ?? 'B1'}. Keep to one page.`;
  const messages = [
    { role: 'user', block: block({ text, bytes: text.length }) },
    {
      role: 'user',
      block: block({
        kind: 'resource',
        text: '# Early shift',
        uri: 'notes://shifts/2026-11-30-early.md',
        mimeType: 'text/markdown',
        bytes: 13,
      }),
    },
    { role: 'user', block: block({ kind: 'image', data: dot, mimeType: 'image/png', bytes: 70 }) },
    { role: 'assistant', block: block({ text: 'Understood. I’ll start with incident 214, crane C2.', bytes: 52 }) },
  ];
  const id = `preview-${name}-${Object.values(args).join('-')}`;
  const at = new Date().toISOString();
  return {
    id,
    at,
    durationMs: 62,
    description: '',
    bytes: 2260,
    messages,
    truncated: 0,
    hidden: name === 'tour' ? 2 : 0,
  };
}

export function proposalsFor(lists: Record<string, PromptList>, query: CompletionQuery): CompletionList {
  const { completion } = promptsOf(lists, query.serverId);
  const none = { values: [], total: -1, more: false };
  if (completion === '') return { state: 'none', ...none };
  if (completion !== 'on') return { state: completion, ...none };
  if (/password|token/.test(query.argument)) return { state: 'secret', ...none };
  const all = ['B1', 'B1 outer', 'B10', 'B2', '2026-11-30', '2026-11-30 early', 'tide-table.md'];
  const values = all.filter((value) => value.toLowerCase().startsWith(query.value.toLowerCase()));
  return { state: 'values', values, total: 120, more: true };
}

export const attachmentOf = (
  changes: Partial<Attachment> & Pick<Attachment, 'id' | 'kind' | 'origin'>,
): Attachment => ({
  serverId: 'srv-notes',
  serverName: 'Notes',
  title: changes.origin.slice(changes.origin.lastIndexOf('/') + 1),
  bytes: 8200,
  parts: 1,
  sent: false,
  ...changes,
});

/** The calls of the Prompts page and of attachments. */
export abstract class PromptsBackend extends FakeTrace {
  prompts = structuredClone(promptLists);
  /** What goes with the next message. */
  waiting: Attachment[] = [];
  /** Everything that was called, in order, for tests. */
  override log: [method: string, ...values: unknown[]][] = [];

  abstract override emit(kind: GatehouseEvent['kind'], id?: string): void;

  listPrompts: Backend['listPrompts'] = async (serverId) => promptsOf(this.prompts, serverId);
  getPrompt: Backend['getPrompt'] = async (serverId, name, args) => {
    this.log.push(['getPrompt', serverId, name, args]);
    return previewOf(name, args);
  };
  complete: Backend['complete'] = async (query) => {
    this.log.push(['complete', query]);
    return proposalsFor(this.prompts, query);
  };
  setCompletion: Backend['setCompletion'] = async (serverId, leave) => {
    this.prompts[serverId]!.completion = leave;
    this.emit('lists', serverId);
  };
  attachments: Backend['attachments'] = async () => structuredClone(this.waiting);
  attachResource: Backend['attachResource'] = async (serverId, uri) => {
    this.log.push(['attachResource', serverId, uri]);
    this.#attach(attachmentOf({ id: `att-${this.log.length}`, kind: 'resource', origin: uri }));
  };
  attachPrompt: Backend['attachPrompt'] = async (id) =>
    this.#attach(attachmentOf({ id, kind: 'prompt', origin: id.split('-')[1] ?? '', parts: 4, bytes: 2260 }));
  detach: Backend['detach'] = async (id) => {
    this.waiting = this.waiting.filter((each) => each.id !== id);
    this.emit('attached');
  };
  attached: Backend['attached'] = async () => ({ messages: previewOf('handover', {}).messages, truncated: 0 });

  /** What waits, for a message. */
  protected take(): Attachment[] {
    const sent = this.waiting.map((each) => ({ ...each, sent: true }));
    this.waiting = [];
    this.emit('attached');
    return sent;
  }

  #attach(attachment: Attachment): void {
    this.waiting.push(attachment);
    this.emit('attached');
  }
}
