import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { markup } from '@/backend/fake/hostile';
import { traceRows, type Traced } from '@/backend/fake/trace';
import type { FakeBackend } from '@/backend/fake';
import type { TraceQuery } from '@/backend/backend';
import { buttonOf, openPage, optionsOf } from '@/test/page';

// jsdom lays nothing out: the list would draw its first lines only.
beforeEach(() => void vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const open = (prepare?: (backend: FakeBackend) => void) => openPage({ page: 'trace' }, prepare);
const text = (each: Element | null) => (each?.textContent ?? '').replace(/\s+/g, ' ').trim();
const option = (words: string) => optionsOf().find((each) => text(each).includes(words))!;
const side = () => document.querySelector('aside')!;
const pick = async (test: Awaited<ReturnType<typeof open>>, label: string, value: string) => {
  const select = document.querySelector<HTMLSelectElement>(`select[aria-label="${label}"]`)!;
  select.value = value;
  select.dispatchEvent(new Event('change', { bubbles: true }));
  await test.pass();
};

/** Lets the trace grow by a message. */
function grow({ backend }: Awaited<ReturnType<typeof open>>, changes: Partial<Traced> = {}): void {
  const last = backend.traced.at(-1) ?? traceRows[0]!;
  const row = { ...traceRows[3]!, seq: last.seq + 1, method: 'notifications/fresh', ...changes };
  backend.traced = [...backend.traced, row];
  backend.emit('trace');
}

describe('the list', () => {
  it('has every message in order, with its time to the millisecond, and says what waits and what failed', async () => {
    await open();
    const rows = optionsOf().map(text);
    expect(rows).toHaveLength(12);
    expect(rows[0]).toMatch(/^Connection .*02\.090 .*connection begins · pid 48213$/);
    expect(rows[1]).toMatch(/^Sent .*:02\.114 Postgres \(staging\) initialize 0 31 /);
    expect(rows[2]).toMatch(/^Received .* result 0/);
    expect(option('export_month')).toHaveTextContent('tools/call · export_month');
    expect(option('notifications/progress')).toHaveTextContent('notifications/progress 12');
    expect(option('elicitation/create')).toHaveTextContent(/waits for you.*s1.*held/);
    expect(option('not valid JSON-RPC')).toHaveTextContent('Received');
    expect(document.querySelector('.totals')).toHaveTextContent('11 messages');
  });

  it('narrows by problems, direction, server, kind and text, and tells of the connection', async () => {
    const test = await open();
    await test.press([...document.querySelectorAll<HTMLElement>('[role=radio]')].at(-1)!);
    expect(optionsOf().map(text)).toEqual([expect.stringContaining('not valid JSON-RPC')]);
    await test.press(document.querySelectorAll<HTMLElement>('[role=radio]')[1]!);
    expect(optionsOf()).toHaveLength(5);
    await test.press(document.querySelectorAll<HTMLElement>('[role=radio]')[0]!);
    await pick(test, 'Server', 'srv-pg');
    expect(document.querySelector('.filter')).toHaveTextContent('2025-11-25 · pid 48213');
    expect(optionsOf().some((each) => text(each).includes('Notes'))).toBe(false);
    await pick(test, 'Server', '');
    await pick(test, 'Kind', 'http');
    expect(optionsOf().map(text)).toEqual([
      expect.stringContaining('POST /mcp'),
      expect.stringContaining('200 application/json'),
    ]);
    await pick(test, 'Kind', 'all');
    await test.type(document.querySelector('.search input')!, 'export_MONTH');
    await test.pass(200);
    expect(optionsOf()).toHaveLength(2);
    await test.type(document.querySelector('.search input')!, 'nowhere');
    await test.pass(200);
    expect(document.querySelector('.empty')).toHaveTextContent('No entry matches.');
    await test.press(buttonOf(/^Show everything$/));
    expect(optionsOf()).toHaveLength(12);
  });

  it('follows what happens, except while it is paused', async () => {
    const test = await open();
    grow(test);
    await test.pass(300);
    expect(optionsOf().at(-1)).toHaveTextContent('notifications/fresh');
    await test.press(buttonOf(/^Pause$/));
    grow(test, { method: 'notifications/later' });
    await test.pass(300);
    expect(optionsOf().at(-1)).toHaveTextContent('notifications/fresh');
    await test.type(document.querySelector('.search input')!, 'notifications');
    await test.pass(200);
    expect(optionsOf().at(-1)).toHaveTextContent('notifications/fresh');
    await test.press(buttonOf(/^Go on$/));
    expect(optionsOf().at(-1)).toHaveTextContent('notifications/later');
  });

  it('asks for what is in view alone, and not more often than it can be read', async () => {
    const asked: TraceQuery[] = [];
    const test = await open((fake) => {
      fake.traced = Array.from({ length: 5000 }, (_, i) => ({ ...traceRows[3]!, seq: i + 1 }));
      const read = fake.readTrace;
      fake.readTrace = async (query) => (asked.push(query), read(query));
    });
    expect(optionsOf().length).toBeLessThan(60);
    const box = document.querySelector('[role=listbox]')!;
    box.scrollTop = 31 * 3000;
    box.dispatchEvent(new Event('scroll'));
    await test.pass();
    expect(optionsOf().some((each) => each.getAttribute('aria-posinset') === '3001')).toBe(true);
    expect(optionsOf().every((each) => text(each) !== '…')).toBe(true);
    expect(asked.every(({ limit }) => limit <= 150)).toBe(true);
    asked.length = 0;
    for (let i = 0; i < 20; i++) {
      test.backend.emit('trace');
      await test.pass(20);
    }
    expect(asked.length).toBeLessThan(3);
  });
});

describe('an entry', () => {
  it('is shown as JSON and as it came, in the voice of who sent it, with a way to its request and back', async () => {
    const { press, backend } = await open();
    const answer = optionsOf().filter((each) => text(each).includes('result'))[1]!;
    await press(answer);
    expect(side()).toHaveTextContent(/result.*to.*tools\/call · query/);
    expect(side().querySelector('blockquote')).toHaveClass('untrusted');
    expect(side()).toHaveTextContent('Sent by Postgres (staging), not checked');
    expect(side().querySelectorAll('.ln').length).toBeGreaterThan(8);
    await press(document.querySelector<HTMLElement>('[role=tab][data-tab=raw]')!);
    expect(side().querySelectorAll('.ln')).toHaveLength(1);
    await press(buttonOf(/^Copy$/, side()));
    expect(JSON.parse(backend.copied)).toMatchObject({ id: 2 });
    await press(buttonOf(/^tools\/call · query$/, side()));
    expect(side()).toHaveTextContent('Sent to Postgres (staging)');
    expect(side().querySelector('blockquote')).not.toHaveClass('untrusted');
    await press(buttonOf(/^Go to the answer$/));
    expect(side()).toHaveTextContent('not checked');
  });

  it('says whether it fits the official schema, and if not, where', async () => {
    const { press } = await open();
    await press(option('result 2'));
    expect(side()).toHaveTextContent('Fits the official schema of 2025-11-25: CallToolResult.');
    await press(option('result 0'));
    expect(side()).toHaveTextContent('Does not fit the official schema of 2025-11-25: InitializeResult.');
    expect(side().querySelector('.faults li')).toHaveTextContent(/^\/result missing properties/);
    await press(option('not valid JSON-RPC'));
    expect(side()).not.toHaveTextContent('official schema');
    await press(option('connection begins'));
    expect(side()).not.toHaveTextContent('official schema');
  });

  it('has its HTTP request without secrets, and its times', async () => {
    const { press } = await open();
    await press(optionsOf().at(-1)!);
    expect(side()).toHaveTextContent('The first 65.5 kB of 1.2 MB are kept.');
    await press(document.querySelector<HTMLElement>('[role=tab][data-tab=request]')!);
    expect(side()).toHaveTextContent(/POST https:\/\/notes\.example\/mcp\?key=•{6}/);
    expect(side()).toHaveTextContent(/Authorization\s*•{6}/);
    expect(side()).toHaveTextContent('Status 200');
    await press(document.querySelector<HTMLElement>('[role=tab][data-tab=timing]')!);
    const steps = [...side().querySelectorAll('li')].map(text);
    expect(steps).toEqual([
      expect.stringMatching(/^Sent.*resources\/read.*\+0 ms$/),
      expect.stringMatching(/^Sent.*POST \/mcp.*\+1 ms$/),
      expect.stringMatching(/^Received.*200.*\+1.2 s/),
      expect.stringMatching(/^Received.*result.*\+1.2 s/),
    ]);
  });

  it('says so if it is no longer in memory', async () => {
    const { press, backend } = await open((fake) => {
      const entry = fake.traceEntry;
      fake.traceEntry = async (seq) => (fake.traced.splice(1, 1), entry(seq));
    });
    await press(optionsOf()[1]!);
    expect(side()).toHaveTextContent('This entry is no longer in memory.');
    expect(backend.traced).toHaveLength(13);
  });

  it('is opened and closed by keyboard', async () => {
    const { key } = await open();
    const box = document.querySelector('[role=listbox]')!;
    await key(box, 'j');
    await key(box, 'Enter');
    expect(side()).toHaveTextContent('initialize');
    await key(side(), 'Escape');
    expect(document.querySelector('aside')).toBeNull();
  });

  it('never becomes markup', async () => {
    const test = await open((fake) => {
      Object.assign(fake.traced[5]!, {
        raw: JSON.stringify({ a: markup }),
        name: markup.join(''),
        asked: markup.join(''),
      });
      Object.assign(fake.traced[0]!, { detail: markup.join('') });
    });
    await test.press(optionsOf().filter((each) => text(each).includes('result'))[1]!);
    expect(document.querySelector('main img, main script, main iframe, main a[href]')).toBeNull();
  });
});

it('exports what is chosen after a question, and clears the server that is chosen after another', async () => {
  const test = await open();
  await pick(test, 'Server', 'srv-notes');
  await test.press(buttonOf(/^Export$/));
  expect(document.querySelector('dialog')).toHaveTextContent(/2 entries.*private things too/s);
  expect(test.calls('exportTrace')).toEqual([]);
  await test.press(buttonOf(/^Choose a file…$/));
  expect(test.calls('exportTrace')).toEqual([[expect.objectContaining({ serverId: 'srv-notes', until: 0 })]]);
  await test.press(buttonOf(/^Clear$/));
  expect(document.querySelector('dialog')).toHaveTextContent('The history stays.');
  await test.press(buttonOf(/^Clear$/, document.querySelector('dialog')!));
  await pick(test, 'Server', '');
  expect(optionsOf()).toHaveLength(10);
});

it('is reached from the history of a call, and from its result', async () => {
  const { press } = await openPage({ page: 'history', id: 'dec-2' });
  await press(buttonOf(/^Messages in the trace$/));
  expect(optionsOf().map(text)).toEqual([
    expect.stringContaining('tools/call · query'),
    expect.stringContaining('result'),
  ]);
  await press(buttonOf(/^One call only$/));
  expect(optionsOf()).toHaveLength(12);
});

it('says so if nothing of a call is left', async () => {
  const { app, pass } = await open();
  app.shell.go({ page: 'trace', call: 'call-old' });
  await pass();
  expect(document.querySelector('.empty')).toHaveTextContent('Nothing of this call is in memory any more.');
});
