// When the gate opens, when it listens, and to which keys (ACC-A37, SEC-D10).

import { fireEvent, screen } from '@testing-library/svelte';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  allow,
  button,
  deny,
  gate,
  isOff,
  no,
  notesCall,
  openHarness,
  plainCall,
  shellCall,
  tideLaunch,
  yes,
} from '@/test/gate';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('opening', () => {
  it('waits in the inbox what waited before the start', async () => {
    const { app } = await openHarness(plainCall());
    expect(app.inbox.items).toHaveLength(1);
    expect(gate()).toBeNull();
  });

  it('opens for what arrives, as an alert dialog with title and risk, and focuses the safe answer', async () => {
    const { arrive, app } = await openHarness();
    await arrive(shellCall);
    expect(gate()).toHaveAccessibleName('Shell wants to run run_script');
    expect(gate()).toHaveAccessibleDescription(/Can delete data, and sends data out of this computer/);
    expect(document.activeElement).toBe(deny());
    expect(app.shell.announcement).toContain('Shell wants to run run_script');
  });

  it('says that the user asked as the model', async () => {
    const { arrive } = await openHarness();
    await arrive({ ...shellCall, actor: { kind: 'model', name: 'manual', chat: '' } });
    expect(gate()).toHaveTextContent('Asked for by you, acting as the model');
    expect(gate()).not.toHaveTextContent('by manual');
  });

  it('never takes the focus from a field: it announces, waits, and opens when the field is left', async () => {
    const { arrive, app, key, answers } = await openHarness();
    screen.getByLabelText('composer').focus();
    await arrive(plainCall());
    expect(gate()).toBeNull();
    expect(document.activeElement).toBe(screen.getByLabelText('composer'));
    expect(app.shell.announcement).toContain('It waits in the inbox');
    await key('d');
    expect(answers()).toEqual([]);

    screen.getByText('elsewhere').focus();
    await vi.waitFor(() => expect(gate()).not.toBeNull());
  });

  it('gives the focus back when it closes', async () => {
    const { arrive, pass, key } = await openHarness();
    screen.getByText('elsewhere').focus();
    await arrive(plainCall());
    await pass(700);
    await key('d');
    expect(gate()).toBeNull();
    expect(document.activeElement).toBe(screen.getByText('elsewhere'));
  });

  it('shows the seal, as a word too', async () => {
    const { arrive } = await openHarness();
    await arrive(plainCall());
    expect(screen.getByRole('img', { name: 'Verified by Gatehouse, seal Sailboat' })).toBeInTheDocument();
  });
});

describe('arming', () => {
  it('ignores every key and press for the delay, then passes the digest through', async () => {
    const { arrive, pass, key, answers, backend } = await openHarness();
    await arrive(plainCall());
    await pass(650);
    await fireEvent.click(allow());
    await fireEvent.click(deny());
    await key('d');
    await key('Enter', { ctrlKey: true });
    await fireEvent.click(button(/^Decide later/));
    expect(answers()).toEqual([]);
    expect(isOff(allow())).toBe(true);

    await pass(60);
    expect(isOff(allow())).toBe(false);
    await key('Enter', { ctrlKey: true });
    expect(answers()).toEqual([['req-plain', notesCall.digest, yes]]);
    expect(backend.log.find(([method]) => method === 'shown')).toEqual(['shown', 'req-plain']);
  });

  it.each([
    ['blur', 'focus'],
    ['resize', ''],
  ])('starts again on %s and tells Go', async (disturbance, back) => {
    const { arrive, pass, backend } = await openHarness();
    await arrive(plainCall());
    await pass(700);
    backend.log = [];
    window.dispatchEvent(new Event(disturbance));
    if (back) window.dispatchEvent(new Event(back));
    await pass(0);
    expect(isOff(allow())).toBe(true);
    await pass(650);
    expect(isOff(allow())).toBe(true);
    await pass(200);
    expect(isOff(allow())).toBe(false);
    expect(backend.log.map(([method]) => method)).toEqual(['hidden', 'shown']);
  });

  it('starts again when the window moves', async () => {
    const { arrive, pass, backend } = await openHarness();
    await arrive(plainCall());
    await pass(700);
    backend.log = [];
    vi.spyOn(window, 'screenX', 'get').mockReturnValue(300);
    await pass(200);
    expect(isOff(allow())).toBe(true);
    await pass(800);
    expect(isOff(allow())).toBe(false);
    expect(backend.log.map(([method]) => method)).toEqual(['hidden', 'shown']);
  });

  it('does not start in a window without focus', async () => {
    const { arrive, pass, backend } = await openHarness();
    vi.mocked(document.hasFocus).mockReturnValue(false);
    await arrive(plainCall());
    await pass(2000);
    expect(isOff(allow())).toBe(true);
    expect(backend.log.filter(([name]) => name !== 'painted')).toEqual([]);
  });

  it('counts no press that began before', async () => {
    const { arrive, pass, answers } = await openHarness();
    await arrive(plainCall());
    await fireEvent.pointerDown(allow());
    await pass(700);
    await fireEvent.click(allow(), { detail: 1 });
    expect(answers()).toEqual([]);
    await fireEvent.pointerDown(allow());
    await fireEvent.click(allow(), { detail: 1 });
    await pass(0);
    expect(answers()).toHaveLength(1);
  });
});

