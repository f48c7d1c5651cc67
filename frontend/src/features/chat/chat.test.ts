import { afterEach, describe, expect, it, vi } from 'vitest';
import { callView } from '@/backend/fake/calls';
import { markup } from '@/backend/fake/hostile';
import { requests } from '@/backend/fake/requests';
import { buttonOf, openPage, optionsOf } from '@/test/page';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const log = () => document.querySelector<HTMLElement>('[role=log]')!;
const composer = () => document.querySelector<HTMLTextAreaElement>('.composer textarea')!;
const item = (changes: object) => ({
  id: 'item-9',
  role: 'tool' as const,
  text: '',
  streaming: false,
  at: '',
  call: null,
  note: '',
  attached: [],
  ...changes,
});

describe('the composer', () => {
  it('sends by Enter, but not with Shift, not while an input method composes, and not by a held key', async () => {
    const { type, key, backend } = await openPage({ page: 'chat' }, (fake) => {
      fake.talk.waiting = '';
      fake.talk.items = [];
    });
    await type(composer(), 'Which berths?');
    await key(composer(), 'Enter', { shiftKey: true });
    await key(composer(), 'Enter', { isComposing: true });
    await key(composer(), 'Enter', { repeat: true });
    expect(backend.talk.items).toHaveLength(0);
    await key(composer(), 'Enter');
    expect(backend.talk.items.map(({ role, text }) => [role, text])).toEqual([['user', 'Which berths?']]);
    expect(composer().value).toBe('');
    expect(composer().placeholder).toBe('Write the model’s answer, or pick a tool above');
  });

  it('says why nothing can be sent', async () => {
    await openPage({ page: 'chat' }, (fake) => (fake.talk.waiting = 'decision'));
    expect(composer().placeholder).toBe('A call waits for your decision');
    expect(buttonOf(/^Send$/)).toHaveAttribute('aria-disabled', 'true');
  });
});

