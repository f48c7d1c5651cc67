// What the search finds, and where each thing found leads. Pages, servers and actions are here; tools are asked for.

import type { ToolRow } from '@/backend/backend';
import { t } from '@/i18n/index.svelte';
import type { App } from '@/state/app';
import { profileName } from '@/state/profiles.svelte';
import { pages, settingsSections } from '@/state/shell.svelte';
import { toolKey } from '@/state/tools.svelte';
import type { IconName } from '@/ui/icons';
import { pageIcons } from './icons';

export type GroupName = 'pages' | 'chats' | 'actions' | 'servers' | 'tools';

export interface Target {
  key: string;
  icon: IconName;
  /** The server's words for servers and tools, the catalogue's otherwise. */
  text: string;
  detail: string;
  go(): void;
}

export interface Group {
  name: GroupName;
  targets: Target[];
}

const most = { chats: 8, servers: 8, tools: 20 };
const pauseMs = 120;

export class Jump {
  query = $state('');

  readonly #app: App;
  /** The tools that were asked for last, and by which words: those of other words are none of these. */
  #found = $state.raw<{ text: string; tools: readonly ToolRow[] }>({ text: '', tools: [] });
  #asked = 0;

  constructor(app: App) {
    this.#app = app;
  }

  get groups(): Group[] {
    const text = this.query.trim().toLowerCase();
    const named = (targets: Target[]) => targets.filter((target) => target.text.toLowerCase().includes(text));
    const groups: Group[] = [
      { name: 'pages', targets: named(this.#pages()) },
      { name: 'chats', targets: text === '' ? [] : named(this.#chats()).slice(0, most.chats) },
      { name: 'servers', targets: named(this.#servers()).slice(0, most.servers) },
      { name: 'tools', targets: this.#found.text === text ? this.#found.tools.map((tool) => this.#tool(tool)) : [] },
      { name: 'actions', targets: named(this.#actions()) },
    ];
    return groups.filter(({ targets }) => targets.length > 0);
  }

  /** Asks for the tools of that name after a short pause; returns how to give up. */
  search(query: string): () => void {
    const mine = ++this.#asked;
    const text = query.trim();
    const ask = async () => {
      const page = await this.#app.backend.listTools({ text, serverId: '', offset: 0, limit: most.tools });
      if (mine === this.#asked) this.#found = { text: text.toLowerCase(), tools: page.rows };
    };
    const timer = text === '' ? undefined : setTimeout(() => void ask().catch(() => undefined), pauseMs);
    return () => clearTimeout(timer);
  }

  #pages(): Target[] {
    const { shell } = this.#app;
    return pages.map((page) => ({
      key: `page-${page}`,
      icon: pageIcons[page],
      text: t().common.pages[page],
      detail: '',
      go: () => shell.go({ page }),
    }));
  }

  #chats(): Target[] {
    const { chats } = this.#app;
    return (chats.list.value ?? []).map(({ id, title }) => ({
      key: `chat-${id}`,
      icon: 'chat' as const,
      text: title || t().chat.newTitle,
      detail: '',
      go: () => void this.#app.openChat(id),
    }));
  }

  #servers(): Target[] {
    const { shell, servers } = this.#app;
    return (servers.value ?? []).map(({ id, name, origin }) => ({
      key: `server-${id}`,
      icon: 'server' as const,
      text: name,
      detail: origin,
      go: () => shell.go({ page: 'servers', id }),
    }));
  }

  #tool(tool: ToolRow): Target {
    const { serverId, serverName, name } = tool;
    const go = () => this.#app.shell.go({ page: 'tools', serverId, name, focus: true });
    return { key: `tool-${toolKey(tool)}`, icon: 'tool', text: name, detail: serverName, go };
  }

  #actions(): Target[] {
    const { shell, backend, profiles } = this.#app;
    const words = t().shell.jump;
    const action = (key: string, icon: IconName, text: string, go: () => void): Target => {
      return { key: `action-${key}`, icon, text, detail: '', go };
    };
    return [
      action('new-chat', 'chat', words.newChat, () => void this.#app.newChat()),
      action('manual', 'user', words.manual, () => void this.#app.playModel()),
      action('add', 'plus', words.addServer, () => shell.go({ page: 'servers', add: true })),
      action('demo', 'play', words.addDemo, () =>
        this.#do(async () => shell.go({ page: 'servers', id: await backend.addDemo() })),
      ),
      action('refresh', 'refresh', words.refreshTools, () => this.#do(() => backend.refreshTools(''))),
      ...profiles.all
        .filter(({ id }) => id !== profiles.current?.id)
        .map((profile) =>
          action(`profile-${profile.id}`, 'check', t().profiles.switchTo(profileName(profile)), () =>
            this.#do(() => profiles.switchTo(profile)),
          ),
        ),
      action('profiles', 'pen', t().profiles.manage, () => (shell.overlay = 'profiles')),
      action('shortcuts', 'keys', words.shortcuts, () => (shell.overlay = 'shortcuts')),
      ...settingsSections.map((section) =>
        action(section, 'gear', words.settings(t().settings.sections[section]), () =>
          shell.go({ page: 'settings', section }),
        ),
      ),
    ];
  }

  #do(action: () => Promise<unknown>): void {
    void this.#app.attempt(action);
  }
}
