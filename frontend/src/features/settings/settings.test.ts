import { fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { BackendFailure } from '@/backend/errors';
import { FakeBackend } from '@/backend/fake';
import { setLocale } from '@/i18n/index.svelte';
import { App } from '@/state/app';
import PageHarness from '@/test/PageHarness.svelte';
import SettingsPage from './SettingsPage.svelte';

async function open() {
  const backend = new FakeBackend();
  const app = new App(backend);
  await app.start();
  render(PageHarness, { app, page: SettingsPage });
  return { app, backend };
}

afterEach(() => setLocale('en'));

describe('settings', () => {
  it('changes the theme of the document', async () => {
    const { backend } = await open();
    await fireEvent.click(screen.getByText('Dark'));
    await vi.waitFor(() => expect(document.documentElement.dataset['theme']).toBe('dark'));
    expect(backend.app.theme).toBe('dark');
    await vi.waitFor(() => expect(screen.getByText('Dark')).toHaveAttribute('aria-checked', 'true'));
  });

  it('changes the language at once, by arrow keys too', async () => {
    await open();
    await fireEvent.keyDown(screen.getByText('English'), { key: 'ArrowRight' });
    await vi.waitFor(() => expect(screen.getByText('设置')).toBeVisible());
    expect(document.documentElement.lang).toBe('zh-CN');
  });

  it('follows the system until the user chooses', async () => {
    const { app, backend } = await open();
    backend.app.language = 'system';
    backend.app.systemLanguage = 'zh-CN';
    backend.emit('app');
    await vi.waitFor(() => expect(document.documentElement.lang).toBe('zh-CN'));
    expect(app.settings.app.value?.language).toBe('system');
  });

  it('says why a change did not work', async () => {
    const { app, backend } = await open();
    backend.setTheme = async () => Promise.reject(new BackendFailure('data-read-only', '', ''));
    await fireEvent.click(screen.getByText('Dark'));
    await vi.waitFor(() => expect(app.shell.toasts[0]?.text).toMatch(/^The data folder cannot be written/));
  });
});
