import { afterEach, describe, expect, it, vi } from 'vitest';
import type { FakeBackend } from '@/backend/fake';
import { attachmentOf } from '@/backend/fake/prompts';
import { buttonOf, openPage, optionsOf } from '@/test/page';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const tide = 'notes://files/tide-table.md';
const field = () => document.querySelector<HTMLTextAreaElement>('.composer textarea')!;
const chips = () => [...document.querySelectorAll<HTMLElement>('.composer .attachment')];
const withTide = (backend: FakeBackend) =>
  void backend.waiting.push(attachmentOf({ id: 'att-1', kind: 'resource', origin: tide }));
const asUser = (backend: FakeBackend) => void (backend.talks.all[0]!.waiting = '');

async function open(...prepare: ((backend: FakeBackend) => void)[]) {
  const page = await openPage({ page: 'chat' }, (backend) => prepare.forEach((each) => each(backend)));
  return {
    ...page,
    /** Types with the caret behind what is typed. */
    async write(text: string) {
      field().value = text;
      field().setSelectionRange(text.length, text.length);
      await page.type(field(), text);
      await page.pass(150);
    },
  };
}

describe('“/” and “@”', () => {
  it('offers prompts and tools in two groups, and goes where a prompt is filled in', async () => {
    const { write, key, app } = await open();
    await write('/');
    const groups = [...document.querySelectorAll('.offers [role=group]')].map((each) =>
      each.getAttribute('aria-label'),
    );
    expect(groups).toEqual(['Prompts', 'Tools']);
    await write('/hand');
    expect(optionsOf()[0]).toHaveTextContent('/handover');
    await key(field(), 'Enter');
    expect(app.shell.route).toEqual({ page: 'prompts', serverId: 'srv-notes', name: 'handover' });
    expect(app.conversation.text).toBe('');
  });

  it('moves by arrows, marks the row for the field, and closes by Esc without sending', async () => {
    const { write, key, calls } = await open(asUser);
    await write('/');
    const first = field().getAttribute('aria-activedescendant');
    await key(field(), 'ArrowDown');
    expect(field().getAttribute('aria-activedescendant')).not.toBe(first);
    await key(field(), 'ArrowUp');
    expect(field().getAttribute('aria-activedescendant')).toBe(first);
    await key(field(), 'Escape');
    expect(document.querySelector('.offers')).toBeNull();
    expect(field()).toHaveValue('/');
    expect(calls('attachResource')).toEqual([]);
  });

  it('opens a tool in the manual panel', async () => {
    const { write, key, app } = await open();
    await write('/late_arr');
    await key(field(), 'Enter');
    expect(app.conversation.call.name).toBe('late_arrivals');
  });

  it('attaches a resource, which is read then, and keeps the other words', async () => {
    const { write, key, calls, app } = await open(asUser);
    await write('look at @tide');
    expect(optionsOf()[0]).toHaveTextContent('tide-table.md');
    await key(field(), 'Enter');
    expect(calls('attachResource')).toEqual([['srv-notes', tide]]);
    expect(app.conversation.text).toBe('look at ');
    expect(chips()[0]).toHaveTextContent('tide-table.md, from Notes');
  });

  it('takes no slash in the middle and no address for a wish', async () => {
    const { write } = await open();
    for (const text of ['and/or', 'what /x', 'me@home']) {
      await write(text);
      expect(document.querySelector('.offers')).toBeNull();
    }
  });
});

describe('what is attached', () => {
  it('is shown with its size and server, can be looked at and taken out', async () => {
    const { press, backend } = await open(withTide);
    expect(chips()[0]).toHaveTextContent('tide-table.md, from Notes 8.2 kB');
    await press(buttonOf(/^Show tide-table\.md$/));
    expect(document.querySelector('.composer blockquote')).toHaveAttribute('aria-label', 'From Notes, not checked');
    expect(document.querySelector('.composer blockquote')).toHaveTextContent('Early shift');
    await press(buttonOf(/^Take out tide-table\.md$/));
    expect(chips()).toEqual([]);
    expect(backend.waiting).toEqual([]);
  });

  it('goes with the next message, with or without words, and stays visible there', async () => {
    const { press, backend } = await open(withTide, asUser);
    await press(buttonOf(/^Send$/));
    const sent = backend.talks.all[0]!.items.at(-1)!;
    expect(sent).toMatchObject({ role: 'user', text: '', attached: [{ id: 'att-1', sent: true }] });
    expect(chips()).toEqual([]);
    await vi.waitFor(() => expect(document.querySelector('.msg.me:last-of-type .attachment')).not.toBeNull());
  });

  it('does not go with what the user says as the model', async () => {
    const { press, type, backend } = await open(withTide);
    expect(document.querySelector('.composer')).toHaveTextContent('It goes with your next message as yourself.');
    await press(buttonOf(/^Send$/));
    expect(backend.talks.all[0]!.items).toHaveLength(3);
    await type(field(), 'Done.');
    await press(buttonOf(/^Send$/));
    expect(backend.talks.all[0]!.items.at(-1)).toMatchObject({ role: 'model', attached: [] });
    expect(chips()).toHaveLength(1);
  });
});
