// The page over the fake back end, for screenshots: /fake.html?theme=dark&language=zh-Hans&page=inbox&open=req-shell

import '@/styles/tokens.css';
import '@/styles/app.css';
import { mount } from 'svelte';
import AppFrame from '@/App.svelte';
import type { Language, Theme } from '@/backend/backend';
import { FakeBackend } from '@/backend/fake';
import { hostileCall, hostileLaunch } from '@/backend/fake/hostile';
import { App } from '@/state/app';
import { pages, settingsSections, type Overlay } from '@/state/shell.svelte';

const query = new URLSearchParams(location.search);
const backend = new FakeBackend();
backend.app.theme = (query.get('theme') ?? 'light') as Theme;
backend.app.language = (query.get('language') ?? 'en') as Language;

if (query.has('hostile')) backend.requests.push(hostileCall, hostileLaunch);

backend.app.firstRun = query.has('welcome');
if (query.get('outcome') === 'running') {
  backend.outcome = { state: 'running', progress: { done: 41_200, total: 66_000, message: 'Reading arrivals' } };
}

const app = new App(backend);
await app.start();
// For whoever drives this page: let requests arrive, look at what was called.
Object.assign(window, { fake: { app, backend } });

const page = pages.find((name) => name === query.get('page'));
if (page) app.shell.go({ page });
const section = settingsSections.find((name) => name === query.get('section'));
if (section) app.shell.go({ page: 'settings', section });
app.shell.overlay = (query.get('overlay') ?? '') as Overlay;
const open = query.get('open');
if (open) app.inbox.review(open);
mount(AppFrame, { target: document.getElementById('app') ?? document.body, props: { app } });
