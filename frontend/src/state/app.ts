// The controllers that live as long as the window, made once by main.ts and handed down by context.

import { createContext } from 'svelte';
import type { Backend, ServerRow } from '@/backend/backend';
import { failureFrom } from '@/backend/errors';
import { errorText } from '@/i18n/index.svelte';
import { inField } from './focus';
import { Hub } from './hub';
import { Inbox } from './inbox.svelte';
import { Resource } from './resource.svelte';
import { Settings } from './settings.svelte';
import { Shell } from './shell.svelte';

export class App {
  readonly hub: Hub;
  readonly shell = new Shell();
  readonly settings: Settings;
  readonly inbox: Inbox;
  /** Every configured server; shared by the rail and the pages. */
  readonly servers: Resource<ServerRow[]>;

  constructor(readonly backend: Backend) {
    this.hub = new Hub(backend);
    this.settings = new Settings(backend, this.hub);
    this.inbox = new Inbox(backend, this.hub, inField);
    this.servers = new Resource(() => backend.listServers());
    this.servers.follow(this.hub, ['servers', 'tools']);
  }

  /** Fetches what the frame shows. */
  async start(): Promise<void> {
    await Promise.all([this.settings.app.refresh(), this.servers.refresh(), this.inbox.refresh()]);
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