describe('a call in the conversation', () => {
  it('is folded when done, with time and who allowed it', async () => {
    const { press } = await openPage({ page: 'chat' });
    const card = log().querySelector('article.card')!;
    expect(card.textContent.replace(/\s+/g, ' ')).toMatch(/query · Postgres \(staging\) Finished · 84 ms.*Allowed/);
    expect(card.querySelector('table')).toBeNull();
    await press(buttonOf(/^Show the result$/));
    expect(card.querySelector('table')).not.toBeNull();
    expect(card.textContent).toMatch(/Sent exactly as\s*\{"sql":"select berth/);
  });

  it('leads to its request while it waits', async () => {
    const [, shellCall] = requests;
    const { press, app } = await openPage({ page: 'chat' }, (fake) => {
      fake.requests = [structuredClone(shellCall!)];
      const call = { ...callView, id: shellCall!.call, state: 'asking' as const };
      fake.calls.set(call.id, call);
      fake.talk.items.push(item({ call }));
    });
    await press(buttonOf(/^Review$/));
    expect(app.inbox.open?.id).toBe(shellCall!.id);
  });

  it('shows the reason of a denial', async () => {
    await openPage({ page: 'chat' }, (fake) => {
      const call = {
        ...callView,
        state: 'denied' as const,
        reason: 'not today',
        blocks: [],
        structured: '',
        raw: '',
        edited: true,
      };
      fake.talk.items.push(item({ call }));
    });
    expect(log()).toHaveTextContent('Denied');
    expect(log()).toHaveTextContent('Reason: not today');
    expect(log()).toHaveTextContent('Arguments changed by you');
  });

  it('shows a call that was never made by its name and the reason', async () => {
    await openPage({ page: 'chat' }, (fake) => {
      const call = {
        ...callView,
        id: '',
        state: '' as never,
        tool: 'no_such_tool',
        blocks: [],
        structured: '',
        raw: '',
        by: '',
      };
      fake.talk.items.push(item({ call, note: 'unknownTool' }));
    });
    const card = [...log().querySelectorAll('article.card')].at(-1)!;
    expect(card).toHaveTextContent('no_such_tool');
    expect(card).toHaveTextContent('Nothing was run.');
    expect(card.querySelector('button')).toBeNull();
  });

  it('follows a running call by itself and settles with the conversation', async () => {
    const { pass, backend } = await openPage({ page: 'chat' }, (fake) => {
      const call = { ...callView, id: 'call-7', state: 'running' as const };
      fake.calls.set(call.id, call);
      fake.talk.items.push(item({ call }));
    });
    await pass(200);
    backend.calls.get('call-7')!.progress = { done: 2, total: 0, message: 'two of them' };
    backend.emit('call', 'call-7');
    await pass(200);
    expect(log()).toHaveTextContent('2 so far');
    expect(log()).toHaveTextContent('two of them');
    backend.calls.get('call-7')!.progress = { done: 3, total: 20, message: '3 of 20' };
    backend.emit('call', 'call-7');
    await pass(200);
    expect(log().textContent.match(/3 of 20/g)).toHaveLength(1);
    backend.talk.items.at(-1)!.call = { ...callView, id: 'call-7', tool: 'settled' };
    backend.emit('chat');
    await pass(200);
    expect(log().querySelectorAll('[role=progressbar]')).toHaveLength(0);
    expect(log()).toHaveTextContent('settled');
  });
});

describe('the user as the model', () => {
  it('picks a tool, fills in its form and runs it', async () => {
    const { press, type, pass, key, calls } = await openPage({ page: 'chat' });
    await press(buttonOf(/^Pick a tool…$/));
    await pass(200);
    await press(optionsOf()[2]!);
    await pass(1);
    const panel = log().querySelector<HTMLElement>('section')!;
    expect(panel).toHaveTextContent('query');
    await type(panel.querySelector('textarea')!, 'select 1');
    await pass(700);
    await key(panel.querySelector('[aria-haspopup=listbox]')!, 'Enter', { ctrlKey: true });
    expect(panel.querySelector('[role=listbox]')).toBeNull();
    expect(calls('runCall')).toHaveLength(1);
    expect(calls('runCall')[0]?.[0]).toBe('panel:chat');
  });
});

describe('several conversations', () => {
  const menu = () => buttonOf(/^Chats, now/);
  const entries = () => [...document.querySelectorAll<HTMLElement>('[role=menuitemradio]')];
  const words = () => entries().map(({ textContent }) => textContent.replace(/\s+/g, ' ').trim());
  const open = () => openPage({ page: 'chat' }, (fake) => (fake.talk.waiting = ''));

  it('are begun by Ctrl N, and each keeps what is typed and composed in it', async () => {
    const { key, type, press, app, calls } = await open();
    await type(composer(), 'half a thought');
    await app.conversation.call.open('srv-notes', 'publish');
    await key(document.body, 'n', { ctrlKey: true });
    expect(composer().value).toBe('');
    expect(document.activeElement).toBe(composer());
    expect(document.querySelector('section.card.open')).toBeNull();
    await type(composer(), 'Tide tables');
    await key(composer(), 'Enter');
    expect(calls('chatSend').length + app.conversation.items.length).toBe(1);
    await press(menu());
    expect(words()).toEqual(['Tide tables Your move', 'October berth delays']);
    await press(entries()[1]!);
    expect(composer().value).toBe('half a thought');
    expect(document.querySelector('section.card.open')).not.toBeNull();
    expect(log()).toHaveTextContent('Which berths ran late');
  });

  it('are not begun again while one is empty', async () => {
    const { key, backend } = await open();
    await key(document.body, 'n', { ctrlKey: true });
    await key(document.body, 'n', { ctrlKey: true });
    expect(backend.talks.all).toHaveLength(2);
  });

  it('are removed after a question, unless nothing was said in them', async () => {
    const { key, press, backend } = await open();
    await key(document.body, 'n', { ctrlKey: true });
    await press(menu());
    await press(buttonOf(/^Remove this chat…$/));
    expect(backend.talks.all.map(({ title }) => title)).toEqual(['October berth delays']);
    expect(log()).toHaveTextContent('Which berths ran late');
    await press(menu());
    await press(buttonOf(/^Remove this chat…$/));
    expect(backend.talks.all).toHaveLength(1);
    await press(buttonOf(/^Remove$/));
    expect(backend.talks.all.map(({ title }) => title)).toEqual(['']);
    expect(document.querySelector('.start')).not.toBeNull();
  });

  it('are followed each by its own hints', async () => {
    const { key, pass, backend, app } = await open();
    const first = app.conversation;
    await key(document.body, 'n', { ctrlKey: true });
    const before = first.chat.value;
    backend.emit('chat', app.conversation.id);
    await pass(300);
    expect(first.chat.value).toBe(before);
    backend.emit('chat', first.id);
    await pass(300);
    expect(first.chat.value).not.toBe(before);
  });

  it('lead to the choice of a tool by Ctrl M, or to the message box when there is none', async () => {
    const { key, backend, app, pass } = await openPage({ page: 'settings' });
    await key(document.body, 'm', { ctrlKey: true });
    expect(app.shell.route.page).toBe('chat');
    expect(document.activeElement).toBe(buttonOf(/^Pick a tool…$/));
    app.shell.go({ page: 'settings' });
    backend.servers = [];
    backend.emit('servers');
    await pass(1);
    await key(document.body, 'm', { ctrlKey: true });
    expect(document.activeElement).toBe(composer());
  });
});

it('shows what models and tools write as text', async () => {
  await openPage({ page: 'chat' }, (fake) => {
    const text = markup.join('\n\n');
    fake.talk.title = text;
    fake.talk.items.push(
      { ...item({}), id: 'a', role: 'model', text: `${text}\n\`\`\`html\n${text}\n\`\`\``, streaming: true },
      { ...item({}), id: 'b', role: 'user', text },
      {
        ...item({}),
        id: 'c',
        call: { ...callView, state: 'toolError', tool: text, serverName: text, error: text },
        note: text,
      },
    );
  });
  expect(document.querySelectorAll('main img, main script, main iframe, main a, main form, main style')).toHaveLength(
    0,
  );
  expect('__pwned' in window).toBe(false);
});