describe('keys', () => {
  it('never allows by a bare key, and takes no held key', async () => {
    const { arrive, pass, key, answers } = await openHarness();
    await arrive(plainCall());
    await pass(700);
    for (const bare of ['a', 'y', 'o', ' ', 'Escape', 'Tab']) await key(bare);
    await key('Enter', { ctrlKey: true, repeat: true });
    await key('d', { repeat: true });
    expect(answers()).toEqual([]);
    expect(gate()).not.toBeNull();
  });

  it('leaves letters alone inside the reason, and sends it with the denial', async () => {
    const { arrive, pass, key, answers } = await openHarness();
    await arrive(plainCall());
    await pass(700);
    const reason = screen.getByLabelText('Tell the model why (optional)');
    expect(reason).toHaveAttribute('maxlength', '500');
    for (const letter of ['d', 'e', '2']) await key(letter, {}, reason);
    await key('Enter', { ctrlKey: true }, reason);
    expect(answers()).toEqual([]);
    await fireEvent.input(reason, { target: { value: ' use the archive ' } });
    await fireEvent.click(deny());
    await pass(0);
    expect(answers()).toEqual([['req-plain', notesCall.digest, { ...no, reason: 'use the archive' }]]);
  });

  it('switches tabs by number, edits by E, moves by Alt and arrows', async () => {
    const { arrive, pass, key, app } = await openHarness(tideLaunch);
    await arrive(plainCall());
    await pass(700);
    await key('3');
    expect(screen.getByRole('tab', { name: 'Definition' })).toHaveAttribute('aria-selected', 'true');
    await key('ArrowLeft', { altKey: true });
    expect(app.inbox.open?.id).toBe('req-tide');
    await pass(700);
    await key('ArrowRight', { altKey: true });
    await pass(700);
    await key('e');
    expect(screen.getByLabelText(/Arguments as JSON/)).toHaveFocus();
  });

  it('ends the turn only by the button that says so, and only for a model', async () => {
    const { arrive, pass, answers } = await openHarness();
    await arrive(plainCall());
    await pass(700);
    await fireEvent.click(button(/^Deny and stop/));
    await pass(0);
    expect(answers()).toEqual([['req-plain', notesCall.digest, { ...no, stop: true }]]);
    await arrive(plainCall({ id: 'req-mine', actor: { kind: 'user', name: '', chat: '' } }));
    expect(screen.queryByRole('button', { name: /^Deny and stop/ })).toBeNull();
  });

  it('keeps Tab inside', async () => {
    const { arrive, pass, key } = await openHarness();
    await arrive(plainCall());
    await pass(700);
    allow().focus();
    await key('Tab');
    expect(gate()).toContainElement(document.activeElement as HTMLElement);
    expect(document.activeElement).toHaveAccessibleName('Decide later: leave it in the inbox');
    await key('Tab', { shiftKey: true });
    expect(document.activeElement).toBe(allow());
  });
});
