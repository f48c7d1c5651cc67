import { fireEvent, screen } from '@testing-library/svelte';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { BackendFailure } from '@/backend/errors';
import { setLocale } from '@/i18n/index.svelte';
import type { SettingsSection } from '@/state/shell.svelte';
import { buttonOf, openPage } from '@/test/page';

const open = (section?: SettingsSection) => openPage({ page: 'settings', ...(section && { section }) });
const rows = () => [...document.querySelectorAll('.setting .b')].map((row) => row.textContent);
const search = () => document.querySelector<HTMLInputElement>('.sections input')!;

afterEach(() => {
  setLocale('en');
  vi.useRealTimers();
});

it('moves through the sections by arrows, J, K, Home and End', async () => {
  const { key, app } = await openPage({ page: 'settings' });
  const here = () => document.querySelector('.sections [aria-current]')!;
  for (const [press, section] of [
    ['ArrowDown', 'appearance'],
    ['j', 'consent'],
    ['k', 'appearance'],
    ['End', 'about'],
    ['Home', 'general'],
  ] as const) {
    await key(here(), press);
    expect(app.shell.route).toMatchObject({ section });
    expect(here()).toHaveFocus();
  }
  expect(document.querySelectorAll('.sections button[tabindex="0"]')).toHaveLength(1);
});

describe('settings', () => {
  it('changes the theme of the document', async () => {
    const { backend, press, pass } = await open('appearance');
    await press(screen.getByText('Dark'));
    await pass(1);
    expect(document.documentElement.dataset['theme']).toBe('dark');
    expect(backend.app.theme).toBe('dark');
    expect(screen.getByText('Dark')).toHaveAttribute('aria-checked', 'true');
  });

  it('changes the language at once, by arrow keys too', async () => {
    const { key, pass } = await open();
    await key(screen.getByText('English'), 'ArrowRight');
    await pass(1);
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('设置');
    expect(document.documentElement.lang).toBe('zh-CN');
  });

  it('switches notifications, where there are any', async () => {
    const { backend, press, pass } = await open('consent');
    const toggle = () => document.querySelector('[role=switch]');
    expect(toggle()).toHaveAttribute('aria-checked', 'true');
    await press(toggle() as HTMLElement);
    await pass(1);
    expect(backend.app.notify).toBe('off');
    expect(toggle()).toHaveAttribute('aria-checked', 'false');
    backend.app.notify = '';
    backend.emit('app');
    await pass(1);
    expect(toggle()).toBeNull();
  });

  it('follows the system until the user chooses', async () => {
    const { app, backend, pass } = await open();
    backend.app.language = 'system';
    backend.app.systemLanguage = 'zh-CN';
    backend.emit('app');
    await pass(1);
    expect(document.documentElement.lang).toBe('zh-CN');
    expect(app.settings.app.value?.language).toBe('system');
  });

  it('says why a change did not work', async () => {
    const { app, backend, press, pass } = await open('appearance');
    backend.setTheme = async () => Promise.reject(new BackendFailure('data-read-only', '', ''));
    await press(screen.getByText('Dark'));
    await pass(1);
    expect(app.shell.toasts.shown[0]?.text).toMatch(/^The data folder cannot be written/);
  });

  it('keeps another seal only when it is used', async () => {
    const { backend, press, pass } = await open('consent');
    const dialog = () => document.querySelector('dialog.plain');
    const anchor = () => dialog()!.querySelector<HTMLElement>('[aria-label=Anchor]')!;
    await press(buttonOf(/^Change…$/));
    await press(anchor());
    await press(buttonOf(/^Cancel$/));
    expect(dialog()).toBeNull();
    expect(backend.app.seal.picture).toBe('sailboat');

    await press(buttonOf(/^Change…$/));
    await press(anchor());
    await fireEvent.submit(dialog()!.querySelector('form')!);
    await pass(1);
    expect(dialog()).toBeNull();
    expect(backend.app.seal).toEqual({ picture: 'anchor', word: 'anchor' });
    expect(rows()[0]).toBe('Your seal: Anchor');
  });

  it('finds a setting in every section, and says when there is none', async () => {
    const { type, press } = await open();
    await type(search(), 'telemetry');
    expect(rows()).toEqual(['Gatehouse itself sends nothing']);
    await type(search(), 'in flight');
    expect(rows()).toEqual([]);
    await type(search(), 'at once');
    expect(rows()).toEqual(['Calls a server runs at once']);
    await type(search(), 'hidden char');
    expect(rows()).toEqual(['Show hidden characters']);
    await type(search(), 'nothing of that kind');
    expect(rows()).toEqual([]);
    expect(document.querySelector('.page [role=status]')).toHaveTextContent('No setting has that name.');
    await press(buttonOf(/^Appearance$/));
    expect(search().value).toBe('');
    expect(rows()).toEqual(['Theme', 'Text size']);
  });

  it('says in numbers what was decided, as it changes, and leads to the history', async () => {
    const { app, backend, press, pass } = await open('consent');
    const numbers = () => [...document.querySelectorAll('aside dt, aside dd')].map((each) => each.textContent);
    expect(document.querySelector('aside h2')).toHaveTextContent('In numbers, last 14 days');
    expect(numbers()).toEqual(['Asked', '3', 'Denied', '1', 'Edited first', '0']);
    Object.assign(backend.journal[1]!, { by: 'standing launch consent', edited: true });
    backend.emit('history');
    await pass();
    expect(numbers()).toEqual(['Asked', '2', 'By a rule', '1', 'Denied', '1', 'Edited first', '1']);
    await press(buttonOf(/^History$/, document.querySelector('aside')!));
    expect(app.shell.route).toEqual({ page: 'history' });
  });

  it('shows the shortcuts', async () => {
    const { app, press } = await open();
    await press(buttonOf(/^Show ?\?$/));
    expect(app.shell.overlay).toBe('shortcuts');
  });
});

