import { afterEach, describe, expect, it, vi } from 'vitest';
import type { FakeBackend } from '@/backend/fake';
import { quayForm } from '@/backend/fake/requests';
import { buttonOf, openPage } from '@/test/page';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const open = (prepare?: (backend: FakeBackend) => void) => openPage({ page: 'tasks' }, prepare);
const asked = (backend: FakeBackend) => void (backend.requests = [structuredClone(quayForm)]);
const cards = () => [...document.querySelectorAll<HTMLElement>('li.card')];
const card = (tool: string) => cards().find((each) => each.textContent.includes(tool))!;
const pane = () => document.querySelector<HTMLElement>('aside.side')!;
const sections = () => [...document.querySelectorAll('.list h2')].map((each) => each.textContent);

describe('the list', () => {
  it('puts what needs the user first, then what works, then what has ended', async () => {
    await open(asked);
    expect(sections()).toEqual(['Needs you', 'Working', 'Finished since Gatehouse started']);
    expect(cards().map((each) => each.querySelector('.open')?.textContent)).toEqual([
      'reserve_berth',
      'export_month',
      'render_atlas',
      'reindex',
    ]);
    expect(document.querySelector('.rail .nav.on')).toHaveTextContent(/Tasks ?4/);
  });

  it('leads from a task that waits to its gate', async () => {
    const { app, press } = await open(asked);
    expect(card('reserve_berth').querySelector('blockquote')).toHaveTextContent('Please confirm the booking');
    await press(buttonOf(/^Answer…$/));
    expect(app.inbox.open?.id).toBe('req-quay');
  });

  it('counts a task whose question nobody asks here as working', async () => {
    await open();
    expect(sections()[0]).toBe('Working');
    expect(card('reserve_berth')).toHaveTextContent('Input required');
    expect(document.querySelector('main')).not.toHaveTextContent('Answer…');
  });

  it('says how far a task is, until when it is kept, and whether an earlier run began it', async () => {
    await open();
    expect(card('export_month')).toHaveTextContent(/41,200 of 66,000\. The server keeps it for another 5\d min/);
    expect(card('export_month').querySelector('[role=progressbar]')).toHaveAttribute('aria-valuenow', '62');
    expect(card('render_atlas')).toHaveTextContent('It does not expire. “Page 7 of <b>25</b>”');
    expect(card('render_atlas')).toHaveTextContent('From an earlier run');
    expect(card('export_month')).not.toHaveTextContent('From an earlier run');
  });

  it('follows hints', async () => {
    const { backend, pass } = await open();
    Object.assign(backend.tasks[1]!, { state: 'ok', endedAt: new Date().toISOString(), result: 'done <i>' });
    backend.emit('call', 'call-export');
    await pass(300);
    expect(card('export_month')).toBeUndefined();
    expect(document.querySelector('.rows')).toHaveTextContent('Finished “done <i>”');
  });

  it('goes from task to task by arrows', async () => {
    const { key } = await open();
    const stops = [...document.querySelectorAll<HTMLElement>('[data-task]')];
    stops[0]!.focus();
    await key(stops[0]!, 'ArrowDown');
    expect(document.activeElement).toBe(stops[1]);
    await key(stops[1]!, 'k');
    expect(document.activeElement).toBe(stops[0]);
  });
});

describe('cancelling', () => {
  it('is a request, and says so; the second time it ends the call here', async () => {
    const { press, calls } = await open();
    await press(buttonOf(/^Cancel export_month$/));
    expect(calls('stopCall')).toEqual([['call-export']]);
    expect(card('reindex')).toHaveTextContent(/Asked Notes to stop \d+ secs? ago\. It may finish what it has begun\./);
    expect(card('reindex')).toHaveTextContent('Cancelling');
    await press(buttonOf(/^Stop waiting$/, card('reindex')));
    expect(calls('stopCall').at(-1)).toEqual(['call-reindex']);
  });
});

describe('the pane', () => {
  const show = async (tool: string, prepare?: (backend: FakeBackend) => void) => {
    const page = await open(prepare);
    const button = [...document.querySelectorAll<HTMLElement>('[data-task]')].find((each) =>
      each.textContent.includes(tool),
    )!;
    await page.press(button);
    return page;
  };

  it('shows the way of the task, its times, its form and what cancelling means', async () => {
    await show('render_atlas');
    expect(pane()).toHaveTextContent('Allowed: You');
    expect(pane()).toHaveTextContent('Kept for no limit');
    expect(pane()).toHaveTextContent('Polling every 5 s');
    expect(pane()).toHaveTextContent('Form Extension of 2026-07-28');
    expect(pane()).toHaveTextContent('It does not undo what is already done.');
    expect(pane().querySelector('blockquote')).toHaveTextContent('Page 7 of <b>25</b>');
  });

  it('says that a task is lost, and leads to its call in the history', async () => {
    const { app, press, key } = await show('crawl_site');
    expect(pane()).toHaveTextContent('Lost');
    expect(pane()).toHaveTextContent('the server does not know it any more');
    expect(pane()).not.toHaveTextContent('Cancel task');
    await press(buttonOf(/^Open in History$/, pane()));
    expect(app.shell.route).toEqual({ page: 'history', id: 'dec-2' });
    app.shell.go({ page: 'tasks' });
    await key(document.body, 'x');
    await key(pane(), 'Escape');
    expect(pane()).toBeNull();
  });
});
