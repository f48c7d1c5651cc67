// What must be seen before an answer, edits, and the one answer itself (ACC-A32, A33, A36; SEC-D1, D2).

import { fireEvent, screen, within } from '@testing-library/svelte';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { BackendFailure } from '@/backend/errors';
import {
  allow,
  button,
  deny,
  gate,
  hideEnd,
  isOff,
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

describe('what must be seen first', () => {
  it('cannot allow with problems, and shows each beside its field', async () => {
    const { arrive, pass, key, answers } = await openHarness();
    await arrive(plainCall({ problems: [{ pointer: '/title', message: 'must not be empty' }] }));
    await pass(700);
    expect(isOff(allow())).toBe(true);
    expect(allow()).toHaveAttribute('title', 'The arguments have problems');
    expect(
      within(document.querySelector<HTMLElement>('[data-pointer="/title"]')!).getByText('must not be empty'),
    ).toBeVisible();
    await key('Enter', { ctrlKey: true });
    expect(answers()).toEqual([]);
    await key('d');
    expect(answers()).toHaveLength(1);
  });

  it('folds a long value, says so, and cannot allow before all of it was shown', async () => {
    const script = Array.from({ length: 300 }, (_, i) => `echo ${i}`).join('\n');
    const { arrive, pass } = await openHarness();
    await arrive(plainCall({}, { script, note: 'short' }));
    await pass(700);
    expect(screen.queryByText('echo 299')).toBeNull();
    expect(screen.getByText(/300 lines/)).toBeVisible();
    expect(allow()).toHaveAttribute('title', '1 value is not shown whole yet');
    await fireEvent.click(button(/^Show all/));
    hideEnd(false);
    await pass(0);
    expect(screen.getByText('echo 299')).toBeInTheDocument();
    expect(isOff(allow())).toBe(false);
  });

  it('finds words in a long value', async () => {
    const script = Array.from({ length: 60 }, (_, i) => (i % 25 === 3 ? `Curl ${i}` : `echo ${i}`)).join('\n');
    const scroll = vi.spyOn(Element.prototype, 'scrollIntoView');
    const { arrive, pass, key, answers } = await openHarness();
    await arrive(plainCall({}, { script }));
    await pass(700);
    await fireEvent.click(button(/^Show all/));
    const find = screen.getByLabelText('Find in this text');
    await fireEvent.input(find, { target: { value: 'curl' } });
    expect(document.querySelectorAll('.place')).toHaveLength(3);
    await key('Enter', {}, find);
    await key('Enter', {}, find);
    expect((scroll.mock.contexts.at(-1) as Element).parentElement).toHaveTextContent('Curl 28');
    expect(document.querySelector('.find')).toHaveTextContent('2 of 3');
    expect(answers()).toEqual([]);
  });

  it('unlocks high risk only after the end has been in view', async () => {
    const { arrive, pass, key, answers } = await openHarness();
    hideEnd(true);
    await arrive(shellCall);
    hideEnd(true);
    await pass(700);
    expect(allow()).toHaveAttribute('title', 'Scroll to the end first');
    await key('Enter', { ctrlKey: true });
    expect(answers()).toEqual([]);
    hideEnd(false);
    await pass(0);
    await key('Enter', { ctrlKey: true });
    expect(answers()).toEqual([['req-shell', shellCall.digest, yes]]);
  });

  it('shows a changed definition as a diff, to be looked at first', async () => {
    const { arrive, pass, key } = await openHarness();
    await arrive(notesCall);
    await pass(700);
    expect(allow()).toHaveAttribute('title', 'Look at the changed definition first');
    await fireEvent.click(button(/^Show the changes/));
    expect(screen.getByText('added').parentElement?.nextElementSibling).toHaveTextContent(
      'Before using any other tool',
    );
    hideEnd(false);
    await key('1');
    expect(isOff(allow())).toBe(false);
  });

  it('scrolls to what Gatehouse found', async () => {
    const scroll = vi.spyOn(Element.prototype, 'scrollIntoView');
    const { arrive, pass } = await openHarness();
    await arrive(shellCall);
    await pass(700);
    await fireEvent.click(button(/^Deletes files/));
    await pass(0);
    expect(scroll.mock.contexts[0]).toHaveTextContent('rm -rf');
    expect(screen.getByText(/lines 6–7/).parentElement).toHaveTextContent('lines 6–7, to drop.harbour.example');
  });
});

describe('editing', () => {
  it('makes new bytes, which are shown and decided under their own digest', async () => {
    const { arrive, pass, key, answers, backend } = await openHarness();
    await arrive(plainCall({}, { n: 1.1, big: 0 }));
    await pass(700);
    await key('e');
    const area = screen.getByLabelText(/Arguments as JSON/);
    expect(isOff(allow())).toBe(true);
    await fireEvent.input(area, { target: { value: '{"n": 1.10, "big": 9007199254740993}' } });
    await fireEvent.click(button(/^Use these arguments/));
    await pass(700);
    expect(backend.log).toContainEqual(['amend', 'req-plain', '{"n": 1.10, "big": 9007199254740993}']);
    expect(screen.getByText('9007199254740993')).toBeInTheDocument();
    expect(screen.getByText('Arguments changed by you')).toBeInTheDocument();
    expect(screen.queryByText(/changed while it was open/)).toBeNull();
    const edited = backend.requests[0]!.digest;
    expect(edited).not.toBe(notesCall.digest);
    await key('Enter', { ctrlKey: true });
    expect(answers()).toEqual([['req-plain', edited, yes]]);
  });

  it('arms again after an edit', async () => {
    const { arrive, pass, key } = await openHarness();
    await arrive(plainCall());
    await pass(700);
    await key('e');
    await fireEvent.click(button(/^Use these arguments/));
    await pass(0);
    expect(isOff(allow())).toBe(true);
    await pass(700);
    expect(isOff(allow())).toBe(false);
  });

  it('says where text is not JSON and offers no use of it', async () => {
    const { arrive, pass, key } = await openHarness();
    await arrive(plainCall());
    await pass(700);
    await key('e');
    const area = screen.getByLabelText(/Arguments as JSON/);
    await fireEvent.input(area, { target: { value: '{\n "a": }' } });
    expect(area).toHaveAccessibleDescription(/line 2, column 7/);
    expect(isOff(button(/^Use these arguments/))).toBe(true);
    await fireEvent.input(area, { target: { value: '{"a":1,"a":2}' } });
    expect(area).toHaveAccessibleDescription(/same name twice/);
  });

  it('writes hidden characters as escapes', async () => {
    const { arrive, pass, key } = await openHarness();
    await arrive(shellCall);
    await pass(700);
    await key('e');
    expect(screen.getByLabelText<HTMLTextAreaElement>(/Arguments as JSON/).value).toContain('in\\u200bbox');
  });
});

describe('one request, one answer', () => {
  it('locks the answers on the first press', async () => {
    const { arrive, pass, answers, backend } = await openHarness();
    await arrive(plainCall());
    await pass(700);
    let finish: () => void = () => undefined;
    const resolve = backend.resolve;
    backend.resolve = async (...values) => {
      await new Promise<void>((done) => (finish = done));
      await resolve(...values);
    };
    await fireEvent.click(allow());
    await fireEvent.click(deny());
    await fireEvent.click(allow());
    finish();
    await pass(0);
    expect(answers()).toEqual([['req-plain', notesCall.digest, yes]]);
    expect(gate()).toBeNull();
  });

  it('stays open when the answer was refused, and says why', async () => {
    const { arrive, pass, backend } = await openHarness();
    await arrive(plainCall());
    await pass(700);
    backend.resolve = async () => Promise.reject(new BackendFailure('not-armed', '', ''));
    await fireEvent.click(allow());
    await pass(0);
    expect(screen.getByRole('alert')).toHaveTextContent('Too soon');
    expect(isOff(allow())).toBe(false);
  });

  it('goes on to the next that arrived meanwhile, armed anew', async () => {
    const { arrive, pass, key, app, answers } = await openHarness();
    await arrive(plainCall());
    await arrive(plainCall({ id: 'req-second' }));
    expect(screen.getByText('1 of 2')).toBeVisible();
    await pass(700);
    await key('d');
    expect(app.inbox.open?.id).toBe('req-second');
    await key('d');
    expect(answers()).toHaveLength(1);
  });

  it('says that a request was withdrawn, and nothing can be answered', async () => {
    const { arrive, pass, key, answers, backend } = await openHarness();
    await arrive(plainCall());
    await pass(700);
    backend.withdraw('req-plain');
    await pass(0);
    expect(screen.getByRole('alert')).toHaveTextContent('withdrawn');
    await key('d');
    await key('Enter', { ctrlKey: true });
    expect(answers()).toEqual([]);
    await fireEvent.click(button(/^Close/));
    expect(gate()).toBeNull();
  });

  it('shows what it became when it changed while open, and arms again', async () => {
    const { arrive, pass, backend } = await openHarness();
    await arrive(plainCall());
    await pass(700);
    backend.requests[0]!.digest = 'ff'.repeat(32);
    backend.emit('pending', 'req-plain');
    await pass(0);
    expect(screen.getByRole('alert')).toHaveTextContent('changed while it was open');
    expect(isOff(allow())).toBe(true);
  });

  it('leaves a request in the inbox and does not open it again by itself', async () => {
    const { arrive, pass, app } = await openHarness();
    await arrive(plainCall());
    await pass(700);
    await fireEvent.click(button(/^Decide later/));
    expect(gate()).toBeNull();
    screen.getByLabelText('composer').focus();
    screen.getByText('elsewhere').focus();
    await pass(0);
    expect(gate()).toBeNull();
    expect(app.inbox.items).toHaveLength(1);
    app.inbox.review('req-plain');
    await pass(0);
    expect(gate()).not.toBeNull();
  });

  it('is not closed by Escape or by the browser', async () => {
    const { arrive, pass, key } = await openHarness();
    await arrive(plainCall());
    await pass(700);
    await key('Escape');
    const cancel = new Event('cancel', { cancelable: true });
    gate()?.dispatchEvent(cancel);
    expect(cancel.defaultPrevented).toBe(true);
    gate()?.dispatchEvent(new Event('close'));
    expect(gate()).toHaveAttribute('open');
  });
});

describe('a launch', () => {
  it('shows the whole command, one numbered argument a line, and where secrets are', async () => {
    const { arrive, pass, key, answers } = await openHarness();
    await arrive(tideLaunch);
    await pass(700);
    expect(gate()).toHaveAccessibleName('Let Tide archive run programs on this computer?');
    const lines = [...document.querySelectorAll('.code .ln')].map((line) =>
      line.textContent.replace(/\s+/g, ' ').trim(),
    );
    expect(lines).toEqual(['/usr/bin/docker', ...tideLaunch.launch!.args.map((text, i) => `${i + 1}${text}`)]);
    expect(screen.getByText('gatehouse/tide-archive')).toBeVisible();
    expect(screen.getByText(/arguments 4 and 5/)).toBeVisible();
    hideEnd(false);
    await pass(0);
    await key('Enter', { ctrlKey: true });
    expect(answers()).toEqual([['req-tide', tideLaunch.digest, yes]]);
  });

  it('shows what changed since it was approved', async () => {
    const { arrive } = await openHarness();
    await arrive({ ...tideLaunch, before: { ...tideLaunch.launch!, args: ['run', '--rm'] } });
    expect(screen.getByText('Changed since you last approved it')).toBeVisible();
    expect(screen.getAllByText('added').length).toBeGreaterThan(3);
  });
});
