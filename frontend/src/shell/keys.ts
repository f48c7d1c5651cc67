// The window's own shortcuts. While a gate is open its dialog is modal and they rest.

import { pages, type Shell } from '@/state/shell.svelte';

export function onWindowKey(event: KeyboardEvent, shell: Shell): void {
  if (document.querySelector('dialog[open]') || event.altKey) return;
  if (event.key === 'F6') {
    event.preventDefault();
    nextPane(event.shiftKey ? -1 : 1);
    return;
  }
  if (!(event.ctrlKey || event.metaKey) || event.shiftKey) return;
  const page = event.key.toLowerCase() === 'i' ? 'inbox' : pages[Number(event.key) - 1];
  if (!page) return;
  event.preventDefault();
  shell.go({ page });
}

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
