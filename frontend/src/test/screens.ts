// Every screen of the window, and how to come there over the fake back end: for the walks in Chromium through strings,
// fit, sizes and the rules of axe (e2e/screens.spec.ts).

import { tick } from 'svelte';
import type { FakeBackend } from '@/backend/fake';
import { ledgerRootAdd, ledgerRoots, ledgerVisit, lookAlikeVisit, notesSample, openVisit } from '@/backend/fake/asks';
import { hostileCall, hostileLaunch } from '@/backend/fake/hostile';
import { quayForm, requests } from '@/backend/fake/requests';
import type { PendingItem } from '@/backend/backend';
import { t } from '@/i18n/index.svelte';
import type { App } from '@/state/app';
import { settingsSections, type Route } from '@/state/shell.svelte';
import { errorCard, loading, type Screen } from './screen';
import { work } from './work-screens';

const chat: Route = { page: 'chat' };
const gate = '[role=alertdialog] .gfoot';

const empty = (backend: FakeBackend) => void Object.assign(backend, { servers: [], tools: [], journal: [] });
const waiting = (backend: FakeBackend) => void (backend.requests = structuredClone(requests));
const hostile = (backend: FakeBackend) => void (backend.requests = structuredClone([hostileCall, hostileLaunch]));
const twoProfiles = (backend: FakeBackend) => {
  backend.profiles.push({ id: 'work', name: 'Work', servers: ['srv-pg'] });
  backend.servers.find(({ id }) => id === 'srv-notes')!.aside = true;
};
const several = ({ talks }: FakeBackend) => {
  talks.all.push({ ...talks.all[0]!, id: 'chat-2', title: 'Tide tables', busy: true, waiting: 'decision' });
  talks.all.push({ ...talks.all[0]!, id: 'chat-3', title: '', busy: true, waiting: 'user' });
};
const silent = (backend: FakeBackend) => void (backend.talk.items = []);

const words = (each: Element) =>
  (each.getAttribute('aria-label') ?? each.getAttribute('title') ?? each.textContent).replace(/\s+/g, ' ').trim();

