// The conversations of the fake back end; the user plays the model in all of them.

import type { Attachment, ChatView } from '@/backend/backend';
import { BackendFailure } from '@/backend/errors';
import { chatView } from './calls';

export class Talks {
  /** The newest first. */
  all: ChatView[] = [structuredClone(chatView)];
  #count = 1;

  find(id: string): ChatView {
    const talk = this.all.find((each) => id === '' || each.id === id);
    if (!talk) throw new BackendFailure('unknown-chat', 'unknown conversation', id);
    return talk;
  }

  begin(): string {
    const empty = this.all.find(({ items, busy }) => items.length === 0 && !busy);
    const id = `chat-${String(++this.#count)}`;
    const fresh = empty ?? { ...chatView, id, title: '', busy: false, waiting: '' as const, items: [] };
    this.all = [fresh, ...this.all.filter((each) => each !== fresh)];
    return fresh.id;
  }

  remove(id: string): void {
    this.all = this.all.filter((each) => each.id !== id);
    if (this.all.length === 0) this.begin();
  }

  say(id: string, role: 'user' | 'model', text: string, attached: Attachment[] = []): ChatView {
    const talk = this.find(id);
    talk.title ||= text;
    const item = `item-${String(talk.items.length + 1)}`;
    talk.items.push({
      id: item,
      role,
      text,
      streaming: false,
      at: new Date().toISOString(),
      call: null,
      note: '',
      attached,
    });
    talk.waiting = role === 'user' ? 'user' : '';
    return talk;
  }
}
