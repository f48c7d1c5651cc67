// An address in the gate: whole before anything opens, three answers, and a card until the user has finished (ACC-A42,
// SEC-F1, F3, F11).

import { fireEvent } from '@testing-library/svelte';
import { afterEach, expect, it, vi } from 'vitest';
import { ledgerVisit, lookAlikeVisit, openVisit } from '@/backend/fake/asks';
import type { PendingItem } from '@/backend/backend';
import { button, gate, hideEnd, isOff, no, openHarness, yes } from '@/test/gate';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function open(item: PendingItem) {
  const test = await openHarness();
  await test.arrive(item);
  await test.pass(700);
  hideEnd(false);
  await test.pass(20);
  return test;
}

const whole = () => document.querySelector('.address')?.textContent;

it('shows the whole address with its domain set off, and says where it leads', async () => {
  const { app } = await open(ledgerVisit);
  expect(gate()).toHaveAccessibleName('Ledger wants to open payport.example');
  expect(gate()).toHaveAccessibleDescription(/Opens a page in your browser/);
  expect(whole()).toBe('https://login.payport.example/consent?client=harbour&state=9f2c71d0e4&scope=invoices.read');
  expect(document.querySelector('.address strong')).toHaveTextContent('payport.example');
  expect(gate()).toHaveTextContent('2 times, last on');
  expect(gate()?.querySelectorAll('a, iframe')).toHaveLength(0);
  expect(document.activeElement).toBe(button(/^Decline/));
  expect(app.shell.announcement).toContain('Ledger wants to open payport.example');
});

it('opens, declines and cancels, each as itself', async () => {
  const test = await open(ledgerVisit);
  await fireEvent.click(button(/^Open in browser/));
  await test.pass(0);
  await test.arrive(ledgerVisit);
  await test.pass(700);
  await fireEvent.click(button(/^Decline/));
  await test.pass(0);
  await test.arrive(ledgerVisit);
  await test.pass(700);
  await test.key('Escape');
  expect(test.answers().map(([, , answer]) => answer)).toEqual([yes, { ...no, decline: true }, no]);
});

it('opens nothing before it was seen, and not before its end was in view', async () => {
  const test = await openHarness();
  await test.arrive(ledgerVisit);
  hideEnd(true);
  await test.pass(650);
  await fireEvent.click(button(/^Open in browser/));
  await test.pass(100);
  await test.key('Enter', { ctrlKey: true });
  expect(test.answers()).toEqual([]);
});

it('takes a second press for a look-alike, and names its letters', async () => {
  const { answers, key } = await open(lookAlikeVisit);
  expect(gate()).toHaveAccessibleDescription(/may imitate another one.*p\u0430yport\.example/);
  expect(whole()).toContain('xn--pyport-3nf.example');
  expect(gate()).toHaveTextContent('“\u0430” is Cyrillic, U+0430');
  await key('Enter', { ctrlKey: true });
  expect(answers()).toEqual([]);
  await fireEvent.click(button(/^Open anyway/));
  expect(answers()).toEqual([]);
  await fireEvent.click(button(/^Open in browser/));
  expect(answers()).toHaveLength(1);
});

it.each([
  ['a remote server to this computer', 'https://ledger.example/mcp', 'local-address', true],
  ['a local server to this computer', 'uvx ledger', 'local-address', false],
  ['a remote server into the network', 'https://ledger.example/mcp', 'private-address', true],
  ['a number in disguise', 'uvx ledger', 'odd-host', true],
] as const)('warns of %s', async (_, origin, code, doubtful) => {
  const findings = [{ ...ledgerVisit.risk.findings[0]!, code }];
  const server = { ...ledgerVisit.server, origin };
  await open({ ...ledgerVisit, server, risk: { ...ledgerVisit.risk, findings } });
  expect(button(doubtful ? /^Open anyway/ : /^Open in browser/)).toBeVisible();
});

it('waits after opening: once more, finished, or not any longer', async () => {
  const test = await open(openVisit);
  expect(gate()).toHaveTextContent('list_invoices is asked for again when you have finished');
  await fireEvent.click(button(/^Open again/));
  expect(test.backend.log.filter(([method]) => method === 'openAgain')).toEqual([['openAgain', 'visit-ledger']]);
  await test.key('Escape');
  expect(gate()).toBeNull();
  expect(test.answers()).toEqual([]);

  test.app.inbox.review('visit-ledger');
  await test.pass(700);
  await fireEvent.click(button(/^I have finished/));
  expect(test.answers().map(([, , answer]) => answer)).toEqual([yes]);
});

it('never goes on by itself when the server says that it is done, and is not denied with the rest', async () => {
  const test = await open(openVisit);
  test.backend.requests[0]!.visit!.completed = true;
  test.backend.emit('pending');
  await test.pass(0);
  test.app.inbox.later();
  await test.app.inbox.denyAll();
  expect(test.answers()).toEqual([]);
  test.app.inbox.review('visit-ledger');
  await test.pass(700);
  expect(gate()).toHaveTextContent('Ledger says that it is done');
  expect(isOff(button(/^I have finished/))).toBe(false);
});

it('says that the browser could not be opened', async () => {
  const { answers } = await open({ ...openVisit, visit: { goes: false, completed: false, failed: true } });
  expect(gate()).toHaveTextContent('The browser could not be opened');
  await fireEvent.click(button(/^Close/));
  expect(answers()).toHaveLength(1);
});