/** Presses what has these words, in the topmost dialog if there is one, once it is there. */
async function press(text: string, what = 'button, [role=option]'): Promise<void> {
  for (let tries = 0; tries < 50; tries++) {
    const root = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document;
    const found = [...root.querySelectorAll<HTMLElement>(what)].find((each) => words(each).startsWith(text));
    if (found) {
      found.click();
      await tick();
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`nothing to press: ${text}`);
}

const asks =
  (...items: PendingItem[]) =>
  (backend: FakeBackend) =>
    void (backend.requests = structuredClone(items));
const review = (id: string) => (app: App) => app.inbox.review(id);
const oneTool: Route = { page: 'tools', serverId: 'srv-shell', name: 'run_script' };

export const screens: Record<string, Screen> = {
  welcome: { route: chat, prepare: (backend) => (backend.app.firstRun = true) },

  inbox: { route: { page: 'inbox' }, prepare: waiting },
  'inbox, empty': { route: { page: 'inbox' } },
  'inbox, deny all': {
    route: { page: 'inbox' },
    prepare: waiting,
    then: () => press(t().consent.inbox.denyAll),
    shows: 'dialog[open]',
  },
  'inbox, failing': { route: { page: 'inbox' }, mood: { fails: { pending: 'internal' } }, shows: errorCard },

  chat: { route: chat, shows: '[role=log]' },
  'chat, empty': { route: chat, prepare: silent, shows: '.start' },
  'chat, several': {
    route: chat,
    prepare: several,
    then: () => press(t().chat.list('October berth delays')),
    shows: '.menu',
  },
  'chat, removing': {
    route: chat,
    then: async () => {
      await press(t().chat.list('October berth delays'));
      await press(t().chat.remove, '[role=menuitem]');
    },
    shows: 'dialog[open]',
  },
  'chat, no servers': { route: chat, prepare: (b) => (empty(b), silent(b)), shows: '.start' },
  'chat, slow': { route: chat, mood: { holds: ['chat'] }, shows: loading },
  'chat, failing': { route: chat, mood: { fails: { chat: 'timeout' } }, shows: errorCard },
  ...work,
  'chat, composing': {
    route: chat,
    then: (app) => app.conversation.call.open('srv-notes', 'publish'),
    shows: '.card.open',
  },

  servers: { route: { page: 'servers', id: 'srv-pg' }, shows: '.details' },
  'servers, crash': { route: { page: 'servers', id: 'srv-shell' }, shows: '.crash' },
  'servers, instructions changed': {
    route: { page: 'servers', id: 'srv-notes' },
    then: () => press(t().servers.instructions.review, 'section button'),
    shows: '.review .diff',
  },
  'servers, starting': { route: { page: 'servers', id: 'srv-quay' }, shows: '.details' },
  'servers, its tools': {
    route: { page: 'servers', id: 'srv-ledger' },
    then: () => press(t().servers.tabs.tools, '[role=tab]'),
    shows: '.details',
  },
  'servers, log': {
    route: { page: 'servers', id: 'srv-shell' },
    then: () => press(t().servers.tabs.log, '[role=tab]'),
    shows: '.details',
  },
  'servers, log messages': {
    route: { page: 'servers', id: 'srv-pg' },
    then: () => press(t().servers.tabs.log, '[role=tab]'),
    shows: '.details [role=log]',
  },
  'servers, menu': {
    route: { page: 'servers', id: 'srv-notes' },
    then: () => press(t().servers.more),
    shows: '.menu',
  },
  'servers, empty': { route: { page: 'servers' }, prepare: empty, shows: '.empty' },
  'servers, slow': { route: { page: 'servers' }, mood: { holds: ['listServers'] }, shows: loading },
  'server, slow': { route: { page: 'servers', id: 'srv-pg' }, mood: { holds: ['server'] }, shows: loading },
  'servers, failing': { route: { page: 'servers' }, mood: { fails: { listServers: 'internal' } }, shows: errorCard },
  'server form': { route: { page: 'servers', add: true }, shows: 'form' },
  'server form, faults': {
    route: { page: 'servers', add: true },
    then: () => press(t().servers.form.submitAdd),
    shows: 'form',
  },
  'server form, advanced': {
    route: { page: 'servers', add: true },
    then: async () => {
      await press(t().servers.form.remote, '[role=radio]');
      document.querySelector('form details')!.setAttribute('open', '');
      const box = document.querySelector<HTMLTextAreaElement>('form details textarea')!;
      box.value = '/etc/harbour/ca.pem';
      box.dispatchEvent(new Event('input', { bubbles: true }));
    },
    shows: 'form details',
  },

  tools: { route: oneTool, shows: 'aside .foot' },
  'tools, definition': {
    route: oneTool,
    then: () => press(t().tools.run.tabs.definition, '[role=tab]'),
    shows: 'aside .foot',
  },
  'tools, result': {
    route: { page: 'tools', serverId: 'srv-figures', name: 'plot_series' },
    then: (app) => void app.toolRun.watch.follow('call-1'),
    shows: 'aside .result',
  },
  'tools, empty': { route: { page: 'tools' }, prepare: empty, shows: '.empty' },
  'tools, slow': { route: { page: 'tools' }, mood: { holds: ['listTools'] }, shows: loading },
  'tool, slow': { route: oneTool, mood: { holds: ['tool'] }, shows: loading },
  'tools, failing': { route: { page: 'tools' }, mood: { fails: { listTools: 'timeout' } }, shows: errorCard },

  resources: {
    route: { page: 'resources' },
    then: async (app) => {
      app.resourceBrowser.open('srv-notes notes://files/tide-table.md');
      await app.resourceBrowser.read('srv-notes', 'notes://files/tide-table.md');
    },
    shows: '.details .untrusted .ln',
  },
  'resources, not read': {
    route: { page: 'resources' },
    then: (app) => app.resourceBrowser.open('srv-pg pg://schema.sql'),
    shows: '.details .untrusted',
  },
  'resources, a template': {
    route: { page: 'resources' },
    then: (app) => app.resourceBrowser.open('srv-notes {} notes://shift/{date}/{watch}{?page}'),
    shows: '.details form',
  },
  'resources, a server': {
    route: { page: 'resources' },
    then: (app) => app.resourceBrowser.open('srv-pg'),
    shows: '.details .note',
  },
  'resources, empty': { route: { page: 'resources' }, prepare: empty, shows: '.empty' },
  'resources, failing': {
    route: { page: 'resources' },
    mood: { fails: { listResources: 'timeout' } },
    then: (app) => app.resourceBrowser.open('srv-pg'),
    shows: errorCard,
  },

  roots: { route: { page: 'roots' }, shows: '.matrix' },
  'roots, empty': { route: { page: 'roots' }, prepare: (backend) => void (backend.folders = []), shows: '.empty' },
  'roots, slow': { route: { page: 'roots' }, mood: { holds: ['roots'] }, shows: loading },
  'roots, failing': { route: { page: 'roots' }, mood: { fails: { roots: 'timeout' } }, shows: errorCard },

  history: { route: { page: 'history', id: 'dec-3' }, shows: 'aside .steps' },
  'history, list': { route: { page: 'history' }, shows: '[role=option]' },
  'history, empty': { route: { page: 'history' }, prepare: empty, shows: '.empty' },
  'history, slow': { route: { page: 'history' }, mood: { holds: ['history'] }, shows: loading },
  'entry, slow': { route: { page: 'history', id: 'dec-3' }, mood: { holds: ['historyEntry'] }, shows: loading },
  'history, failing': { route: { page: 'history' }, mood: { fails: { history: 'data-corrupt' } }, shows: errorCard },

  trace: {
    route: { page: 'trace', serverId: 'srv-pg' },
    then: async (app) => (await tick(), app.trace.open(6)),
    shows: 'aside .untrusted .ln',
  },
  'trace, does not fit': {
    route: { page: 'trace' },
    then: async (app) => (await tick(), app.trace.open(3)),
    shows: 'aside .faults',
  },
  'trace, all servers': { route: { page: 'trace' }, shows: '[role=option]' },
  'trace, over HTTP': {
    route: { page: 'trace' },
    then: async (app) => {
      app.trace.open(14);
      await press(t().trace.tabs.request, '[role=tab]');
    },
    shows: 'aside section',
  },
  'trace, timing': {
    route: { page: 'trace' },
    then: async (app) => {
      app.trace.open(14);
      await press(t().trace.tabs.timing, '[role=tab]');
    },
    shows: 'aside li',
  },
  'trace, cut': { route: { page: 'trace' }, then: (app) => app.trace.open(14), shows: 'aside .untrusted' },
  'trace, export': { route: { page: 'trace' }, then: () => press(t().trace.export), shows: 'dialog[open]' },
  'trace, clear': { route: { page: 'trace' }, then: () => press(t().trace.clear), shows: 'dialog[open]' },
  'trace, empty': { route: { page: 'trace' }, prepare: (backend) => void (backend.traced = []), shows: '.empty' },
  'trace, an old call': { route: { page: 'trace', call: 'call-old' }, shows: '.empty' },
  'trace, slow': { route: { page: 'trace' }, mood: { holds: ['readTrace'] }, shows: loading },
  'trace entry, slow': {
    route: { page: 'trace' },
    mood: { holds: ['traceEntry'] },
    then: (app) => app.trace.open(6),
    shows: loading,
  },
  'trace entry, gone': {
    route: { page: 'trace' },
    mood: { fails: { traceEntry: 'trace-gone' } },
    then: (app) => app.trace.open(6),
    shows: errorCard,
  },
  'trace, failing': { route: { page: 'trace' }, mood: { fails: { readTrace: 'internal' } }, shows: errorCard },

  ...Object.fromEntries(
    settingsSections.map((section) => [`settings, ${section}`, { route: { page: 'settings', section } }] as const),
  ),
  'settings, own proxy': {
    route: { page: 'settings', section: 'advanced' },
    prepare: (b) =>
      void (b.networkSettings = {
        proxy: 'own',
        address: 'proxy.harbour.example:3128',
        except: '.harbour.example',
        authorities: ['/etc/harbour/ca.pem'],
      }),
    shows: '.setting textarea',
  },
  'settings, seal': {
    route: { page: 'settings', section: 'consent' },
    then: () => press(t().settings.sealChange),
    shows: 'dialog[open]',
  },
  'settings, parts': {
    route: { page: 'settings', section: 'about' },
    then: () => press(t().settings.partsShow),
    shows: '.parts table',
  },
  'settings, licence': {
    route: { page: 'settings', section: 'about' },
    then: () => press(t().settings.licenceShow),
    shows: 'dialog[open] pre',
  },
  'window, slow': { route: chat, mood: { holds: ['state'] }, shows: loading },
  'window, failing': { route: chat, mood: { fails: { state: 'data-newer' } }, shows: errorCard },

  profiles: {
    route: chat,
    prepare: twoProfiles,
    then: (app) => void (app.shell.overlay = 'profiles'),
    shows: 'dialog[open]',
  },
  'profiles, menu': {
    route: chat,
    prepare: twoProfiles,
    then: () => press(t().profiles.menu(t().profiles.first)),
    shows: '.menu',
  },
  'profiles, calls would stop': {
    route: chat,
    prepare: (backend) => {
      twoProfiles(backend);
      backend.running = [{ id: 'call-1', serverName: 'Shell', tool: 'run_script', state: 'running' }];
    },
    then: (app) => void app.profiles.switchTo(app.profiles.all[1]!),
    shows: 'dialog[open]',
  },
  'servers of another profile': {
    route: { page: 'servers', id: 'srv-notes' },
    prepare: twoProfiles,
    shows: '.details',
  },
  leaving: {
    route: chat,
    then: (_, backend) => {
      const since = new Date().toISOString();
      backend.way = {
        state: 'asked',
        work: [
          { kind: 'call', server: 'Shell', tool: 'run_script', since },
          { kind: 'request', server: 'Tide archive', tool: '', since },
        ],
      };
      backend.emit('leaving');
    },
    shows: 'dialog[open] .work',
  },
  jump: { route: chat, then: (app) => void (app.shell.overlay = 'jump'), shows: 'dialog[open] [role=option]' },
  shortcuts: { route: chat, then: (app) => void (app.shell.overlay = 'shortcuts'), shows: 'dialog[open]' },
  toasts: {
    route: chat,
    then: (app) => app.shell.toasts.add(t().common.copied, { undo: () => undefined }),
    shows: '.toast',
  },
  notices: {
    route: chat,
    prepare: (backend) => {
      backend.app.notices = [
        { code: 'keyring-session', detail: '' },
        { code: 'second-window', detail: '' },
      ];
    },
    shows: '.notice',
  },

  'gate, launch': { route: chat, prepare: waiting, then: review('req-tide'), shows: gate },
  'gate, form': {
    route: chat,
    prepare: (backend) => void (backend.requests = [structuredClone(quayForm)]),
    then: review('req-quay'),
    shows: gate,
  },
  'gate, address': { route: chat, prepare: asks(ledgerVisit), then: review('req-ledger'), shows: gate },
  'gate, look-alike': { route: chat, prepare: asks(lookAlikeVisit), then: review('req-alike'), shows: gate },
  'gate, model request': { route: chat, prepare: asks(notesSample), then: review('req-sample'), shows: gate },
  'gate, model answer': {
    route: chat,
    prepare: asks(notesSample),
    then: async (app) => {
      app.inbox.review('req-sample');
      while (!document.querySelector('[role=alertdialog] textarea')) {
        await press(t().asks.sample.write); // it does nothing before the gate is armed
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    shows: '[role=alertdialog] textarea',
  },
  'gate, folders': { route: chat, prepare: asks(ledgerRoots), then: review('req-roots'), shows: gate },
  'gate, a folder to add': {
    route: chat,
    prepare: asks(ledgerRootAdd),
    then: review('req-root-add'),
    shows: gate,
  },
  'gate, visit': { route: chat, prepare: asks(openVisit), then: review('visit-ledger'), shows: gate },
  'gate, call': { route: chat, prepare: waiting, then: review('req-shell'), shows: gate },
  'gate, changed definition': { route: chat, prepare: waiting, then: review('req-notes'), shows: gate },
  'gate, hostile call': { route: chat, prepare: hostile, then: review('req-hostile'), shows: gate },
  'gate, hostile launch': { route: chat, prepare: hostile, then: review('req-hostile-launch'), shows: gate },
  'gate, editing': {
    route: chat,
    prepare: waiting,
    then: async (app) => {
      app.inbox.review('req-shell');
      await press(t().consent.edit);
    },
    shows: gate,
  },
  'gate, withdrawn': {
    route: chat,
    prepare: waiting,
    then: async (app, backend) => {
      app.inbox.review('req-tide');
      await tick();
      backend.withdraw('req-tide');
    },
    shows: '[role=alertdialog] .news',
  },
};
