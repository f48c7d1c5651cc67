import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BackendFailure } from '@/backend/errors';
import type { FakeBackend } from '@/backend/fake';
import { buttonOf, openPage, optionsOf } from '@/test/page';

// jsdom lays nothing out: the list would draw its first lines only.
beforeEach(() => void vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const open = (prepare?: (backend: FakeBackend) => void) =>
  openPage({ page: 'prompts', serverId: 'srv-notes', name: 'handover' }, prepare);
const pane = () => document.querySelector<HTMLElement>('section.details')!;
const foot = () => pane().querySelector<HTMLElement>('.foot')!;
const field = (name: string) => pane().querySelector<HTMLInputElement>(`input[id$="-${name}"]`)!;
const option = (text: string) => optionsOf().find((each) => each.textContent.includes(text))!;
const proposals = () => [...pane().querySelectorAll('.value')].map((each) => each.textContent);

describe('the list', () => {
  it('shows what each connected server lists, by title and name, and narrows it', async () => {
    const { type } = await open();
    expect(document.querySelector('.head')).toHaveTextContent('5 on 2 servers');
    expect(option('/handover')).toHaveTextContent('Draft a shift handover');
    expect(option('/handover')).toHaveTextContent('3 fields');
    await type(document.querySelector('.search input')!, 'weekly');
    expect(optionsOf()).toHaveLength(2);
  });
});

describe('a prompt', () => {
  it('sends nothing while a required argument is empty, and leaves empty ones out', async () => {
    const { press, type, calls } = await open();
    expect(buttonOf(/^Preview$/, foot())).toHaveAttribute('title', 'Still empty: Shift and Berth');
    await press(buttonOf(/^Preview$/, foot()));
    expect(calls('getPrompt')).toEqual([]);
    await type(field('shift'), 'early');
    await type(field('berth'), 'B1');
    await press(buttonOf(/^Preview$/, foot()));
    expect(calls('getPrompt')).toEqual([['srv-notes', 'handover', { shift: 'early', berth: 'B1' }]]);
  });

  it('shows every part before it can be used, and is shown anew when an argument changes', async () => {
    const { app, press, type, backend } = await open();
    await type(field('shift'), 'early');
    await type(field('berth'), 'B1');
    expect(buttonOf(/^Use in chat$/)).toHaveAttribute('title', expect.stringContaining('Preview it first'));
    await press(buttonOf(/^Preview$/, foot()));
    const shown = pane().querySelector<HTMLElement>('blockquote[aria-label^="Filled in by"]')!;
    expect(shown).toHaveTextContent('Message from you');
    expect(shown).toHaveTextContent('Attached to it');
    expect(shown).toHaveTextContent('Answer written beforehand');
    expect(shown.querySelector('img')).not.toBeNull();
    await type(field('berth'), 'B2');
    await press(buttonOf(/^Use in chat$/));
    expect(backend.waiting).toEqual([]);
    await press(buttonOf(/^Refresh preview$/));
    await press(buttonOf(/^Use in chat$/));
    expect(app.shell.route).toEqual({ page: 'chat' });
    expect(backend.waiting).toHaveLength(1);
    expect(backend.talks.all[0]!.items).toHaveLength(3); // nothing was sent
  });

  it('says how many hidden characters it holds', async () => {
    const { press, app } = await open();
    app.shell.go({ page: 'prompts', serverId: 'srv-notes', name: 'tour' });
    await vi.waitFor(() => expect(pane()).toHaveTextContent('This prompt has no arguments.'));
    expect(pane().querySelector('blockquote')).toHaveTextContent('Shows <b>everything</b>.');
    await press(buttonOf(/^Preview$/, foot()));
    expect(pane()).toHaveTextContent('It holds 2 hidden characters.');
  });

  it('says why it is refused, in its server’s words', async () => {
    const { press, type } = await open((fake) => {
      fake.getPrompt = async () => Promise.reject(new BackendFailure('server-error', 'x', 'no <i>such</i> shift'));
    });
    await type(field('shift'), 'x');
    await type(field('berth'), 'y');
    await press(buttonOf(/^Preview$/, foot()));
    expect(pane().querySelector('.half blockquote')).toHaveTextContent('no <i>such</i> shift');
  });
});

describe('completion', () => {
  it('asks once before a server sees what is typed, and sends nothing meanwhile', async () => {
    const { type, pass, press, calls, backend } = await open();
    await type(field('berth'), 'B');
    expect(calls('complete')).toEqual([]);
    await pass(250);
    expect(pane()).toHaveTextContent('Notes can propose values while you type.');
    expect(proposals()).toEqual([]);
    await press(buttonOf(/^Let it see$/, pane()));
    expect(backend.prompts['srv-notes']!.completion).toBe('on');
    expect(proposals()).toEqual(['B1', 'B1 outer', 'B10', 'B2']);
  });

  it('does not ask a server that the user has refused', async () => {
    const { type, pass, press, backend } = await open();
    await type(field('berth'), 'B');
    await pass(250);
    await press(buttonOf(/^Don’t$/, pane()));
    expect(backend.prompts['srv-notes']!.completion).toBe('off');
    await type(field('berth'), 'B1');
    await pass(250);
    expect(pane().querySelector('.ask, .pop')).toBeNull();
  });

  const on = (fake: FakeBackend) => void (fake.prompts['srv-notes']!.completion = 'on');

  it('asks after a pause, for what is typed last, and not for what was answered', async () => {
    const { type, pass, calls } = await open(on);
    await type(field('shift'), 'e');
    await type(field('berth'), 'B');
    await pass(200);
    await type(field('berth'), 'B1');
    await pass(250);
    expect(calls('complete')).toEqual([
      [
        {
          serverId: 'srv-notes',
          kind: 'prompt',
          name: 'handover',
          argument: 'berth',
          value: 'B1',
          settled: { shift: 'e' },
        },
      ],
    ]);
    expect(pane()).toHaveTextContent('It saw “B1” and shift. 117 more: type on.');
    await type(field('berth'), 'B');
    await type(field('berth'), 'B1');
    expect(proposals()).toEqual(['B1', 'B1 outer', 'B10']);
    await pass(250);
    expect(calls('complete')).toHaveLength(1);
  });

  it('is chosen from by keyboard', async () => {
    const { type, pass, key } = await open(on);
    await type(field('berth'), 'B');
    await pass(250);
    await key(field('berth'), 'ArrowDown');
    await key(field('berth'), 'ArrowDown');
    expect(field('berth')).toHaveAttribute('aria-activedescendant', expect.stringMatching(/-1$/));
    await key(field('berth'), 'Enter');
    expect(field('berth')).toHaveValue('B1 outer');
    expect(proposals()).toEqual([]);
    await type(field('berth'), 'B1');
    await pass(250);
    await key(field('berth'), 'Escape');
    expect(proposals()).toEqual([]);
    expect(pane()).not.toBeNull();
  });
});
