import { fireEvent } from '@testing-library/svelte';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { LeavingState } from '@/backend/backend';
import { requests } from '@/backend/fake/requests';
import { buttonOf, openPage, type PageTest } from '@/test/page';

const since = '2026-03-04T09:30:00Z';
const busy: LeavingState = {
  state: 'asked',
  work: [
    { kind: 'request', server: 'Shell', tool: 'run_script', since },
    { kind: 'request', server: 'Tide', tool: '', since },
    { kind: 'call', server: 'Files', tool: 'copy', since },
    { kind: 'model', server: '', tool: 'scripted', since },
  ],
};

const dialog = () => document.querySelector('dialog.plain');
const gate = () => document.querySelector('dialog.layer');

async function becomes(page: PageTest, way: LeavingState) {
  page.backend.way = structuredClone(way);
  page.backend.emit('leaving');
  await page.pass(1);
}

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('closing over something that runs', () => {
  it('lists it, and offers the safe answer first', async () => {
    const page = await openPage({ page: 'servers' });
    expect(dialog()).toBeNull();
    await becomes(page, busy);
    expect([...dialog()!.querySelectorAll('li')].map((row) => row.textContent.replace(/\s+/g, ' ').trim())).toEqual([
      expect.stringMatching(/^Shell waits for your decision on run_script since \d/),
      expect.stringMatching(/^Tide waits for your decision to start it since/),
      expect.stringMatching(/^Files runs copy since/),
      expect.stringMatching(/^scripted works on an answer since/),
    ]);
    expect(buttonOf(/^Cancel$/, dialog()!)).toHaveFocus();
  });

  it('lets Tab go round its buttons and stop nowhere else', async () => {
    const page = await openPage({ page: 'servers' });
    await becomes(page, busy);
    expect(dialog()).toHaveAttribute('tabindex', '-1');
    await page.key(buttonOf(/^Cancel$/, dialog()!), 'Tab');
    expect(buttonOf(/^Stop them and quit$/, dialog()!)).toHaveFocus();
    await page.key(document.activeElement!, 'Tab', { shiftKey: true });
    expect(buttonOf(/^Cancel$/, dialog()!)).toHaveFocus();
  });

  it.each([
    [/^Stop them and quit$/, 'now'],
    [/^Minimise, quit when they end$/, 'later'],
    [/^Cancel$/, 'stay'],
  ])('takes %s', async (button, how) => {
    const page = await openPage({ page: 'servers' });
    await becomes(page, busy);
    await page.press(buttonOf(button, dialog()!));
    await page.pass(1);
    expect(page.calls('leave')).toEqual([[how]]);
    expect(dialog()).toBeNull();
  });

  it('takes Esc for Cancel', async () => {
    const page = await openPage({ page: 'servers' });
    await becomes(page, busy);
    await fireEvent(dialog()!, new Event('close'));
    expect(page.calls('leave')).toEqual([['stay']]);
  });

  it('follows what runs, to its end', async () => {
    const page = await openPage({ page: 'servers' });
    await becomes(page, busy);
    page.backend.way.work = [];
    page.backend.emit('call', 'c');
    await page.pass(1);
    expect(dialog()).toHaveTextContent('Nothing runs any more');
    await page.press(buttonOf(/^Quit$/, dialog()!));
    expect(page.calls('leave')).toEqual([['now']]);
  });

  it('takes the place of a gate, which comes back with a new clock', async () => {
    const page = await openPage({ page: 'inbox' }, (backend) => (backend.requests = structuredClone(requests)));
    page.app.inbox.review('req-shell');
    await page.pass(1);
    expect(page.calls('shown')).toEqual([['req-shell']]);
    await becomes(page, busy);
    expect(gate()).toBeNull();
    expect(page.calls('hidden')).toEqual([['req-shell']]);
    await page.press(buttonOf(/^Cancel$/, dialog()!));
    await page.pass(1);
    expect(gate()).not.toBeNull();
    expect(page.calls('shown')).toHaveLength(2);
    expect(page.calls('resolve')).toEqual([]);
  });

  it('shows the plan, and drops it when the user comes back', async () => {
    const page = await openPage({ page: 'servers' });
    await becomes(page, busy);
    await page.press(buttonOf(/^Minimise, quit when they end$/, dialog()!));
    await page.pass(1);
    expect(dialog()).toBeNull();
    expect(document.querySelector('.main')).toHaveTextContent('Gatehouse quits when what runs has ended.');
    await fireEvent.focus(window); // it has not gone yet
    expect(page.calls('leave')).toEqual([['later']]);
    await fireEvent.blur(window);
    await fireEvent.focus(window);
    await page.pass(1);
    expect(page.calls('leave')).toEqual([['later'], ['stay']]);
    expect(document.querySelector('.toasts')).toHaveTextContent('Gatehouse stays open.');
    await fireEvent.focus(window);
    expect(page.calls('leave')).toHaveLength(2);
  });

  it('closes on Ctrl Q', async () => {
    const page = await openPage({ page: 'servers' });
    const close = vi.spyOn(page.backend.window, 'close');
    await page.key(document.body, 'q', { ctrlKey: true, altKey: true });
    await page.key(document.body, 'q');
    expect(close).not.toHaveBeenCalled();
    await page.key(document.body, 'q', { ctrlKey: true });
    expect(close).toHaveBeenCalledTimes(1);
  });
});
