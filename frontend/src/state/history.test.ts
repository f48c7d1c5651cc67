import { describe, expect, it, vi } from 'vitest';
import type { Backend, HistoryRow } from '@/backend/backend';
import { FakeBackend } from '@/backend/fake';
import { historyDetails } from '@/backend/fake/calls';
import { HistoryBrowser } from './history.svelte';
import { Hub } from './hub';

function browse(count: number) {
  const backend = new FakeBackend();
  const entry = (n: number) => ({ ...structuredClone(historyDetails[0]!), id: `dec-${String(n)}` });
  backend.journal = Array.from({ length: count }, (_, i) => entry(count - i));
  const history = vi.spyOn(backend, 'history');
  const browser = new HistoryBrowser(backend, new Hub(backend));
  const add = (n: number) => {
    backend.journal.unshift(entry(n));
    backend.emit('history');
  };
  const ids = () => browser.rows.map(({ id }: HistoryRow) => Number(id.slice(4)));
  return { backend, history, browser, add, ids };
}

describe('HistoryBrowser', () => {
  it('fetches page after page, newest first, each once', async () => {
    const { browser, history, ids } = browse(250);
    await browser.load();
    expect(browser.total).toBe(250);
    expect(ids()).toHaveLength(100);
    void browser.more();
    await browser.more();
    await vi.waitFor(() => expect(ids()).toHaveLength(200));
    await browser.more();
    await browser.more();
    expect(ids()).toEqual(Array.from({ length: 250 }, (_, i) => 250 - i));
    expect(history).toHaveBeenCalledTimes(3);
  });

  it('puts what is new on top and keeps what was scrolled to', async () => {
    const { browser, add, ids } = browse(250);
    await browser.load();
    await browser.more();
    add(251);
    await vi.waitFor(() => expect(ids()[0]).toBe(251));
    expect(ids()).toEqual(Array.from({ length: 201 }, (_, i) => 251 - i));
    await browser.more();
    expect(ids()).toHaveLength(251);
  });

  it('starts again when more is new than a page holds: a hole is worse than a shorter list', async () => {
    const { backend, browser, add, ids } = browse(150);
    await browser.load();
    for (let n = 151; n < 300; n++)
      backend.journal.unshift({ ...structuredClone(historyDetails[0]!), id: `dec-${String(n)}` });
    add(300);
    await vi.waitFor(() => expect(ids()[0]).toBe(300));
    await browser.more();
    await browser.more();
    expect(ids()).toEqual(Array.from({ length: 300 }, (_, i) => 300 - i));
  });

  it('drops a page of another search', async () => {
    const { browser, history, ids } = browse(250);
    await browser.load();
    let answer: (page: Awaited<ReturnType<Backend['history']>>) => void = () => undefined;
    history.mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)));
    const more = browser.more();
    browser.search({ text: 'nothing of the kind', serverId: '', decision: '' });
    await vi.waitFor(() => expect(browser.loaded).toBe(true));
    answer({ total: 1, rows: [historyDetails[0]!], next: '' });
    await more;
    expect(ids()).toEqual([]);
  });

  it('follows the open entry', async () => {
    const { backend, browser } = browse(3);
    await browser.load();
    browser.open('dec-2');
    await vi.waitFor(() => expect(browser.entry.value?.id).toBe('dec-2'));
    backend.journal[1]!.reason = 'written later';
    backend.emit('history', 'dec-2');
    await vi.waitFor(() => expect(browser.entry.value?.reason).toBe('written later'));
  });
});