describe('about', () => {
  async function openAbout() {
    const page = await open('about');
    await vi.waitFor(() => expect(rows()).toContain('Built from'));
    return page;
  }

  it('says version and data folder, and copies its path', async () => {
    const { backend, press } = await openAbout();
    expect(rows()).toEqual(['Version', 'Data folder', 'Licence', 'Built from', 'Bill of materials']);
    await press(buttonOf(/^Copy the path$/));
    expect(backend.copied).toBe(backend.app.dataDir);
  });

  it('shows its own licence', async () => {
    const { press } = await openAbout();
    await press(buttonOf(/^Read the licence$/));
    expect(document.querySelector('dialog pre')).toHaveTextContent(/^MIT License.*Gatehouse authors/);
  });

  it('lists what it is built from, with the licence of each', async () => {
    const { press, type } = await openAbout();
    await press(buttonOf(/^Show the list$/));
    const field = document.querySelector<HTMLInputElement>('.parts input')!;
    await type(field, 'modernc.org/sqlite');
    expect([...document.querySelectorAll('.parts .name')].map((cell) => cell.textContent)).toEqual([
      'modernc.org/sqlite',
    ]);
    await press(buttonOf(/^BSD-3-Clause/));
    expect(document.querySelector('dialog h2')).toHaveTextContent('Licence of modernc.org/sqlite');
    expect(document.querySelector('dialog pre')).toHaveTextContent(/The Sqlite Authors/i);
  });

  it('shows the bill of materials, copies and saves it', async () => {
    const { backend, press } = await openAbout();
    await press(buttonOf(/^Show$/, document.querySelector('section')!));
    const row = [...document.querySelectorAll('.bill tr')].find((each) =>
      each.textContent.includes('modernc.org/sqlite@'),
    )!;
    expect([...row.querySelectorAll('td')].map((cell) => cell.textContent)).toEqual([
      'modernc.org/sqlite',
      expect.stringMatching(/^v1/),
      'BSD-3-Clause',
      expect.stringMatching(/^pkg:golang\/modernc\.org\/sqlite@v1/),
    ]);
    await press(buttonOf(/^Copy the bill of materials$/));
    expect(JSON.parse(backend.copied)).toMatchObject({ specVersion: '1.6' });
    await press(buttonOf(/^Save…$/));
    expect(backend.saved[0]).toEqual(['gatehouse-0.1.0.cdx.json', backend.copied]);
  });
});

