import type { PageName } from '@/state/shell.svelte';
import type { IconName } from '@/ui/icons';

export const pageIcons: Record<PageName, IconName> = {
  inbox: 'gate',
  chat: 'chat',
  servers: 'server',
  tools: 'tool',
  resources: 'res',
  prompts: 'prompt',
  tasks: 'task',
  roots: 'root',
  history: 'hist',
  trace: 'trace',
  settings: 'gear',
};
