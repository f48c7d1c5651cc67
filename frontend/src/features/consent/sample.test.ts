// A request for a model's answer: read whole, answered by hand, rejected at either step (ACC-A43, SEC-E2, E5).

import { fireEvent, screen } from '@testing-library/svelte';
import { afterEach, expect, it, vi } from 'vitest';
import { notesSample } from '@/backend/fake/asks';
import type { PendingItem } from '@/backend/backend';
import { button, gate, isOff, no, openHarness, yes } from '@/test/gate';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function open(item: PendingItem = notesSample) {
  const test = await openHarness();
  await test.arrive(item);
  await test.pass(700);
  const sent = () => test.backend.log.flatMap(([method, , text]) => (method === 'amend' ? [String(text)] : [])).at(-1);
  return { ...test, sent };
}

const type = (label: RegExp, value: string) => fireEvent.input(screen.getByLabelText(label), { target: { value } });

it('shows every message, block, wish and limit, in the server’s own voice', async () => {
  await open();
  expect(gate()).toHaveAccessibleName('Notes wants to ask a model a question');
  expect(gate()).toHaveAccessibleDescription(/You answer in the place of a model/);
  const words = gate()!.textContent.replace(/\s+/g, ' ');
  for (const part of [
    'You write terse shift handovers',
    'Summarise these log entries',
    'read_log',
    '"watch"',
    'use-1',
    '06:10 B3',
  ])
    expect(words).toContain(part);
  for (const part of [
    'haiku',
    'Low',
    'Medium',
    'High',
    '800 tokens',
    '0.2',
    '"END"',
    'The answer may use one',
    'It gets none',
  ])
    expect(words).toContain(part);
  expect(screen.getByText(/You write terse/).closest('blockquote')).not.toBeNull();
  expect(document.activeElement).toBe(button(/^Reject/));
});

it('sends what was written, and nothing before it was written and seen by Go', async () => {
  const { key, answers, pass, sent, backend } = await open();
  await key('Enter', { ctrlKey: true });
  expect(answers()).toEqual([]);
  await fireEvent.click(button(/^Write the answer/));
  expect(isOff(button(/^Send/))).toBe(true);
  await type(/^Answer/, 'B3 was late.');
  expect(isOff(button(/^Send/))).toBe(true);
  await pass(150);
  const want =
    '{"role":"assistant","content":{"type":"text","text":"B3 was late."},"model":"manual/user","stopReason":"endTurn"}';
  expect(sent()).toBe(want);
  expect(gate()).toHaveTextContent(want);
  const digest = backend.requests[0]?.digest;
  await key('Enter', { ctrlKey: true }, screen.getByLabelText(/^Answer/));
  expect(answers()).toEqual([['req-sample', digest, yes]]);
});

it('uses a tool of the request by its form', async () => {
  const { pass, sent } = await open();
  await fireEvent.click(button(/^Write the answer/));
  await fireEvent.change(screen.getByLabelText(/^Use a tool/), { target: { value: 'read_log' } });
  await type(/^Watch/, 'early');
  await pass(150);
  expect(sent()).toMatch(
    /^\{"role":"assistant","content":\{"type":"tool_use","id":"use-[^"]+","name":"read_log","input":\{"watch":"early"\}\},"model":"manual\/user","stopReason":"toolUse"\}$/,
  );
});

it('offers no tool where none may be used, and begins with one where it must', async () => {
  const choose = (toolChoice: 'none' | 'required') => {
    const item = structuredClone(notesSample);
    item.question!.sample!.toolChoice = toolChoice;
    return item;
  };
  const first = await open(choose('none'));
  await fireEvent.click(button(/^Write the answer/));
  expect(screen.queryByLabelText(/^Use a tool/)).toBeNull();
  await fireEvent.click(button(/^Reject/));
  await first.pass(0);
  await first.arrive({ ...choose('required'), id: 'req-second' });
  await first.pass(700);
  await fireEvent.click(button(/^Write the answer/));
  expect(screen.getByLabelText(/^Use a tool/)).toHaveValue('read_log');
});

it('is rejected at either step, and Escape decides nothing', async () => {
  const test = await open();
  await test.key('Escape');
  expect(test.answers()).toEqual([]);
  await test.key('d', {}, button(/^Reject/));
  await test.pass(0);
  await test.arrive({ ...notesSample, id: 'req-second' });
  await test.pass(700);
  await fireEvent.click(button(/^Write the answer/));
  await type(/^Answer/, 'never leaves');
  await test.pass(150);
  await fireEvent.click(button(/^Reject/));
  expect(test.answers().map(([, , answer]) => answer)).toEqual([no, no]);
});
