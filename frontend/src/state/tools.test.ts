import { describe, expect, it, vi } from 'vitest';
import type { Backend, GatehouseEvent, ToolQuery, ToolRow } from '@/backend/backend';
import { Hub } from './hub';
import { ToolBrowser } from './tools.svelte';

const row = (n: number): ToolRow => ({
  serverId: 's',
  serverName: 'S',
  name: `tool-${String(n)}`,
  title: '',
  risk: 'read',
  changed: false,
  tokens: 1,
  lastUse: '',
  lastOutcome: '',
  taskSupport: '',
});

function browse(total: number) {
  let send: (e: GatehouseEvent) => void = () => undefined;
  let seq = 0;
  const hub = new Hub({ onEvent: (listener) => ((send = listener), () => undefined) });
  const listTools = vi.fn<Backend['listTools']>(({ offset, limit }: ToolQuery) => {
    const rows = Array.from({ length: Math.max(0, Math.min(limit, total - offset)) }, (_, i) => row(offset + i));
    return Promise.resolve({ total, servers: 1, rows });
  });
  const browser = new ToolBrowser({ listTools }, hub);
  const settled = () => vi.waitFor(() => expect(browser.loaded).toBe(true));
  return {
    browser,
    listTools,
    settled,
    hint: (kind: GatehouseEvent['kind'] = 'tools') => send({ seq: ++seq, kind, id: '', data: '' }),
  };
}

describe('ToolBrowser', () => {
  it('fetches only the pages in view of a list of ten thousand', async () => {
    const { browser, listTools, settled } = browse(10_000);
    browser.search('', '');
    await settled();
    expect(browser.rows).toHaveLength(10_000);
    browser.show(5000, 5020);
    await vi.waitFor(() => expect(browser.rows[5000]?.name).toBe('tool-5000'));
    expect(browser.rows[400]).toBeUndefined();
    expect(listTools.mock.calls.map(([q]) => q.offset)).toEqual([0, 5000]);
    expect(Math.max(...listTools.mock.calls.map(([q]) => q.limit))).toBeLessThanOrEqual(50);
  });

  it('fetches the last uses again after a decision', async () => {
    const { browser, listTools, settled, hint } = browse(1);
    browser.search('', '');
    await settled();
    hint('history');
    expect(listTools).toHaveBeenCalledTimes(2);
  });

  it('asks for a page once', async () => {
    const { browser, listTools, settled } = browse(200);
    browser.search('', '');
    await settled();
    browser.show(0, 20);
    browser.show(10, 30);
    expect(listTools).toHaveBeenCalledTimes(1);
  });

  it('drops the answers of an earlier search', async () => {
    const { browser, listTools } = browse(1);
    let answerOld: (page: Awaited<ReturnType<Backend['listTools']>>) => void = () => undefined;
    listTools.mockImplementationOnce(() => new Promise((resolve) => (answerOld = resolve)));
    browser.search('old', '');
    browser.search('new', '');
    await vi.waitFor(() => expect(browser.rows).toHaveLength(1));
    answerOld({ total: 99, servers: 9, rows: [] });
    await Promise.resolve();
    expect(browser.rows).toHaveLength(1);
    expect(listTools.mock.calls.at(-1)?.[0].text).toBe('new');
  });

  it('keeps pages that were fetched together, whichever comes first', async () => {
    const { browser, listTools, settled } = browse(200);
    browser.search('', '');
    await settled();
    browser.show(40, 60);
    await vi.waitFor(() => expect(browser.rows[50]).toBeDefined());
    const holders: (() => void)[] = [];
    listTools.mockImplementation(
      ({ offset }) =>
        new Promise((resolve) => holders.push(() => resolve({ total: 200, servers: 1, rows: [row(offset)] }))),
    );
    browser.reload();
    holders.reverse().forEach((answer) => answer());
    await vi.waitFor(() => expect(browser.rows[0]).toBeDefined());
    expect(browser.rows[50]?.name).toBe('tool-50');
  });

  it('fetches what is in view again on a hint, and a failed page later', async () => {
    const { browser, listTools, settled, hint } = browse(200);
    browser.search('', '');
    await settled();
    listTools.mockRejectedValueOnce(new Error('gone'));
    hint();
    await vi.waitFor(() => expect(browser.error?.detail).toBe('gone'));
    expect(browser.rows[0]?.name).toBe('tool-0');
    browser.show(0, 10);
    await vi.waitFor(() => expect(browser.error).toBeNull());
    browser.close();
    const before = listTools.mock.calls.length;
    hint();
    expect(listTools).toHaveBeenCalledTimes(before);
  });
});
