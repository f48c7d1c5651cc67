// A server's form in the gate: three answers that are never mixed up, nothing sent before Submit (ACC-A41, SEC-F5, F6, F10).

import { fireEvent, screen } from '@testing-library/svelte';
import { afterEach, expect, it, vi } from 'vitest';
import type { PendingItem } from '@/backend/backend';
import { quayForm } from '@/backend/fake/requests';
import { button, gate, isOff, no, openHarness, yes } from '@/test/gate';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function openForm(changes: Partial<PendingItem> = {}) {
  const test = await openHarness();
  await test.arrive({ ...quayForm, ...changes });
  await test.pass(700);
  const amended = () => test.backend.log.flatMap(([method, , text]) => (method === 'amend' ? [String(text)] : []));
  const digest = () => test.backend.requests[0]?.digest;
  return { ...test, amended, digest };
}

const type = async (label: RegExp, value: string) => {
  await fireEvent.input(screen.getByLabelText(label), { target: { value } });
};
const submit = () => button(/^Submit/);

it('says who asks, for which call and by which way, and quotes the server', async () => {
  await openForm();
  expect(gate()).toHaveAccessibleName('Quay bookings asks you for details');
  expect(gate()).toHaveAccessibleDescription('Only give information you trust Quay bookings with.');
  expect(gate()).toHaveTextContent('Needed to continue reserve_berth');
  expect(gate()).toHaveTextContent('Asked before it gives a result');
  expect(screen.getByText(/Please confirm the booking/).closest('blockquote')).not.toBeNull();
  expect(document.activeElement).toBe(button(/^Cancel/));
});

it('fills in the defaults, leaves out what is optional and untouched, and submits what Go holds', async () => {
  const { amended, pass, answers, digest } = await openForm();
  expect(amended()).toEqual(['{"crew":3,"berth":"b3","services":["pilot"]}']);
  expect(isOff(submit())).toBe(true);
  await fireEvent.click(submit());
  expect(answers()).toEqual([]);

  await type(/Contact email/, 'mara@harbour.example');
  expect(isOff(submit())).toBe(true); // Go does not have it yet
  await pass(150);
  expect(amended().at(-1)).toBe('{"contact":"mara@harbour.example","crew":3,"berth":"b3","services":["pilot"]}');
  const shown = digest();
  await fireEvent.click(submit());
  expect(answers()).toEqual([['req-quay', shown, yes]]);
});

it('declines and cancels with an invalid form, each as itself', async () => {
  const first = await openForm();
  await fireEvent.click(button(/^Decline/));
  expect(first.answers()[0]?.[2]).toEqual({ ...no, decline: true });
  await first.pass(0);
  expect(gate()).toBeNull();

  await first.arrive(quayForm);
  await first.pass(700);
  await fireEvent.click(button(/^Cancel/));
  expect(first.answers()[1]?.[2]).toEqual(no);
});

it('cancels by Escape, also from a field, never declines by a letter, and submits by Ctrl Enter', async () => {
  const { key, answers, pass, arrive } = await openForm();
  await key('d');
  expect(answers()).toEqual([]);
  await key('Escape', {}, screen.getByLabelText(/Remark/));
  expect(answers().map(([, , answer]) => answer)).toEqual([no]);

  await arrive(quayForm);
  await pass(700);
  await type(/Contact email/, 'mara@harbour.example');
  await pass(150);
  await key('Enter', { ctrlKey: true }, screen.getByLabelText(/Contact email/));
  expect(answers().at(-1)?.[2]).toEqual(yes);
});

it('ignores every answer until it has been seen', async () => {
  const test = await openHarness();
  await test.arrive(quayForm);
  await test.pass(650);
  await fireEvent.click(button(/^Decline/));
  await test.key('Escape');
  expect(test.answers()).toEqual([]);
});

it('says so when the server withdraws it, and keeps what was written when it waits', async () => {
  const { app, backend, pass } = await openForm();
  await type(/Contact email/, 'mara@harbour.example');
  await pass(150);
  app.inbox.later();
  app.inbox.review('req-quay');
  await pass(0);
  expect(screen.getByLabelText(/Contact email/)).toHaveValue('mara@harbour.example');

  backend.withdraw('req-quay');
  await pass(0);
  expect(gate()).toHaveTextContent('This question was withdrawn. Nothing was sent.');
});

it('warns of fields that ask for secrets, and keeps interface words of the server in quotes', async () => {
  await openForm({
    risk: {
      class: 'unknown',
      classes: ['unknown'],
      high: false,
      findings: [
        { code: 'asks-secret', class: 'unknown', pointer: '/password', line: 0, start: 0, end: 0, detail: 'password' },
      ],
    },
    question: { ...quayForm.question!, message: 'Gatehouse Security: <b>enter it</b>\u202e' },
  });
  expect(gate()).toHaveTextContent('1 field seems to ask for a secret');
  expect(gate()).toHaveAccessibleName('Quay bookings asks you for details');
  const quoted = screen.getByText(/Gatehouse Security/).closest('blockquote');
  expect(quoted).toHaveTextContent('<b>enter it</b>');
  expect(gate()?.textContent).not.toContain('\u202e');
});
