import { afterEach, describe, expect, it, vi } from 'vitest';
import type { FakeBackend } from '@/backend/fake';
import { shellCall } from '@/test/gate';
import { openPage, optionsOf } from '@/test/page';

const dialog = () => document.querySelector<HTMLElement>('dialog.overlay');
const field = () => dialog()!.querySelector<HTMLInputElement>('[role=combobox]')!;
const words = () => optionsOf(dialog()!).map((option) => option.textContent.replace(/\s+/g, ' ').trim());
const chosen = () => dialog()!.querySelector('[aria-selected=true]')?.textContent.trim();

async function open(prepare?: (backend: FakeBackend) => void) {
  const page = await openPage({ page: 'history' }, prepare);
  const search = async (text: string) => {
    await page.type(field(), text);
    await page.pass(200);
  };
  const jump = () => page.key(document.body, 'k', { ctrlKey: true });
  await jump();
  return { ...page, search, jump };
}

afterEach(() => vi.useRealTimers());

describe('search and jump', () => {
  it('opens on Ctrl K with pages, servers and actions, and the first one chosen', async () => {
    await open();
    expect(field()).toHaveFocus();
    expect(words()).toEqual(expect.arrayContaining(['Inbox', 'Settings', 'Add server', 'Settings: About']));
    expect(words().some((text) => text.startsWith('Shell'))).toBe(true);
    expect(chosen()).toBe('Inbox');
    const option = document.getElementById(field().getAttribute('aria-activedescendant')!);
    expect(option).toHaveAttribute('aria-selected', 'true');
  });

  it('jumps to a page with arrows and Enter', async () => {
    const { app, key } = await open();
    await key(field(), 'ArrowDown');
    expect(chosen()).toBe('Chat');
    await key(field(), 'ArrowUp');
    await key(field(), 'ArrowUp');
    expect(chosen()).toBe('Settings: About');
    await key(field(), 'Enter');
    expect(app.shell.route).toEqual({ page: 'settings', section: 'about' });
    expect(dialog()).toBeNull();
  });

  it('finds tools by asking for them once typing pauses', async () => {
    const { app, backend, search, key } = await open();
    const asked = vi.spyOn(backend, 'listTools');
    await search('run_');
    expect(asked).toHaveBeenCalledOnce();
    expect(words()).toEqual(['run_script Shell']);
    await key(field(), 'Enter');
    expect(app.shell.route).toMatchObject({ page: 'tools', name: 'run_script' });
  });

  it('offers no tools that other words have found', async () => {
    const { type, search, pass } = await open();
    await search('run_');
    await type(field(), 'shortcuts');
    expect(words()).toEqual(['Show the keyboard shortcuts']);
    await pass(200);
    expect(words()).toEqual(['Show the keyboard shortcuts']);
  });

  it('keeps what is chosen while tools come in', async () => {
    const { type, key, pass } = await open();
    await type(field(), 'se');
    await key(field(), 'ArrowDown');
    const before = chosen();
    await pass(200);
    expect(chosen()).toBe(before);
  });

  it('shows the names of servers as what they are', async () => {
    await open((backend) => (backend.servers[0]!.name = '<b>Inbox</b>\u202e'));
    const row = optionsOf(dialog()!).find((option) => option.textContent.includes('<b>Inbox</b>'));
    expect(row?.querySelector('.hid')).not.toBeNull();
    expect(row?.querySelector('b')).toBeNull();
  });

  it('runs actions, also by the pointer', async () => {
    const { app, press, search } = await open();
    await search('add server');
    await press(optionsOf(dialog()!)[0]!);
    expect(app.shell.route).toEqual({ page: 'servers', add: true });
  });

  it('says when nothing has that name, and Enter does nothing', async () => {
    const { app, search, key } = await open();
    await search('zzz');
    expect(dialog()).toHaveTextContent('Nothing has that name.');
    await key(field(), 'Enter');
    expect(app.shell.overlay).toBe('jump');
  });

  it('leaves Enter to an input method that is composing', async () => {
    const { app, key } = await open();
    await key(field(), 'Enter', { isComposing: true });
    expect(app.shell.overlay).toBe('jump');
  });

  it('closes on Ctrl K and when the dialog is cancelled', async () => {
    const { app, key, jump } = await open();
    await key(field(), 'k', { ctrlKey: true });
    expect(dialog()).toBeNull();
    await jump();
    dialog()!.dispatchEvent(new Event('close'));
    expect(app.shell.overlay).toBe('');
  });
});

describe('over a gate', () => {
  it('neither search nor shortcuts open', async () => {
    const { app, key, pass, jump } = await open();
    await key(field(), 'k', { ctrlKey: true });
    app.inbox.open = shellCall;
    await jump();
    await key(document.body, '?');
    expect(app.shell.overlay).toBe('');
    app.shell.overlay = 'jump'; // whoever asked for it
    await pass(1);
    expect(dialog()).toBeNull();
  });

  it('they give way to a gate that opens', async () => {
    const { app, backend, pass } = await open();
    app.shell.overlay = 'shortcuts';
    await pass(1);
    backend.requests.push(structuredClone(shellCall));
    backend.emit('pending');
    await pass(1);
    expect(app.inbox.open?.id).toBe(shellCall.id);
    expect(dialog()).toBeNull();
    expect(app.shell.overlay).toBe('');
  });

  it('a request waits while its user types, and comes when the search closes', async () => {
    const { app, backend, key, pass } = await open();
    backend.requests.push(structuredClone(shellCall));
    backend.emit('pending');
    await pass(1);
    expect(app.inbox.open).toBeNull();
    await key(field(), 'k', { ctrlKey: true });
    await pass(1);
    expect(app.inbox.open?.id).toBe(shellCall.id);
  });
});
