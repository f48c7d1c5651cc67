// What the Prompts page exchanges with Go, what is proposed while somebody types, and what goes with the next message.
// Every text of a prompt is its server's.

import type { Block } from './backend';

export interface PromptArgument {
  name: string;
  title: string;
  description: string;
  required: boolean;
}
export interface PromptRow {
  name: string;
  title: string; // to show: title or name
  description: string;
  arguments: PromptArgument[];
  problem: string; // why it cannot be used
}
/** Whether a server may see what is typed; '' = it proposes nothing. */
export type Leave = '' | 'ask' | 'on' | 'off';
export interface PromptList {
  offered: boolean; // the server has prompts
  prompts: PromptRow[];
  warning: string; // why the list was cut short
  stale: string; // since when it cannot be fetched again
  completion: Leave;
}
export interface PromptMessage {
  role: string; // 'user', 'assistant', or what else the server wrote
  block: Block;
}
export interface PromptPreview {
  id: string;
  at: string;
  durationMs: number;
  description: string;
  bytes: number;
  messages: PromptMessage[];
  truncated: number;
  hidden: number; // hidden characters in its texts
}

export interface CompletionQuery {
  serverId: string;
  kind: 'prompt' | 'template';
  name: string; // of the prompt, or the URI template
  argument: string;
  value: string;
  settled: Record<string, string>;
}
export interface CompletionList {
  state: 'values' | 'ask' | 'off' | 'secret' | 'none';
  values: string[];
  total: number; // -1 = not stated
  more: boolean;
}

export interface Attachment {
  id: string;
  kind: 'resource' | 'prompt';
  serverId: string;
  serverName: string;
  title: string;
  origin: string; // the resource's URI, or the prompt's name
  bytes: number;
  parts: number;
  sent: boolean;
}
export interface AttachmentContent {
  messages: PromptMessage[];
  truncated: number;
}
