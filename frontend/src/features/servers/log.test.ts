import { afterEach, expect, it, vi } from 'vitest';
import { markup } from '@/backend/fake/hostile';
import type { FakeBackend } from '@/backend/fake';
import { openPage } from '@/test/page';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const lines = () =>
  [...document.querySelectorAll('[role=log] > .line')].map((each) => each.textContent.replace(/\s+/g, ' ').trim());
const chooser = (label: string) =>
  [...document.querySelectorAll<HTMLSelectElement>('.details select')].find((each) =>
    (each.getAttribute('aria-label') ?? each.closest('label')!.textContent.trim()).startsWith(label),
  )!;

async function open(prepare?: (backend: FakeBackend) => void, id = 'srv-pg') {
  const test = await openPage({ page: 'servers', id }, prepare);
  await test.press(document.querySelector<HTMLElement>('[role=tab][data-tab=log]')!);
  const pick = async (label: string, value: string) => {
    const select = chooser(label);
    select.value = value;
    select.dispatchEvent(new Event('change', { bubbles: true }));
    await test.pass();
  };
  return { ...test, pick };
}

it('shows log messages with level, logger and data beside stderr, and narrows them', async () => {
  const { pick, type, pass } = await open();
  expect(lines()).toEqual([
    expect.stringMatching(/\.\d{3} stderr listening on stdio$/),
    expect.stringMatching(/Debug pool.*"open":3/),
    expect.stringMatching(/Info connected to harbour_staging$/),
    expect.stringMatching(/Warning planner.*"ms":812/),
  ]);
  const [first] = document.querySelectorAll('[role=log] details');
  (first as HTMLDetailsElement).open = true;
  first!.dispatchEvent(new Event('toggle'));
  await pass();
  expect(lines()[1]).toContain('"idle": 2');
  await pick('Least level', 'warning');
  expect(lines()).toEqual([expect.stringContaining('listening'), expect.stringContaining('planner')]);
  await pick('Lines', 'log');
  expect(lines()).toEqual([expect.stringContaining('planner')]);
  await pick('Least level', '');
  await type(document.querySelector('.details .search input')!, 'HARBOUR');
  expect(lines()).toEqual([expect.stringContaining('connected to harbour_staging')]);
  await type(document.querySelector('.details .search input')!, 'nowhere');
  expect(document.querySelector('.details')).toHaveTextContent('No line matches.');
});

it('asks the server for a level', async () => {
  const { pick, calls } = await open();
  await pick('Ask the server for', 'error');
  expect(calls('setServerLogLevel')).toEqual([['srv-pg', 'error']]);
  expect(document.querySelector('.toasts')).toHaveTextContent('The server is asked for it.');
});

it('says that a server does not log', async () => {
  await open(undefined, 'srv-notes');
  expect(document.querySelector('.details')).toHaveTextContent('does not say that it sends log messages');
});

it('never makes markup of what is logged', async () => {
  await open((fake) => {
    const line = { seq: 1, at: '', stream: 'log' as const, text: '', level: markup.join(''), logger: markup.join('') };
    fake.serverLog = async () => [{ ...line, data: JSON.stringify(markup) }];
  });
  expect(lines()).toHaveLength(1);
  expect(document.querySelector('.details :is(img, script, iframe, a[href])')).toBeNull();
});
