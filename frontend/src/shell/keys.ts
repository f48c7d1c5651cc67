// The window's own shortcuts. While any dialog is open, above all a gate, all but Ctrl Q and the text size rest.

import { tick } from 'svelte';
import type { App } from '@/state/app';
import { isField } from '@/state/focus';
import { pages, type PageName } from '@/state/shell.svelte';

export function onWindowKey(event: KeyboardEvent, app: App): void {
  const { backend, shell, inbox, settings } = app;
  const command = (event.ctrlKey || event.metaKey) && !event.altKey;
  if (command && event.key.toLowerCase() === 'q' && !event.shiftKey) {
    event.preventDefault();
    backend.window.close(); // it asks if something runs
    return;
  }
  const size = textSteps[event.key];
  if (command && size !== undefined) {
    event.preventDefault();
    if (!event.repeat) void app.attempt(() => settings.stepTextSize(size));
    return;
  }
  if (inbox.open || document.querySelector('dialog[open]') || event.altKey || event.isComposing) return;
  if (event.key === 'F6') {
    event.preventDefault();
    nextPane(event.shiftKey ? -1 : 1);
    return;
  }
  if (settings.app.value?.firstRun) return;
  if (!(event.ctrlKey || event.metaKey)) {
    if (event.key === '?' && !isField(event.target)) {
      event.preventDefault();
      shell.overlay = 'shortcuts';
    }
    return;
  }
  if (event.shiftKey) return;
  if (event.key.toLowerCase() === 'z' && !isField(event.target)) {
    const { last } = shell.toasts;
    if (!last) return;
    event.preventDefault();
    return shell.toasts.undo(last.id);
  }
  const key = event.key.toLowerCase();
  const page = key === 'i' ? 'inbox' : pages[Number(key) - 1];
  if (key !== 'k' && !page) return;
  event.preventDefault();
  if (page) void enter(page, app);
  else shell.overlay = 'jump';
}

const textSteps: Record<string, -1 | 0 | 1> = { '+': 1, '=': 1, '-': -1, '0': 0 };

const focusable = ':is(button, input, select, textarea, [tabindex="0"]):not([tabindex="-1"], :disabled)';
const starts = 'main [data-start], main [role=listbox]';

/** Goes to a page and puts the keyboard in its list or in the message box; failing these, at its first stop. */
async function enter(page: PageName, { shell, inbox }: App): Promise<void> {
  shell.go({ page });
  await tick();
  const main = document.querySelector('main');
  const stop = () =>
    [...(main?.querySelectorAll<HTMLElement>(focusable) ?? [])].find((each) => !each.closest('.notice'));
  const start = () => main?.querySelector<HTMLElement>(starts);
  (start() ?? stop())?.focus();
  // The field that was left is gone with its page. Whoever asks for the inbox chooses there.
  if (page !== 'inbox') inbox.fieldLeft();
  if (!main || start()) return;
  // A list that is still being fetched takes the focus when it comes, unless the user has pressed something.
  const watch = new MutationObserver(() => {
    const found = start();
    if (!found) return;
    found.focus();
    end();
  });
  const end = () => {
    watch.disconnect();
    for (const kind of presses) window.removeEventListener(kind, end, true);
  };
  for (const kind of presses) window.addEventListener(kind, end, true);
  watch.observe(main, { childList: true, subtree: true });
}

const presses = ['keydown', 'pointerdown'] as const;

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
