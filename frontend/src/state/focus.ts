// Where the keyboard is: where the user is typing, where a page begins, and where the focus goes when what had it is gone.

import { tick } from 'svelte';

const typed =
  'textarea, select, [contenteditable], input:not([type=button], [type=checkbox], [type=radio], [type=range])';

/** Whether a key press goes into this element as text. */
export const isField = (element: EventTarget | null): boolean => element instanceof Element && element.matches(typed);

export const inField = (): boolean => isField(document.activeElement);

/** What Tab stops at. */
export const focusable = ':is(button, input, select, textarea, [tabindex="0"]):not([tabindex="-1"], :disabled)';

const starts = 'main [data-start], main [role=listbox]';
const presses = ['keydown', 'pointerdown'] as const;

const stops = (root: ParentNode) => [...root.querySelectorAll<HTMLElement>(focusable)];

/**
 * Puts the keyboard in the page that has just come: in its list or its message box (or where first says), failing these
 * at its first stop. What is still being fetched takes the focus when it comes, unless the user has pressed something.
 */
export async function focusPage(first = ''): Promise<void> {
  await tick();
  const main = document.querySelector('main');
  if (!main) return;
  const start = () => (first && main.querySelector<HTMLElement>(first)) || document.querySelector<HTMLElement>(starts);
  const found = start() ?? stops(main).find((each) => !each.closest('.notice'));
  found?.focus();
  if (start()) return;
  const watch = new MutationObserver(() => {
    const late = start();
    if (!late) return;
    late.focus();
    end();
  });
  const end = () => {
    watch.disconnect();
    for (const kind of presses) window.removeEventListener(kind, end, true);
  };
  for (const kind of presses) window.addEventListener(kind, end, true);
  watch.observe(main, { childList: true, subtree: true });
}

/** Where the focus was. */
interface Place {
  element: HTMLElement;
  /** What lies over the page and held it: a dialog or the messages at the corner. */
  layer: Element | null;
  /** What stood around it, from the inside, and which stop it was there. */
  around: { root: HTMLElement; at: number }[];
  /** Where the focus was before it came into this layer. */
  outside: Place | undefined;
}

const groups = '[role=list], form, [data-pane]:not(main)';
const layers = 'dialog, .toasts';

/**
 * Sees to it that the focus never falls to the document when what had it is taken away: it goes to what stands in its
 * place in the same list or pane, back to where it was before a dialog, or to the beginning of the page. fieldGone is
 * told when that was a field. Returns how to stop.
 */
export function keepFocus(fieldGone: () => void): () => void {
  let last: Place | undefined;
  const note = ({ target }: Event) => {
    if (!(target instanceof HTMLElement) || target === document.body) return;
    const layer = target.closest(layers);
    let outside = last;
    while (outside && (outside.layer === layer || outside.layer?.isConnected === false)) outside = outside.outside;
    const around: Place['around'] = [];
    for (let root = target.closest<HTMLElement>(groups); root; root = above(root)) {
      around.push({ root, at: stops(root).indexOf(target) });
    }
    last = { element: target, layer, around, outside: layer ? outside : undefined };
  };
  const watch = new MutationObserver(() => {
    if (!last || last.element.isConnected || (document.activeElement ?? document.body) !== document.body) return;
    const gone = last;
    successor(gone)?.focus();
    if (isField(gone.element)) fieldGone();
  });
  document.addEventListener('focusin', note);
  watch.observe(document.body, { childList: true, subtree: true });
  return () => {
    watch.disconnect();
    document.removeEventListener('focusin', note);
  };
}

const above = (root: Element) => root.parentElement?.closest<HTMLElement>(groups) ?? null;

/** Never a field that the user has not chosen: a gate would wait until it is left. */
function successor(gone: Place): HTMLElement | null | undefined {
  const modal = [...document.querySelectorAll('dialog[open]')].at(-1);
  const reachable = (element: Element) => element.isConnected && (!modal || modal.contains(element));
  const chosen = (root: ParentNode) => stops(root).filter((each) => !isField(each));
  for (let place: Place | undefined = gone; place; place = place.outside) {
    if (reachable(place.element)) return place.element;
    for (const { root, at } of place.around) {
      const left = reachable(root) ? chosen(root) : [];
      if (left.length > 0) return left[Math.min(Math.max(at, 0), left.length - 1)];
    }
  }
  if (modal) return stops(modal)[0];
  const main = document.querySelector('main');
  const start = document.querySelector<HTMLElement>(starts);
  if (start && !isField(start)) return start;
  return (main && chosen(main)[0]) ?? document.querySelector<HTMLElement>('[aria-current=page]');
}
