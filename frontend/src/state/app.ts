// The controllers that live as long as the window, made once by main.ts and handed down by context.

import { createContext } from 'svelte';
import type { Backend, ServerRow } from '@/backend/backend';
import { failureFrom } from '@/backend/errors';
import { errorText } from '@/i18n/index.svelte';
import { focusPage, inField } from './focus';
import { Chats, type Conversation } from './chat.svelte';
import { Leaving } from './leaving.svelte';
import { HistoryBrowser } from './history.svelte';
import { Hub } from './hub';
import { Icons } from './icons.svelte';
import { Inbox } from './inbox.svelte';
import { Attachments } from './attachments.svelte';
import { PromptBrowser } from './prompts.svelte';
import { Profiles } from './profiles.svelte';
import { ResourceBrowser } from './resources.svelte';
import { Roots } from './roots.svelte';
import { Resource } from './resource.svelte';
import { ServerBrowser } from './servers.svelte';
import { Settings } from './settings.svelte';
import { Shell, type PageName } from './shell.svelte';
import { TaskBrowser } from './tasks.svelte';
import { ToolBrowser } from './tools.svelte';
import { TraceBrowser } from './trace.svelte';
import { ToolRun } from './tool-run.svelte';
import { Welcome } from './welcome.svelte';

export class App {
  readonly hub: Hub;
  readonly shell = new Shell();
  readonly settings: Settings;
  readonly icons: Icons;
  readonly welcome: Welcome;
  readonly inbox: Inbox;
  readonly leaving: Leaving;
  /** Every configured server, in whatever profile; shared by the rail and the pages. */
  readonly servers: Resource<ServerRow[]>;
  readonly profiles: Profiles;
  readonly serverBrowser: ServerBrowser;
  readonly toolBrowser: ToolBrowser;
  /** The Run panel of the Tools page. */
  readonly toolRun: ToolRun;
  readonly resourceBrowser: ResourceBrowser;
  readonly prompts: PromptBrowser;
  readonly attachments: Attachments;
  readonly tasks: TaskBrowser;
  readonly roots: Roots;
  readonly history: HistoryBrowser;
  readonly trace: TraceBrowser;
  readonly chats: Chats;

  constructor(readonly backend: Backend) {
    this.hub = new Hub(backend);
    this.settings = new Settings(backend, this.hub);
    this.icons = new Icons(backend, this.hub, () => this.settings.look);
    this.welcome = new Welcome(backend, this.hub, this.settings, this.shell);
    this.inbox = new Inbox(backend, this.hub, inField);
    this.leaving = new Leaving(backend, this.hub);
    this.servers = new Resource(() => backend.listServers());
    this.servers.follow(this.hub, ['servers', 'tools']);
    this.profiles = new Profiles(backend, this.hub, (text) => this.shell.announce(text));
    this.serverBrowser = new ServerBrowser(backend, this.hub, this.servers);
    this.toolBrowser = new ToolBrowser(backend, this.hub);
    this.toolRun = new ToolRun(backend, this.hub);
    this.resourceBrowser = new ResourceBrowser(backend, this.hub, this.servers);
    this.prompts = new PromptBrowser(backend, this.hub, this.servers);
    this.attachments = new Attachments(backend, this.hub);
    this.tasks = new TaskBrowser(backend, this.hub, this.inbox);
    this.roots = new Roots(backend, this.hub);
    this.history = new HistoryBrowser(backend, this.hub);
    this.trace = new TraceBrowser(backend, this.hub);
    this.chats = new Chats(backend, this.hub);
  }

  /** The conversation in view. */
  get conversation(): Conversation {
    return this.chats.current;
  }

  /** Fetches what the frame shows. */
  async start(): Promise<void> {
    await Promise.all([
      this.settings.app.refresh(),
      this.servers.refresh(),
      this.profiles.list.refresh(),
      this.chats.list.refresh(),
      this.inbox.refresh(),
      this.tasks.list.refresh(),
      this.attachments.list.refresh(),
    ]);
  }

  /** Goes to a page and puts the keyboard there. */
  async enter(page: PageName): Promise<void> {
    this.shell.go({ page });
    await focusPage();
    this.fieldLeft();
  }

  /** A field is gone with its page. Whoever asks for the inbox chooses there. */
  fieldLeft(): void {
    if (this.shell.route.page !== 'inbox') this.inbox.fieldLeft();
  }

  /** Brings a conversation into view. */
  async openChat(id: string): Promise<void> {
    this.chats.show(id);
    await this.enter('chat');
  }

  async newChat(): Promise<void> {
    if (await this.attempt(() => this.chats.begin())) await this.enter('chat');
  }

  /** Goes to where the user plays the model: the choice of a tool, failing that the message box. */
  async playModel(): Promise<void> {
    this.shell.go({ page: 'chat' });
    await this.conversation.chat.refresh();
    await focusPage('[data-manual]');
  }

  /** Does what a press asked for; a failure becomes a toast. Reports whether it worked. */
  async attempt(action: () => Promise<unknown>): Promise<boolean> {
    try {
      await action();
      return true;
    } catch (cause) {
      this.shell.toast(errorText(failureFrom(cause)));
      return false;
    }
  }
}

export const [useApp, provideApp] = createContext<App>();
