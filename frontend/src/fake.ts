// The page over the fake back end, for screenshots: /fake.html?theme=dark&language=zh-Hans&page=inbox&open=req-shell,
// and for the walks through every screen: fake.show('inbox, empty').

import '@/styles/tokens.css';
import '@/styles/app.css';
import { mount, unmount } from 'svelte';
import AppFrame from '@/App.svelte';
import type { Language, Theme } from '@/backend/backend';
import { FakeBackend } from '@/backend/fake';
import { hostileCall, hostileLaunch } from '@/backend/fake/hostile';
import { catalogues, formats } from '@/i18n/index.svelte';
import { App } from '@/state/app';
import { pages, settingsSections, type Overlay } from '@/state/shell.svelte';
import { inMood } from '@/test/moods';
import { pseudo, pseudoFormats } from '@/test/pseudo';
import type { Screen } from '@/test/screen';
import { screens } from '@/test/screens';

const query = new URLSearchParams(location.search);
const language = query.get('language') ?? 'en';
if (language === 'pseudo') {
  catalogues.en = pseudo(catalogues.en);
  formats.en = pseudoFormats(formats.en);
}

let frame: Record<string, unknown> | undefined;
const fake = {
  names: Object.keys(screens),
  screens,
  show,
  app: undefined as App | undefined,
  letGo: (): void => undefined,
};
// For whoever drives this page: let requests arrive, look at what was called.
Object.assign(window, { fake });

/** Shows a screen in place of the one before. */
async function show(name: string): Promise<void> {
  if (frame) await unmount(frame);
  const screen = screens[name] as Screen;
  const backend = new FakeBackend();
  backend.requests = [];
  dress(backend);
  screen.prepare?.(backend);
  const moody = inMood(backend, screen.mood ?? {});
  fake.letGo = moody.letGo;
  const app = (fake.app = new App(moody.backend));
  app.shell.go(screen.route);
  const started = app.start();
  if (!screen.mood?.holds) await started;
  frame = mount(AppFrame, { target: document.body, props: { app } });
  await screen.then?.(app, backend);
}

function dress(backend: FakeBackend): void {
  backend.app.theme = (query.get('theme') ?? 'light') as Theme;
  backend.app.language = (language === 'pseudo' ? 'en' : language) as Language;
  backend.app.textSize = Number(query.get('size') ?? 100);
}

/** One screen as the query describes it. */
async function showQuery(): Promise<void> {
  const backend = new FakeBackend();
  dress(backend);
  if (query.has('hostile')) backend.requests.push(hostileCall, hostileLaunch);
  backend.app.firstRun = query.has('welcome');
  if (query.get('outcome') === 'running') {
    backend.outcome = { state: 'running', progress: { done: 41_200, total: 66_000, message: 'Reading arrivals' } };
  }
  const app = new App(backend);
  await app.start();
  Object.assign(fake, { app, backend });
  const page = pages.find((name) => name === query.get('page'));
  if (page) app.shell.go({ page });
  const section = settingsSections.find((name) => name === query.get('section'));
  if (section) app.shell.go({ page: 'settings', section });
  app.shell.overlay = (query.get('overlay') ?? '') as Overlay;
  const open = query.get('open');
  if (open) app.inbox.review(open);
  frame = mount(AppFrame, { target: document.body, props: { app } });
}

if (!query.has('walk')) await showQuery();
