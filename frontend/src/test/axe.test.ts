// Every screen against the rules of axe-core. Contrast needs layout, which jsdom has not: it is a matter of tokens.css.

import axe from 'axe-core';
import { afterEach, expect, it, vi } from 'vitest';
import type { FakeBackend } from '@/backend/fake';
import { requests } from '@/backend/fake/requests';
import { setLocale } from '@/i18n/index.svelte';
import type { App } from '@/state/app';
import { settingsSections, type Route } from '@/state/shell.svelte';
import { openPage } from './page';

interface Screen {
  route: Route;
  prepare?: (backend: FakeBackend) => void;
  then?: (app: App) => void;
}

const chat: Route = { page: 'chat' };
const empty = (backend: FakeBackend) => void Object.assign(backend, { servers: [], tools: [], journal: [] });
const waiting = (backend: FakeBackend) => void (backend.requests = structuredClone(requests));

const twoProfiles = (backend: FakeBackend) => {
  backend.profiles.push({ id: 'work', name: 'Work', servers: ['srv-pg'] });
  backend.servers.find(({ id }) => id === 'srv-notes')!.aside = true;
};

const screens: Record<string, Screen> = {
  welcome: { route: chat, prepare: (backend) => (backend.app.firstRun = true) },
  inbox: { route: { page: 'inbox' }, prepare: waiting },
  'inbox, empty': { route: { page: 'inbox' } },
  chat: { route: chat },
  servers: { route: { page: 'servers', id: 'srv-shell' } },
  'servers, a crash': { route: { page: 'servers', id: 'srv-quay' } },
  'servers, empty': { route: { page: 'servers' }, prepare: empty },
  'server form': { route: { page: 'servers', add: true } },
  tools: { route: { page: 'tools', serverId: 'srv-shell', name: 'run_script' } },
  'tools, empty': { route: { page: 'tools' }, prepare: empty },
  history: { route: { page: 'history', id: 'dec-3' } },
  ...Object.fromEntries(
    settingsSections.map((section) => [section, { route: { page: 'settings', section } }] as const),
  ),
  jump: { route: chat, then: (app) => (app.shell.overlay = 'jump') },
  shortcuts: { route: chat, then: (app) => (app.shell.overlay = 'shortcuts') },
  profiles: { route: chat, prepare: twoProfiles, then: (app) => (app.shell.overlay = 'profiles') },
  'profiles, calls would stop': {
    route: chat,
    prepare: (backend) => {
      twoProfiles(backend);
      backend.running = [{ id: 'call-1', serverName: 'Shell', tool: 'run_script', state: 'running' }];
    },
    then: (app) => void app.profiles.switchTo(app.profiles.all[1]!),
  },
  'servers of another profile': { route: { page: 'servers', id: 'srv-notes' }, prepare: twoProfiles },
  'gate, launch': { route: chat, prepare: waiting, then: (app) => app.inbox.review('req-tide') },
  'gate, call': { route: chat, prepare: waiting, then: (app) => app.inbox.review('req-shell') },
};

afterEach(() => {
  setLocale('en');
  vi.useRealTimers();
});

it.each(Object.entries(screens))('%s', async (_, { route, prepare, then }) => {
  const { app, pass } = await openPage(route, prepare);
  then?.(app);
  await pass(300);
  vi.useRealTimers();
  const found = await axe.run(document, { rules: { 'color-contrast': { enabled: false } } });
  expect(found.violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])).toEqual([]);
});