describe('servers', () => {
  const field = (title: RegExp) =>
    [...document.querySelectorAll('.setting')].find((row) => title.test(row.textContent))!.querySelector('input')!;
  const enter = async (input: HTMLInputElement, text: string) => {
    await fireEvent.input(input, { target: { value: text } });
    await fireEvent.change(input);
    await vi.advanceTimersByTimeAsync(0);
  };

  it('keeps a number within its range, and says what the range is', async () => {
    const { backend } = await open('servers');
    const input = field(/without progress/);
    expect(input).toHaveAccessibleName('Stop a call without progress after');
    expect(input.value).toBe('5');
    await enter(input, '10');
    expect(backend.defaults.inactiveMin).toBe(10);
    for (const bad of ['0', '121', '2.5', '']) {
      await enter(input, bad);
      expect(input).toHaveAttribute('aria-invalid', 'true');
      expect(input).toHaveAccessibleDescription(/A whole number from 1 to 120\./);
      expect(backend.defaults.inactiveMin).toBe(10);
    }
    await enter(input, '120');
    expect(input).toHaveAttribute('aria-invalid', 'false');
    expect(backend.defaults).toMatchObject({ inactiveMin: 120, totalMin: 60 });
  });

  it('resets at once, and back', async () => {
    const { backend, press, pass } = await open('servers');
    const reset = () => buttonOf(/^Reset$/);
    expect(reset()).toHaveAttribute('aria-disabled', 'true');
    await press(document.querySelector<HTMLElement>('[aria-label="Start crashed servers again"]')!);
    await enter(field(/at once/), '1');
    await pass(1);
    await press(reset());
    expect(backend.defaults).toMatchObject({ inFlight: 8, restart: true });
    await pass(1);
    expect(field(/at once/).value).toBe('8');
    await press(buttonOf(/^Undo/));
    expect(backend.defaults).toMatchObject({ inFlight: 1, restart: false });
  });
});

describe('privacy and data', () => {
  it('says where the data is and how much, and opens the folder', async () => {
    const { press, calls } = await open('privacy');
    const text = document.querySelector('section')!.textContent.replace(/\s+/g, ' ');
    expect(text).toContain('1.2 MB');
    expect(text).toMatch(/7 servers, 3 decisions, 2 calls and \d+ trusted definitions/);
    expect(text).toContain('In the keyring of this system');
    await press(buttonOf(/^Open the folder$/));
    expect(calls('openDataFolder')).toHaveLength(1);
  });

  it('says why there is no keyring', async () => {
    await openPage({ page: 'settings', section: 'privacy' }, (fake) => {
      fake.app.notices = [{ code: 'keyring-session', detail: 'no service' }];
    });
    expect(document.querySelector('section')).toHaveTextContent(
      /In memory, for this session only There is no keyring that can be used/,
    );
  });

  it('lists to whom something goes', async () => {
    const { app, press, backend } = await open('privacy');
    const far = backend.servers.filter(({ transport }) => transport === 'http');
    expect(far.length).toBeGreaterThan(0);
    for (const { name, origin } of far) {
      expect(document.querySelector('section')).toHaveTextContent(`Calls to ${name}`);
      expect(document.querySelector('section')).toHaveTextContent(new URL(origin).host);
    }
    await press(document.querySelector<HTMLElement>(`[aria-label="Show ${far[0]!.name}"]`)!);
    expect(app.shell.route).toEqual({ page: 'servers', id: far[0]!.id });
  });
});

