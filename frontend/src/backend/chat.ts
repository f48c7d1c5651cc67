// What the chat exchanges with Go.

import type { Attachment, CallView } from './backend';

export interface ChatItem {
  id: string;
  role: 'user' | 'model' | 'tool';
  text: string;
  streaming: boolean;
  at: string;
  call: CallView | null;
  note: string;
  attached: Attachment[];
}
export interface ChatRow {
  id: string;
  title: string; // the start of what the user said first
  busy: boolean;
  waiting: '' | 'user' | 'model' | 'decision';
}
export interface ChatView extends ChatRow {
  model: string;
  manual: boolean;
  items: ChatItem[];
}
