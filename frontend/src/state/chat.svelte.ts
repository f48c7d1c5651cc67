// The conversation. Streaming and history are the same items, fetched again at each hint, ten times a second at most.

import type { Backend, ChatItem, ChatView } from '@/backend/backend';
import type { Hub } from './hub';
import { Resource } from './resource.svelte';

const leastGap = 100; // milliseconds between two fetches

export class Conversation {
  readonly chat: Resource<ChatView>;
  /** What is typed and not sent yet. */
  text = $state('');
  sending = $state(false);

  readonly #backend: Backend;
  #waiting: ReturnType<typeof setTimeout> | undefined;
  #last = 0;

  constructor(backend: Backend, hub: Hub) {
    this.#backend = backend;
    this.chat = new Resource(() => backend.chat());
    hub.on(['chat', 'chatDelta'], () => this.#refreshSoon());
  }

  get items(): readonly ChatItem[] {
    return this.chat.value?.items ?? [];
  }

  /** Whether what is typed would be the model's words: the user plays the model and has the move. */
  get asModel(): boolean {
    return this.chat.value?.manual === true && this.chat.value.waiting === 'user';
  }

  /** Whether something can be sent now. */
  get open(): boolean {
    return !this.sending && (this.asModel || this.chat.value?.waiting === '');
  }

  /** Sends what is typed; it stays in the composer if that fails. */
  async send(): Promise<void> {
    const text = this.text.trim();
    if (text === '' || !this.open) return;
    this.sending = true;
    try {
      await (this.asModel ? this.#backend.chatReply(text) : this.#backend.chatSend(text));
      this.text = '';
    } finally {
      this.sending = false;
    }
    await this.chat.refresh();
  }

  async clear(): Promise<void> {
    await this.#backend.chatClear();
    await this.chat.refresh();
  }

  #refreshSoon(): void {
    if (this.#waiting !== undefined) return;
    const pause = Math.max(0, this.#last + leastGap - Date.now());
    this.#waiting = setTimeout(() => {
      this.#waiting = undefined;
      this.#last = Date.now();
      void this.chat.refresh();
    }, pause);
  }
}
