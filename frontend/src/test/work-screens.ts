// The screens of prompts, tasks and what is attached to a message.

import type { FakeBackend } from '@/backend/fake';
import { attachmentOf } from '@/backend/fake/prompts';
import { quayForm } from '@/backend/fake/requests';
import type { Route } from '@/state/shell.svelte';
import { errorCard, loading, type Screen } from './screen';

async function waitFor(ready: () => boolean): Promise<void> {
  for (let tries = 0; tries < 100 && !ready(); tries++) await new Promise((resolve) => setTimeout(resolve, 10));
}

const handover: Route = { page: 'prompts', serverId: 'srv-notes', name: 'handover' };
const chat: Route = { page: 'chat' };
const noServers = (backend: FakeBackend) => void (backend.servers = []);

export const work: Record<string, Screen> = {
  'chat, attached': {
    route: chat,
    prepare: (backend) =>
      void backend.waiting.push(
        attachmentOf({ id: 'att-1', kind: 'resource', origin: 'notes://files/tide-table.md' }),
        attachmentOf({ id: 'preview-handover', kind: 'prompt', origin: 'handover', parts: 4 }),
      ),
    then: (app) => app.attachments.look('preview-handover'),
    shows: '.composer blockquote img',
  },
  'chat, offers': {
    route: chat,
    then: async () => {
      await waitFor(() => document.querySelector('.composer textarea') !== null);
      const field = document.querySelector<HTMLTextAreaElement>('.composer textarea')!;
      field.focus();
      field.value = '/';
      field.dispatchEvent(new Event('input', { bubbles: true }));
    },
    shows: '.offers [role=option]',
  },
  prompts: {
    route: handover,
    then: async (app) => {
      await waitFor(() => app.prompts.entry !== undefined);
      app.prompts.set('shift', '2026-11-30 early');
      app.prompts.set('berth', 'B1');
      await app.prompts.fill();
    },
    shows: '.details blockquote img',
  },
  'prompts, completion': {
    route: handover,
    prepare: (backend) => void (backend.prompts['srv-notes']!.completion = 'on'),
    then: async (app) => {
      await waitFor(() => app.prompts.entry !== undefined);
      app.prompts.set('berth', 'B');
      const query = { kind: 'prompt' as const, name: 'handover', argument: 'berth', value: 'B', settled: {} };
      app.prompts.completer.type({ serverId: 'srv-notes', ...query });
    },
    shows: '.details .pop',
  },
  'prompts, asking': {
    route: handover,
    then: async (app) => {
      await waitFor(() => app.prompts.entry !== undefined);
      const query = { kind: 'prompt' as const, name: 'handover', argument: 'berth', value: 'B', settled: {} };
      app.prompts.completer.type({ serverId: 'srv-notes', ...query });
    },
    shows: '.details .ask',
  },
  'prompts, list': { route: { page: 'prompts' }, shows: '[role=option]' },
  'prompts, empty': { route: { page: 'prompts' }, prepare: noServers, shows: '.empty' },
  'prompts, failing': { route: { page: 'prompts' }, mood: { fails: { listPrompts: 'timeout' } }, shows: errorCard },

  tasks: {
    route: { page: 'tasks', call: 'call-quay' },
    prepare: (backend) => void (backend.requests = [structuredClone(quayForm)]),
    shows: 'aside .steps',
  },
  'tasks, ended': { route: { page: 'tasks', call: 'call-lost' }, shows: 'aside .steps' },
  'tasks, empty': { route: { page: 'tasks' }, prepare: (backend) => void (backend.tasks = []), shows: '.empty' },
  'tasks, slow': { route: { page: 'tasks' }, mood: { holds: ['listTasks'] }, shows: loading },
  'tasks, failing': { route: { page: 'tasks' }, mood: { fails: { listTasks: 'timeout' } }, shows: errorCard },
};
