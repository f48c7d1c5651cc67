// The shortcuts there are: the sheet lists this table, the window's own keys are read from it (keys.ts), and a test
// presses every line of it in the real page (e2e/keys.spec.ts).

import type { en } from '@/i18n/en';
import { pages } from '@/state/shell.svelte';

type Words = (typeof en)['shell']['shortcuts'];

/** Keys held together. Signs joined by "–" are a range. */
export type Keys = readonly string[];

/** What the shortcuts do, and each way to press them. */
export const shortcuts = {
  everywhere: {
    jump: [['Ctrl', 'K']],
    pages: [['Ctrl', `1–${String(Math.min(9, pages.length))}`]],
    inbox: [['Ctrl', 'I']],
    newChat: [['Ctrl', 'N']],
    manual: [['Ctrl', 'M']],
    filter: [['Ctrl', 'F']],
    undo: [['Ctrl', 'Z']],
    pane: [['F6'], ['Shift', 'F6']],
    textSize: [
      ['Ctrl', '+'],
      ['Ctrl', '−'],
      ['Ctrl', '0'],
    ],
    sheet: [['?']],
    quit: [['Ctrl', 'Q']],
  },
  lists: {
    move: [['J'], ['K'], ['↑'], ['↓']],
    ends: [['Home'], ['End']],
    choose: [['Enter']],
    back: [['Esc']],
  },
  gate: {
    allow: [['Ctrl', 'Enter']],
    deny: [['D']],
    edit: [['E']],
    tabs: [['1–3']],
    step: [
      ['Alt', '←'],
      ['Alt', '→'],
    ],
    cancelForm: [['Esc']],
  },
  chat: {
    send: [['Enter']],
    line: [['Shift', 'Enter']],
  },
} as const satisfies Record<keyof Words['groups'], Partial<Record<keyof Words, readonly Keys[]>>>;

export type Group = keyof typeof shortcuts;
export type WindowShortcut = keyof (typeof shortcuts)['everywhere'];

/** The lines of a group, in the order of the sheet. */
export const linesOf = (group: Group) =>
  Object.entries(shortcuts[group]) as [Exclude<keyof Words, 'groups'>, readonly Keys[]][];

/** Whether the event presses these keys; for a range which of them, from 1. */
export function pressed(event: KeyboardEvent, keys: Keys): number {
  const command = event.ctrlKey || event.metaKey;
  const sign = keys.at(-1) ?? '';
  if (keys.includes('Ctrl') !== command || event.altKey) return 0;
  const [from, to] = sign.split('–');
  if (from && to)
    return !event.shiftKey && event.key >= from && event.key <= to && event.key.length === 1 ? Number(event.key) : 0;
  // Signs stand on other keys with Shift here and there; letters and names do not.
  const named = /^(\w|F6)$/.test(sign);
  if (named && keys.includes('Shift') !== event.shiftKey) return 0;
  return (aliases[sign] ?? [sign.toLowerCase()]).includes(event.key.toLowerCase()) ? 1 : 0;
}

const aliases: Record<string, readonly string[]> = { '+': ['+', '='], '−': ['-'] };
