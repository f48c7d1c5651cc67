// Which server gets to know of which folder (ACC-A44), and the gate before the first telling.

import { fireEvent, screen } from '@testing-library/svelte';
import { afterEach, expect, it, vi } from 'vitest';
import { ledgerRootAdd, ledgerRoots } from '@/backend/fake/asks';
import { button, gate, isOff, no, openHarness, yes } from '@/test/gate';
import { buttonOf, openPage } from '@/test/page';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const cell = buttonOf;

it('shows folders by server, and changes one cell by each press', async () => {
  const { press, calls } = await openPage({ page: 'roots' });
  expect(cell(/^harbour, Shell: Visible/)).toBeVisible();
  await press(cell(/^tides, Shell: Hidden/));
  await press(cell(/^tides, Shell: Ask/));
  expect(cell(/^tides, Shell: Visible/)).toBeVisible();
  expect(calls('showRoot')).toEqual([
    ['root-tides', 'srv-shell', 'ask'],
    ['root-tides', 'srv-shell', 'visible'],
  ]);
});

it('moves by arrows, warns of what is missing and of the whole home, and shows what a server gets', async () => {
  await openPage({ page: 'roots' });
  const first = cell(/^harbour, Postgres/);
  first.focus();
  await fireEvent.keyDown(first, { key: 'ArrowDown' });
  expect(document.activeElement).toHaveAccessibleName(/^tides, Postgres/);
  expect(screen.getByText(/leads elsewhere by now/)).toBeVisible();
  expect(screen.getByText(/whole home folder/)).toBeVisible();
  await fireEvent.change(screen.getByRole('combobox', { name: /As seen by/ }), { target: { value: 'srv-pg' } });
  const seen = screen.getByRole('complementary', { name: /As seen by/ });
  expect(seen).toHaveTextContent('file:///home/mara/work/harbour');
  expect(seen).toHaveTextContent('file:///home/mara/data/tides');
});

async function openGate() {
  const test = await openHarness();
  await test.arrive(ledgerRoots);
  await test.pass(700);
  return test;
}

it('asks before the first telling, with exactly what would leave', async () => {
  const { answers, key } = await openGate();
  expect(gate()).toHaveAccessibleName('Ledger asks which folders it may know about');
  expect(gate()).toHaveAccessibleDescription(/Folder paths would leave this computer/);
  expect(gate()).toHaveTextContent('file:///home/mara/data/tides');
  await key('Escape');
  expect(answers()).toEqual([]);
  await fireEvent.click(button(/^Reveal 2 folders/));
  expect(answers()).toEqual([['req-roots', ledgerRoots.digest, yes]]);
});

it('tells only those that are left, and none at a letter', async () => {
  const { answers, key, pass, backend, arrive } = await openGate();
  await fireEvent.click(screen.getByRole('checkbox', { name: /tides/ }));
  expect(isOff(button(/^Reveal 1 folder/))).toBe(true); // Go does not have it yet
  await pass(0);
  expect(backend.log.find(([method]) => method === 'amend')?.[2]).toBe(
    '{"roots":[{"uri":"file:///home/mara/work/harbour","name":"harbour"}]}',
  );
  await fireEvent.click(button(/^Reveal 1 folder/));
  expect(answers()).toHaveLength(1);
  await pass(0);
  await arrive({ ...ledgerRoots, id: 'req-second' });
  await pass(700);
  await key('d', {}, button(/^Reveal none/));
  expect(answers()[1]?.[2]).toEqual(no);
});

it('adds what a server asks for only when told so, and shows it as it would be kept', async () => {
  const { answers, arrive, pass, key } = await openHarness();
  await arrive(ledgerRootAdd);
  await pass(700);
  expect(gate()).toHaveAccessibleName('Ledger asks to add ledger to the roots');
  expect(gate()).toHaveAccessibleDescription(/Folder paths would leave this computer/);
  expect(gate()).toHaveTextContent('file:///home/mara/work/ledger');
  expect(gate()).toHaveTextContent('Marked read-only');
  expect(gate()!.querySelector('blockquote')).toHaveTextContent('"name":"Books"');
  await fireEvent.click(button(/^Add and show/));
  expect(answers()).toEqual([['req-root-add', ledgerRootAdd.digest, yes]]);
  await pass(0);
  const server = { ...ledgerRootAdd.server, origin: '/usr/bin/ledger' };
  await arrive({ ...ledgerRootAdd, id: 'req-forget', kind: 'rootRemove', server });
  await pass(700);
  expect(gate()).toHaveAccessibleName('Ledger asks to forget ledger');
  await key('d', {}, button(/^Refuse/));
  expect(answers()[1]?.[2]).toEqual(no);
});
