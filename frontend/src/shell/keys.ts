// The window's own shortcuts. While any dialog is open, above all a gate, all but Ctrl Q and the text size rest.

import type { App } from '@/state/app';
import { focusable, isField } from '@/state/focus';
import { pages } from '@/state/shell.svelte';
import { pressed, shortcuts, type WindowShortcut } from './shortcuts';

interface Action {
  /** The nth of a range, or of the ways to press it, from 1. False: there is nothing to do, the key is left alone. */
  run: (app: App, n: number) => unknown;
  /** It works over a dialog and before the welcome is left. */
  always?: boolean;
  /** It works while the welcome stands. */
  early?: boolean;
  /** In a field the key belongs to the text. */
  notInField?: boolean;
  /** A held key does it again. */
  repeats?: boolean;
}

const actions: Record<Exclude<WindowShortcut, 'filter'>, Action> = {
  quit: { run: ({ backend }) => backend.window.close(), always: true }, // it asks if something runs
  textSize: {
    run: (app, n) => app.attempt(() => app.settings.stepTextSize(([1, -1, 0] as const)[n - 1] ?? 0)),
    always: true,
  },
  pane: { run: (_, n) => nextPane(n === 1 ? 1 : -1), early: true, repeats: true },
  sheet: { run: ({ shell }) => (shell.overlay = 'shortcuts'), notInField: true },
  undo: { run: ({ shell }) => undoLast(shell), notInField: true },
  jump: { run: ({ shell }) => (shell.overlay = 'jump') },
  inbox: { run: (app) => app.enter('inbox') },
  newChat: { run: (app) => app.newChat() },
  manual: { run: (app) => app.playModel() },
  pages: {
    run: (app, n) => {
      const page = pages[n - 1];
      return page ? app.enter(page) : false;
    },
  },
};

export function onWindowKey(event: KeyboardEvent, app: App): void {
  const found = find(event);
  if (!found) return;
  const { action, n } = found;
  if (!action.always) {
    if (app.inbox.open || document.querySelector('dialog[open]') || event.isComposing) return;
    if (!action.early && app.settings.app.value?.firstRun) return;
  }
  if (action.notInField && isField(event.target)) return;
  if (event.repeat && !action.repeats) event.preventDefault();
  else if (action.run(app, n) !== false) event.preventDefault();
}

function find(event: KeyboardEvent): { action: Action; n: number } | undefined {
  for (const [name, action] of Object.entries(actions)) {
    const ways = shortcuts.everywhere[name as WindowShortcut];
    for (const [i, keys] of ways.entries()) {
      const n = pressed(event, keys);
      if (n > 0) return { action, n: ways.length > 1 ? i + 1 : n };
    }
  }
  return undefined;
}

function undoLast({ toasts }: App['shell']): false | undefined {
  const { last } = toasts;
  if (!last) return false;
  toasts.undo(last.id);
  return undefined;
}

function nextPane(step: number): void {
  const panes = [...document.querySelectorAll<HTMLElement>('[data-pane]')];
  // Panes stand inside panes: the innermost counts.
  const inner = (element: Element | null) => panes.map((pane) => pane.contains(element)).lastIndexOf(true);
  const at = inner(document.activeElement);
  for (let i = 1; i <= panes.length; i++) {
    const next = (at + i * step + panes.length * i) % panes.length;
    const stops = [...(panes[next]?.querySelectorAll<HTMLElement>(focusable) ?? [])];
    const target = stops.find((each) => inner(each) === next);
    if (target) return target.focus();
  }
}