describe('models', () => {
  it('says that the user is the model, and leads to the chat', async () => {
    const { app, press } = await open('models');
    expect(rows()).toEqual(['You are the model']);
    await press(buttonOf(/^Open the chat$/));
    expect(app.shell.route).toEqual({ page: 'chat' });
  });

  it('names another model', async () => {
    await openPage({ page: 'settings', section: 'models' }, (fake) =>
      Object.assign(fake.talk, { manual: false, model: 'scripted' }),
    );
    expect(rows()).toEqual(['The model is scripted']);
  });
});

describe('advanced', () => {
  it('keeps the level of its own diagnostics', async () => {
    const { backend } = await open('advanced');
    await fireEvent.change(document.querySelector('select')!, { target: { value: 'debug' } });
    expect(backend.app.logLevel).toBe('debug');
  });

  it('shows the report before it is copied', async () => {
    const { backend, press } = await open('advanced');
    await press(buttonOf(/^Show…$/));
    const shown = document.querySelector('dialog pre')!.textContent;
    expect(shown).toMatch(/^Gatehouse: 0\.1\.0\nServers: 7\nWeb view: /);
    expect(backend.copied).toBe('');
    await press(buttonOf(/^Copy$/));
    expect(backend.copied).toBe(shown);
  });

  it('gives the commands of a terminal for this program and this data', async () => {
    const { backend, press } = await openPage({ page: 'settings', section: 'advanced' }, (fake) => {
      fake.app.program = ["/opt/it's here/gatehouse", '--data-dir', '/tmp/a b'];
    });
    await press(buttonOf(/^Copy the command: List the tools of a server$/));
    expect(backend.copied).toBe(`'/opt/it'\\''s here/gatehouse' tools SERVER --data-dir '/tmp/a b'`);
    await press(buttonOf(/^Copy the command: Call a tool$/));
    expect(backend.copied).toBe(`'/opt/it'\\''s here/gatehouse' call SERVER TOOL '{}' --data-dir '/tmp/a b'`);
  });

  it('resets the appearance at once, and back', async () => {
    const { backend, press } = await openPage({ page: 'settings', section: 'advanced' }, (fake) => {
      fake.app.textSize = 150;
    });
    await press(buttonOf(/^Reset$/));
    expect(backend.app).toMatchObject({ theme: 'system', textSize: 100 });
    await press(buttonOf(/^Undo/));
    expect(backend.app).toMatchObject({ theme: 'light', textSize: 150 });
  });
});

describe('the network', () => {
  const pick = () => screen.getByRole('combobox', { name: 'Proxy for remote servers' });

  it('keeps a choice at once, and a proxy of one’s own when it is used', async () => {
    const { backend, pass, press, type } = await open('advanced');
    await fireEvent.change(pick(), { target: { value: 'none' } });
    await pass(1);
    expect(backend.networkSettings.proxy).toBe('none');
    await fireEvent.change(pick(), { target: { value: 'own' } });
    await type(screen.getByRole('textbox', { name: 'Address of the proxy' }), 'nonsense');
    await press(buttonOf(/^Use it$/));
    await pass(1);
    expect(backend.networkSettings.proxy).toBe('none');
    expect(screen.getByRole('textbox', { name: 'Address of the proxy' })).toHaveValue('nonsense');
    await type(screen.getByRole('textbox', { name: 'Address of the proxy' }), 'proxy.harbour.example:3128');
    await press(buttonOf(/^Use it$/));
    await pass(1);
    expect(backend.networkSettings).toMatchObject({ proxy: 'own', address: 'proxy.harbour.example:3128' });
    expect(buttonOf(/^Use it$/)).toHaveAttribute('aria-disabled', 'true');
  });

  it('names whom files of certificates make believable', async () => {
    const { backend, pass } = await open('advanced');
    const box = screen.getByRole('textbox', { name: 'Private certificate authorities' });
    await fireEvent.input(box, { target: { value: '/etc/harbour/ca.pem\n\n' } });
    await fireEvent.change(box);
    await pass(1);
    expect(backend.networkSettings.authorities).toEqual(['/etc/harbour/ca.pem']);
    expect(document.body).toHaveTextContent('CN=Harbour internal CA');
  });
});
