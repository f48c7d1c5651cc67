import { fireEvent } from '@testing-library/svelte';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { setLocale } from '@/i18n/index.svelte';
import { openPage } from '@/test/page';

afterEach(() => {
  setLocale('en');
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('attention', () => {
  it('tells Go whether the user sees the window, in the words of their language', async () => {
    const { app, backend, calls, pass } = await openPage({ page: 'servers' });
    const words = '{server}: a tool call waits for your decision';
    expect(calls('watching')).toEqual([[true, words]]);
    vi.mocked(document.hasFocus).mockReturnValue(false);
    await fireEvent.blur(window);
    expect(calls('watching').at(-1)).toEqual([false, words]);
    vi.mocked(document.hasFocus).mockReturnValue(true);
    await fireEvent.focus(window);
    vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    await fireEvent(document, new Event('visibilitychange'));
    expect(calls('watching')).toHaveLength(4);
    backend.app.language = 'zh-Hans';
    await app.settings.app.refresh();
    await pass(1);
    expect(calls('watching').at(-1)).toEqual([false, '{server}：一次工具调用正在等待你决定']);
  });

  it('opens the inbox, and no gate, after a press on a notification', async () => {
    const { app, backend, pass } = await openPage({ page: 'servers' });
    backend.emit('inbox');
    await pass(1);
    expect(app.shell.route.page).toBe('inbox');
    expect(app.inbox.open).toBeNull();
  });
});
