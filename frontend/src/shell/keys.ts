// The window's own shortcuts. While any dialog is open, above all a gate, all but Ctrl Q and the text size rest.

import type { App } from '@/state/app';
import { isField } from '@/state/focus';
import { pages } from '@/state/shell.svelte';

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
  if (page) shell.go({ page });
  else shell.overlay = 'jump';
}

const textSteps: Record<string, -1 | 0 | 1> = { '+': 1, '=': 1, '-': -1, '0': 0 };

const focusable = 'button, input, select, textarea, [tabindex="0"]';

function nextPane(step: number): void {
  const panes = [...document.querySelectorAll<HTMLElement>('[data-pane]')];
  // Panes stand inside panes: the innermost counts.
  const at = panes.map((pane) => pane.contains(document.activeElement)).lastIndexOf(true);
  for (let i = 1; i <= panes.length; i++) {
    const pane = panes[(at + i * step + panes.length * i) % panes.length];
    const target = pane?.querySelector<HTMLElement>(focusable);
    if (target) return target.focus();
  }
}
