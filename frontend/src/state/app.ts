// The controllers that live as long as the window, made once by main.ts and handed down by context.

import { createContext } from 'svelte';
import type { Backend, ServerRow } from '@/backend/backend';
import { failureFrom } from '@/backend/errors';
import { errorText } from '@/i18n/index.svelte';
import { inField } from './focus';
import { Composition } from './composition.svelte';
import { Conversation } from './chat.svelte';
import { Leaving } from './leaving.svelte';
import { HistoryBrowser } from './history.svelte';
import { Hub } from './hub';
import { Inbox } from './inbox.svelte';
import { Profiles } from './profiles.svelte';
import { ResourceBrowser } from './resources.svelte';
import { Resource } from './resource.svelte';
import { ServerBrowser } from './servers.svelte';
import { Settings } from './settings.svelte';
import { Shell } from './shell.svelte';
import { ToolBrowser } from './tools.svelte';
import { ToolRun } from './tool-run.svelte';
import { Welcome } from './welcome.svelte';

export class App {
  readonly hub: Hub;
  readonly shell = new Shell();
  readonly settings: Settings;
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
  readonly history: HistoryBrowser;
  readonly conversation: Conversation;
  /** The call that the user composes as the model. */
  readonly modelCall: Composition;

  constructor(readonly backend: Backend) {
    this.hub = new Hub(backend);
    this.settings = new Settings(backend, this.hub);
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
    this.history = new HistoryBrowser(backend, this.hub);
    this.conversation = new Conversation(backend, this.hub);
    this.modelCall = new Composition({
      backend,
      hub: this.hub,
      panel: 'panel:chat',
      run: (panel, digest) => backend.chatRun(panel, digest),
    });
  }

  /** Fetches what the frame shows. */
  async start(): Promise<void> {
    await Promise.all([
      this.settings.app.refresh(),
      this.servers.refresh(),
      this.profiles.list.refresh(),
      this.inbox.refresh(),
    ]);
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
