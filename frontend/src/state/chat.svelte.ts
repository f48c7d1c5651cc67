// The conversations. Each is fetched again at each hint, ten times a second at most; streaming and history are the same
// items. What is typed and composed in one stays there while another is in view.

import type { Backend, ChatItem, ChatRow, ChatView } from '@/backend/backend';
import { Composition } from './composition.svelte';
import type { Hub } from './hub';
import { Resource } from './resource.svelte';

const leastGap = 100; // milliseconds between two fetches

export class Conversation {
  readonly chat: Resource<ChatView>;
  /** The call that the user composes as the model. */
  readonly call: Composition;
  /** What is typed and not sent yet. */
  text = $state('');
  sending = $state(false);
  /** '' until the newest one is known. */
  id: string;

  readonly #backend: Backend;
  readonly #stop: () => void;
  #waiting: ReturnType<typeof setTimeout> | undefined;
  #last = 0;

  constructor(backend: Backend, hub: Hub, id = '') {
    this.id = id;
    this.#backend = backend;
    this.chat = new Resource(async () => {
      const view = await backend.chat(this.id);
      this.id = view.id;
      return view;
    });
    this.call = new Composition({
      backend,
      hub,
      panel: `panel:chat${id && `:${id}`}`,
      run: (panel, digest) => backend.chatRun(this.id, panel, digest),
    });
    this.#stop = hub.on(['chat', 'chatDelta'], (event) => {
      if (!event || event.id === '' || this.id === '' || event.id === this.id) this.#refreshSoon();
    });
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

  /** Sends what is typed; it stays in the composer if that fails. As the user it goes with what is attached. */
  async send(attached = false): Promise<void> {
    const text = this.text.trim();
    if ((text === '' && (!attached || this.asModel)) || !this.open) return;
    this.sending = true;
    try {
      await (this.asModel ? this.#backend.chatReply(this.id, text) : this.#backend.chatSend(this.id, text));
      this.text = '';
    } finally {
      this.sending = false;
    }
    await this.chat.refresh();
  }

  stop(): Promise<void> {
    return this.#backend.chatStop(this.id);
  }

  /** The conversation is gone: nothing is fetched for it any more. */
  end(): void {
    clearTimeout(this.#waiting);
    this.#stop();
    this.call.end();
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

export class Chats {
  readonly list: Resource<ChatRow[]>;
  /** The one in view. */
  current = $state.raw() as Conversation;

  readonly #backend: Backend;
  readonly #hub: Hub;
  #known: readonly Conversation[];

  constructor(backend: Backend, hub: Hub) {
    this.#backend = backend;
    this.#hub = hub;
    this.list = new Resource(() => backend.chats());
    this.list.follow(hub, ['chat']);
    this.current = new Conversation(backend, hub);
    this.#known = [this.current];
  }

  /** Brings one into view. */
  show(id: string): void {
    let shown = this.#known.find((each) => each.id === id);
    if (!shown) {
      shown = new Conversation(this.#backend, this.#hub, id);
      this.#known = [...this.#known, shown];
    }
    this.current = shown;
  }

  /** Begins one and brings it into view. */
  async begin(): Promise<void> {
    if (this.current.id === '') await this.current.chat.refresh();
    this.show(await this.#backend.newChat());
    await this.list.refresh();
  }

  /** Ends one, with all that it waits for and runs. If it was in view, the newest comes instead. */
  async remove(id: string): Promise<void> {
    await this.#backend.removeChat(id);
    this.#known.find((each) => each.id === id)?.end();
    this.#known = this.#known.filter((each) => each.id !== id);
    await this.list.refresh();
    const newest = this.list.value?.[0]?.id;
    if (this.current.id === id && newest !== undefined) this.show(newest);
  }
}
