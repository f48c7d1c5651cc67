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
    await type(search(), 'folder');
    expect(rows()).toEqual(['Data folder']);
    await type(search(), 'hidden char');
    expect(rows()).toEqual(['Show hidden characters']);
    await type(search(), 'nothing of that kind');
    expect(rows()).toEqual([]);
    expect(document.querySelector('.page [role=status]')).toHaveTextContent('No setting has that name.');
    await press(buttonOf(/^Appearance$/));
    expect(search().value).toBe('');
    expect(rows()).toEqual(['Theme']);
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
    expect(rows()).toEqual(['Version', 'Data folder', 'Licence', 'Built from']);
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
});
