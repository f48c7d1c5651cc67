import { fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { FakeBackend } from '@/backend/fake';
import { requests } from '@/backend/fake/requests';
import { App } from '@/state/app';
import { buttonOf, openPage } from '@/test/page';
import PageHarness from '@/test/PageHarness.svelte';
import InboxPage from './InboxPage.svelte';

async function open() {
  const backend = new FakeBackend();
  const app = new App(backend);
  await app.start();
  render(PageHarness, { app, page: InboxPage });
  return { app, backend };
}

const reviews = () => [...document.querySelectorAll<HTMLElement>('[data-review]')];

describe('inbox', () => {
  it('lists what waits by conversation, with risk and age, and offers no way to allow', async () => {
    await open();
    const headings = [...document.querySelectorAll('h2')].map((heading) => heading.textContent);
    expect(headings).toEqual(['Asked for by you', 'October berth delays']);
    expect(screen.getByText('3 requests wait, nothing of them runs meanwhile')).toBeVisible();
    expect(screen.getAllByRole('listitem')[1]).toHaveTextContent(/Shell wants to run run_script.*1 min/);
    expect(document.body).not.toHaveTextContent(/Allow once|Approve and/);
  });

  it('keeps a call of a conversation without a title under that conversation', async () => {
    const { app, backend } = await open();
    backend.requests = [{ ...requests[1]!, actor: { kind: 'model', name: 'manual', chat: '' } }];
    await app.inbox.refresh();
    await vi.waitFor(() => expect(document.querySelector('h2')).toHaveTextContent('New chat'));
  });

  it('moves by J and K and opens in the gate', async () => {
    const { app } = await open();
    await fireEvent.keyDown(window, { key: 'j' });
    await vi.waitFor(() => expect(reviews()[1]).toHaveFocus());
    await fireEvent.keyDown(window, { key: 'k' });
    await vi.waitFor(() => expect(reviews()[0]).toHaveFocus());
    await fireEvent.click(reviews()[1]!);
    expect(app.inbox.open?.id).toBe('req-shell');
  });

  it('drops the question about all for a gate, and when nothing is left', async () => {
    const { app, backend } = await open();
    await fireEvent.click(screen.getByText('Deny all…'));
    app.inbox.review('req-shell');
    await vi.waitFor(() => expect(document.querySelector('dialog')).toBeNull());
    app.inbox.later();
    expect(document.querySelector('dialog')).toBeNull();
    await fireEvent.click(screen.getByText('Deny all…'));
    expect(screen.getByText('Deny 3 requests?')).toBeVisible();
    backend.requests = [];
    await app.inbox.refresh();
    await vi.waitFor(() => expect(document.querySelector('dialog')).toBeNull());
  });

  it('denies all only after a second press', async () => {
    const { backend } = await open();
    await fireEvent.click(screen.getByText('Deny all…'));
    expect(backend.log.filter(([method]) => method === 'resolve')).toEqual([]);
    expect(screen.getByText('Deny 3 requests?')).toBeVisible();
    await fireEvent.click(screen.getByText('Deny all'));
    await vi.waitFor(() => expect(screen.getByText(/^Nothing waits for you/)).toBeVisible());
    const answers = backend.log.filter(([method]) => method === 'resolve').map(([, , , answer]) => answer);
    expect(answers).toEqual(Array(3).fill({ allow: false, decline: false, reason: '', stop: false }));
  });
});

describe('a request that waited for a field', () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it('opens when the user leaves a field, not when a button loses the focus to a question', async () => {
    const { app, backend, pass } = await openPage({ page: 'chat' });
    document.querySelector('textarea')!.focus();
    backend.requests = structuredClone(requests);
    backend.emit('pending');
    await pass(1);
    expect(app.inbox.items).toHaveLength(3);
    app.shell.go({ page: 'inbox' });
    await pass(1);
    await fireEvent.focusOut(buttonOf(/^Deny all…$/));
    await pass(1);
    expect(app.inbox.open).toBeNull();
    app.shell.go({ page: 'chat' });
    await pass(1);
    await fireEvent.focusOut(document.querySelector('textarea')!);
    await pass(1);
    expect(app.inbox.open).not.toBeNull();
  });
});
