import { fireEvent } from '@testing-library/svelte';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { hostileCall } from '@/backend/fake/hostile';
import { requests } from '@/backend/fake/requests';
import { buttonOf, openPage, optionsOf } from '@/test/page';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const armingMs = 700;
const panel = () => document.querySelector<HTMLElement>('aside')!;
const run = () => buttonOf(/^Run/, panel());
const isOff = (element: HTMLElement) => element.getAttribute('aria-disabled') === 'true';
const openQuery = () => openPage({ page: 'tools', serverId: 'srv-pg', name: 'query' });

describe('the list', () => {
  it('opens a tool by keyboard and closes it again', async () => {
    const { key, app } = await openPage({ page: 'tools' });
    const list = document.querySelector('[role=listbox]')!;
    expect(optionsOf()[0]).toHaveTextContent('run_script');
    await key(list, 'j');
    await key(list, 'ArrowDown');
    await key(list, 'Enter');
    expect(app.toolRun.composition.name).toBe('query');
    expect(optionsOf()[2]).toHaveAttribute('aria-selected', 'true');
    await key(panel(), 'Escape');
    expect(panel()).toBeNull();
  });

  it('marks a tool whose definition has changed', async () => {
    await openPage({ page: 'tools' });
    const changed = optionsOf().filter((row) => row.textContent.includes('Changed'));
    expect(changed.map((row) => row.textContent)).toEqual([expect.stringContaining('publish_note')]);
  });
});

describe('the times of a tool', () => {
  it('are kept in seconds when they are within the range, and empty means the server’s', async () => {
    const { press, pass, calls } = await openQuery();
    await press(panel().querySelectorAll<HTMLElement>('[role=tab]')[2]!);
    const field = () => panel().querySelector<HTMLInputElement>('details input')!;
    const enter = async (value: string) => {
      await fireEvent.change(field(), { target: { value } });
      await pass();
    };
    expect(field()).toHaveAttribute('placeholder', '300');
    await enter('7201');
    expect(field()).toHaveAttribute('aria-invalid', 'true');
    expect(calls('setToolTimes')).toEqual([]);
    await enter('7200');
    await enter('');
    expect(calls('setToolTimes')).toEqual([
      ['srv-pg', 'query', { inactiveSec: 7200, totalSec: 0 }],
      ['srv-pg', 'query', { inactiveSec: 0, totalSec: 0 }],
    ]);
  });
});

describe('the Run panel', () => {
  it('shows the bytes, and Run works only after they were in view for the whole delay', async () => {
    const { pass, press, type, calls } = await openQuery();
    await type(panel().querySelector('textarea')!, 'select 1');
    await pass(150);
    expect(panel()).toHaveTextContent('{"sql":"select 1","limit":100}');
    await press(run());
    expect(calls('runCall')).toEqual([]);
    await pass(armingMs);
    expect(isOff(run())).toBe(false);
    await press(run());
    expect(calls('runCall')).toHaveLength(1);
    await pass();
    expect(panel()).toHaveTextContent('Finished');
  });

  it('starts the delay again when the window loses the focus', async () => {
    const { pass, press, type, calls } = await openQuery();
    await type(panel().querySelector('textarea')!, 'select 1');
    await pass(armingMs);
    window.dispatchEvent(new Event('blur'));
    await pass();
    await press(run());
    expect(calls('runCall')).toEqual([]);
    window.dispatchEvent(new Event('focus'));
    await pass(armingMs - 1);
    expect(isOff(run())).toBe(true);
    await pass(1);
    expect(isOff(run())).toBe(false);
  });

  it('does nothing behind an open gate', async () => {
    const { app, backend, pass, key, type, calls } = await openQuery();
    const sql = panel().querySelector('textarea')!;
    await type(sql, 'select 1');
    await pass(armingMs);
    backend.requests.push(structuredClone(requests[1]!));
    backend.emit('pending');
    await pass();
    expect(app.inbox.open).not.toBeNull();
    await key(sql, 'Enter', { ctrlKey: true });
    expect(isOff(run())).toBe(true);
    expect(calls('runCall')).toEqual([]);
    expect(calls('hidden')).toContainEqual(['panel:tools']);
  });

  it('runs by Ctrl Enter inside the panel, not by a held key, and not elsewhere', async () => {
    const { pass, key, type, calls } = await openQuery();
    const sql = panel().querySelector('textarea')!;
    await type(sql, 'select 1');
    await pass(armingMs);
    await key(sql, 'Enter', { ctrlKey: true, repeat: true });
    await key(document.querySelector('.search input')!, 'Enter', { ctrlKey: true });
    expect(calls('runCall')).toEqual([]);
    await key(sql, 'Enter', { ctrlKey: true });
    expect(calls('runCall')).toHaveLength(1);
  });

  it('says what is wrong with the arguments, but not before something was typed', async () => {
    const { pass, press, type, calls } = await openQuery();
    await pass(armingMs);
    expect(panel()).not.toHaveTextContent('1 problem');
    expect(isOff(run())).toBe(true);
    await type(panel().querySelectorAll('input')[0]!, '5');
    await pass(150);
    expect(panel()).toHaveTextContent("1 problem arguments: missing property 'sql'");
    await press(run());
    expect(calls('runCall')).toEqual([]);
  });

  it('says beforehand that the gate will ask once more', async () => {
    await openPage({ page: 'tools', serverId: 'srv-shell', name: 'run_script' });
    expect(panel()).toHaveTextContent('Gatehouse will ask once more');
  });

  it('shows what has changed in a definition', async () => {
    const { press } = await openPage({ page: 'tools', serverId: 'srv-notes', name: 'publish_note' });
    await press(buttonOf(/^Definition$/, panel()));
    expect(panel().querySelector('.diff')).toHaveTextContent('Before using any other tool');
  });

  it('shows a running call from its first moment, and stops it', async () => {
    const { pass, press, type, backend } = await openPage(
      { page: 'tools', serverId: 'srv-pg', name: 'query' },
      (fake) => {
        fake.outcome = { state: 'running', progress: { done: 1, total: 4, message: 'page one' }, by: '' };
      },
    );
    await type(panel().querySelector('textarea')!, 'select 1');
    await pass(armingMs);
    await press(run());
    await pass(200);
    const bar = panel().querySelector('[role=progressbar]');
    expect(bar).toHaveAttribute('aria-valuenow', '25');
    expect(panel()).toHaveTextContent(/Running.*200 ms so far.*1 of 4.*page one/);
    await press(buttonOf(/^Stop$/, panel()));
    await pass(200);
    expect(backend.calls.get('call-2')?.state).toBe('stopped');
    expect(panel()).toHaveTextContent('Stopped by you');
  });

  it('shows a definition full of markup as text', async () => {
    const { press } = await openPage({ page: 'tools', serverId: 'srv-pg', name: 'query' }, (fake) => {
      const tool = fake.tools.find(({ name }) => name === 'query')!;
      const hostile = hostileCall.toolCall!;
      Object.assign(tool, {
        description: hostile.description,
        definition: hostile.definition,
        inputSchema: hostile.inputSchema,
      });
    });
    for (const tab of [/^Form$/, /^JSON$/, /^Definition$/]) {
      await press(buttonOf(tab, panel()));
      expect(panel().querySelectorAll('img, script, iframe, object, embed, a, form, style')).toHaveLength(0);
    }
    expect('__pwned' in window).toBe(false);
  });
});
