// The keys of a gate. Bare letters never allow; letters do nothing inside a field; held keys do nothing at all.

import { isField } from '@/state/focus';

export type GateKey = 'allow' | 'deny' | 'cancel' | 'edit' | 'previous' | 'next' | { tab: number };

export interface KeyRule {
  /** Keys and presses count: the gate has been in view long enough, or there is nothing left to decide. */
  live: boolean;
  /** Escape is an answer: not decided. */
  cancels?: boolean;
  /** Ctrl Enter sends what is written in a field. */
  sends?: boolean;
}

/** What a key press means. 'swallow': it must reach nothing; null: it is not the gate's. */
export function readKey(
  event: KeyboardEvent,
  { live, cancels = false, sends = false }: KeyRule,
): GateKey | 'swallow' | null {
  if (!live) return 'swallow';
  if (event.key === 'Escape') return cancels && !event.repeat ? 'cancel' : 'swallow';
  const command = event.ctrlKey || event.metaKey;
  if (isField(event.target)) return sends && command && event.key === 'Enter' && !event.repeat ? 'allow' : null;
  if (event.repeat && !navigates(event.key)) return 'swallow';
  if (command && event.key === 'Enter') return 'allow';
  if (event.altKey && event.key === 'ArrowLeft') return 'previous';
  if (event.altKey && event.key === 'ArrowRight') return 'next';
  if (command || event.altKey) return null;
  const key = event.key.toLowerCase();
  if (key === 'd') return 'deny';
  if (key === 'e') return 'edit';
  return /^[1-4]$/.test(key) ? { tab: Number(key) - 1 } : null;
}

/** Keys that move through the gate and may repeat. */
const navigates = (key: string) => key === 'Tab' || key.startsWith('Arrow') || key.startsWith('Page');

const focusable = 'button, input, select, textarea, [tabindex="0"]';

/** Keeps Tab inside root: past the last comes the first. A webview without browser chrome would lose the focus there. */
export function trapTab(event: KeyboardEvent, root: Element): void {
  const stops = [...root.querySelectorAll<HTMLElement>(focusable)].filter(({ tabIndex }) => tabIndex >= 0);
  const [first, last] = [stops[0], stops.at(-1)];
  const inside = root.contains(document.activeElement);
  if (inside && document.activeElement !== (event.shiftKey ? first : last)) return;
  event.preventDefault();
  (event.shiftKey ? last : first)?.focus();
}
