// The shortcuts there are. A test presses those of the window.

import type { en } from '@/i18n/en';

type Words = (typeof en)['shell']['shortcuts'];

export interface Shortcut {
  does: Exclude<keyof Words, 'groups'>;
  /** Ways to press it; each is the keys held together. Signs joined by "–" are a range. */
  keys: readonly (readonly string[])[];
}

export const shortcuts: Record<keyof Words['groups'], readonly Shortcut[]> = {
  everywhere: [
    { does: 'jump', keys: [['Ctrl', 'K']] },
    { does: 'pages', keys: [['Ctrl', '1–7']] },
    { does: 'inbox', keys: [['Ctrl', 'I']] },
    { does: 'filter', keys: [['Ctrl', 'F']] },
    { does: 'undo', keys: [['Ctrl', 'Z']] },
    { does: 'pane', keys: [['F6'], ['Shift', 'F6']] },
    {
      does: 'textSize',
      keys: [
        ['Ctrl', '+'],
        ['Ctrl', '−'],
        ['Ctrl', '0'],
      ],
    },
    { does: 'sheet', keys: [['?']] },
    { does: 'quit', keys: [['Ctrl', 'Q']] },
  ],
  lists: [
    { does: 'move', keys: [['J'], ['K'], ['↑'], ['↓']] },
    { does: 'ends', keys: [['Home'], ['End']] },
    { does: 'choose', keys: [['Enter']] },
    { does: 'back', keys: [['Esc']] },
  ],
  gate: [
    { does: 'allow', keys: [['Ctrl', 'Enter']] },
    { does: 'deny', keys: [['D']] },
    { does: 'edit', keys: [['E']] },
    { does: 'tabs', keys: [['1–3']] },
    {
      does: 'step',
      keys: [
        ['Alt', '←'],
        ['Alt', '→'],
      ],
    },
  ],
  chat: [
    { does: 'send', keys: [['Enter']] },
    { does: 'line', keys: [['Shift', 'Enter']] },
  ],
};
