import { fireEvent } from '@testing-library/svelte';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { buttonOf, openPage } from '@/test/page';

const area = () => document.querySelector<HTMLElement>('.toasts')!;
const texts = () => [...area().querySelectorAll('.ell')].map((each) => each.textContent);

async function open() {
  const page = await openPage({ page: 'settings' });
  const undone: string[] = [];
  const kept: string[] = [];
  const offer = async (name: string) => {
    page.app.shell.undoable(name, () => undone.push(name), { kept: () => kept.push(name), about: name.split(' ')[0]! });
    await page.pass();
  };
  return { ...page, undone, kept, offer };
}

afterEach(() => vi.useRealTimers());

describe('messages at the corner', () => {
  it('are read out politely and end by themselves', async () => {
    const { app, pass } = await open();
    app.shell.toast('Copied');
    await pass();
    expect(area()).toHaveAttribute('role', 'status');
    expect(texts()).toEqual(['Copied']);
    await pass(4_999);
    expect(texts()).toEqual(['Copied']);
    await pass(1);
    expect(texts()).toEqual([]);
  });

  it('wait while nobody can see the window', async () => {
    const { app, pass } = await open();
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    await fireEvent(document, new Event('visibilitychange'));
    app.shell.toast('Copied');
    await pass(60_000);
    expect(texts()).toEqual(['Copied']);
    hidden.mockReturnValue(false);
    await fireEvent(document, new Event('visibilitychange'));
    await pass(4_999);
    expect(texts()).toEqual(['Copied']);
    await pass(1);
    expect(texts()).toEqual([]);
    hidden.mockRestore();
  });

  it('offer Undo for ten seconds, then what was done is kept', async () => {
    const { offer, pass, kept, undone } = await open();
    await offer('one');
    await pass(9_999);
    expect(kept).toEqual([]);
    await pass(1);
    expect([kept, undone]).toEqual([['one'], []]);
  });

  it('undo once, by button or by Ctrl Z the last of them, but never from within a field', async () => {
    const { offer, press, key, pass, kept, undone } = await open();
    await offer('one');
    await offer('two');
    await offer('three');
    await key(document.querySelector('.sections input')!, 'z', { ctrlKey: true });
    expect(undone).toEqual([]);
    await key(document.body, 'z', { ctrlKey: true });
    expect(undone).toEqual(['three']);
    await press(buttonOf(/^Undo$/));
    expect(undone).toEqual(['three', 'one']);
    await key(document.body, 'z', { ctrlKey: true });
    await key(document.body, 'z', { ctrlKey: true });
    await pass(20_000);
    expect([undone, kept]).toEqual([['three', 'one', 'two'], []]);
  });

  it('give way to a later one about the same thing, which is the one that can be undone', async () => {
    const { offer, press, kept, undone } = await open();
    await offer('Files is switched off');
    await offer('Notes is switched off');
    await offer('Files is removed');
    expect(texts()).toEqual(['Notes is switched off', 'Files is removed']);
    expect(kept).toEqual(['Files is switched off']);
    await press(buttonOf(/^Undo ?Ctrl Z$/));
    expect(undone).toEqual(['Files is removed']);
  });

  it('are kept when they are dismissed', async () => {
    const { offer, press, kept, undone } = await open();
    await offer('one');
    await press(buttonOf(/^Dismiss$/));
    expect([kept, undone]).toEqual([['one'], []]);
  });

  it('wait while they are hovered', async () => {
    const { offer, pass, kept } = await open();
    await offer('one');
    await pass(9_000);
    await fireEvent.pointerEnter(area());
    await offer('two');
    await pass(60_000);
    expect(texts()).toEqual(['one', 'two']);
    await fireEvent.pointerLeave(area());
    await pass(1_000);
    expect(kept).toEqual(['one']);
    await pass(9_000);
    expect(kept).toEqual(['one', 'two']);
  });

  it('are reached by F6, wait while the focus is there, and give it back', async () => {
    const { offer, key, press, pass, undone } = await open();
    const search = document.querySelector<HTMLElement>('.sections input')!;
    search.focus();
    await offer('one');
    await key(document.body, 'F6', { shiftKey: true });
    for (let i = 0; i < 6 && !area().contains(document.activeElement); i++) await key(document.body, 'F6');
    const undo = buttonOf(/^Undo/);
    expect(document.activeElement).toBe(undo);
    await pass(60_000);
    expect(texts()).toEqual(['one']);
    await press(undo);
    expect(undone).toEqual(['one']);
    expect(area().contains(document.activeElement)).toBe(false);
    expect(document.activeElement).not.toBe(document.body);
    await offer('two'); // nothing holds it any more
    await pass(10_000);
    expect(texts()).toEqual([]);
  });
});
