import { fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, describe, expect, it, vi } from 'vitest';
import AppFrame from '@/App.svelte';
import { FakeBackend } from '@/backend/fake';
import { App } from '@/state/app';
import { pages } from '@/state/shell.svelte';

async function open(change: (backend: FakeBackend) => void = () => undefined) {
  const backend = new FakeBackend();
  change(backend);
  const app = new App(backend);
  await app.start();
  app.shell.go({ page: 'settings' });
  render(AppFrame, { app });
  return { app, backend };
}

afterEach(() => vi.restoreAllMocks());

describe('the frame', () => {
  it('opens pages by number, and the inbox by letter', async () => {
    const { app } = await open();
    await fireEvent.keyDown(window, { key: '1', ctrlKey: true });
    expect(app.shell.route.page).toBe('inbox');
    const last = Math.min(9, pages.length);
    await fireEvent.keyDown(window, { key: String(last), ctrlKey: true });
    expect(app.shell.route.page).toBe(pages[last - 1]);
    await fireEvent.keyDown(window, { key: 'i', metaKey: true });
    expect(app.shell.route.page).toBe('inbox');
    await fireEvent.keyDown(window, { key: '3', ctrlKey: true, altKey: true });
    await fireEvent.keyDown(window, { key: '2' });
    expect(app.shell.route.page).toBe('inbox');
  });

  it('changes the text size by Ctrl + and −, also over a dialog, and goes back by Ctrl 0', async () => {
    const { app, backend } = await open();
    const size = async (key: string, want: number) => {
      await fireEvent.keyDown(window, { key, ctrlKey: true });
      await vi.waitFor(() => expect(backend.app.textSize).toBe(want));
      await vi.waitFor(() => expect(document.documentElement.style.getPropertyValue('zoom')).toBe(String(want / 100)));
    };
    await size('+', 110);
    app.shell.overlay = 'shortcuts';
    await size('=', 125);
    await size('-', 110);
    await size('0', 100);
    void fireEvent.keyDown(window, { key: '+', ctrlKey: true }); // two quick ones are two steps
    await size('+', 125);
    await size('0', 100);
  });

  it('keeps its shortcuts to itself while a gate is open', async () => {
    const { app } = await open();
    app.inbox.review('req-shell');
    await vi.waitFor(() => expect(document.querySelector('dialog[open]')).not.toBeNull());
    await fireEvent.keyDown(window, { key: '1', ctrlKey: true });
    expect(app.shell.route.page).toBe('settings');
  });

  it('counts what waits, in the rail and in the title', async () => {
    await open();
    expect(document.querySelector('.inbox .n')).toHaveTextContent('3');
    expect(document.title).toBe('(3) Gatehouse');
  });

  it('announces states of the window until they are dismissed', async () => {
    await open((backend) => (backend.app.notices = [{ code: 'keyring-session', detail: 'no service' }]));
    const notice = screen.getByText(/Secrets are kept in memory/);
    await fireEvent.click(screen.getByText('Dismiss'));
    await vi.waitFor(() => expect(notice).not.toBeInTheDocument());
  });

  it('moves between panes by F6', async () => {
    await open();
    await fireEvent.keyDown(window, { key: 'F6' });
    expect(document.querySelector('.rail')).toContainElement(document.activeElement as HTMLElement);
    await fireEvent.keyDown(window, { key: 'F6' });
    expect(document.querySelector('.main')).toContainElement(document.activeElement as HTMLElement);
  });

  it('gives the banners one stop, and a pane inside another its own', async () => {
    await open(({ app }) => (app.notices = ['keyring-session', 'other'].map((code) => ({ code, detail: '' }))));
    const stops: string[] = [];
    for (let i = 0; i < 4; i++) {
      await fireEvent.keyDown(window, { key: 'F6', shiftKey: i > 0 });
      stops.push(document.activeElement!.closest('[data-pane]')!.className);
    }
    const [rail, , , sections] = stops.map((name) => name.split(' ')[0]);
    expect([rail, sections]).toEqual(['rail', 'notices']);
    expect(new Set(stops).size).toBe(4);
  });

  it.each([
    ['1', '[data-review]'],
    ['2', '.composer textarea'],
    ['3', '[role=listbox]'],
    ['4', '[role=listbox]'],
    ['5', '[role=listbox]'],
    ['6', '[role=listbox]'],
    ['7', '[data-start]'],
    ['8', '[data-start]'],
    ['9', '[role=listbox]'],
  ])('puts the keyboard in the page that Ctrl %s opens', async (key, place) => {
    await open();
    await fireEvent.keyDown(window, { key, ctrlKey: true });
    await vi.waitFor(() => expect(document.activeElement).toBe(document.querySelector(`main ${place}`)));
  });

  it('lists the shortcuts on ?, but not while the user writes', async () => {
    const { app } = await open();
    const field = document.querySelector('.sections input')!;
    await fireEvent.keyDown(field, { key: '?', shiftKey: true });
    expect(app.shell.overlay).toBe('');
    await fireEvent.keyDown(document.body, { key: '?', shiftKey: true });
    const sheet = document.querySelector('dialog.overlay')!;
    expect(sheet.querySelectorAll('kbd').length).toBeGreaterThan(20);
    await fireEvent.click(sheet.querySelector('[aria-label=Close]')!);
    expect(document.querySelector('dialog.overlay')).toBeNull();
  });

  it('lists the shortcuts from the rail, and searches from the title bar', async () => {
    const { app } = await open();
    await fireEvent.click(document.querySelector('.rail [title="Keyboard shortcuts"]')!);
    expect(app.shell.overlay).toBe('shortcuts');
    app.shell.overlay = '';
    await fireEvent.click(document.querySelector('.srch')!);
    expect(app.shell.overlay).toBe('jump');
  });
});
