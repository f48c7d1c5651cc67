// When a press may count: only after the surface has been visible, in a focused window, for the whole delay. The time
// starts again on blur, move and resize. Go keeps the clock that matters and is told the same moments; this one only
// keeps the button from lying.

import type { Backend } from '@/backend/backend';

/** A move or resize is over after so long without a further one. */
const settleMs = 100;
/** How often the window's place is compared: a move has no event. */
const placeMs = 200;

export class Arming {
  armed = $state(false);

  readonly #backend: Pick<Backend, 'shown' | 'hidden'>;
  #id = '';
  #delayMs = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #shown = false;
  /** Counts what ended a wait: an answer of an earlier round starts no timer. */
  #round = 0;

  constructor(backend: Pick<Backend, 'shown' | 'hidden'>) {
    this.#backend = backend;
  }

  /** Runs the clock for a pending item or a panel ("panel:…") while it is in the page; returns how to stop. */
  watch(id: string, delayMs: number): () => void {
    this.#id = id;
    this.#delayMs = delayMs;
    const check = () => (document.hasFocus() && !document.hidden ? this.#show() : this.#hide());
    const hide = () => this.#hide();
    const disturb = () => {
      if (!this.#shown) return;
      this.#hide();
      this.#timer = setTimeout(check, settleMs);
    };
    window.addEventListener('focus', check);
    window.addEventListener('blur', hide);
    window.addEventListener('resize', disturb);
    document.addEventListener('visibilitychange', check);
    const place = watchPlace(disturb);
    check();
    return () => {
      clearInterval(place);
      window.removeEventListener('focus', check);
      window.removeEventListener('blur', hide);
      window.removeEventListener('resize', disturb);
      document.removeEventListener('visibilitychange', check);
      this.#hide();
    };
  }

  /** Starts the clock again: what is shown has been replaced. */
  restart(): void {
    if (!this.#shown) return;
    this.#hide();
    this.#show();
  }

  #show(): void {
    if (this.#shown) return;
    clearTimeout(this.#timer);
    this.#shown = true;
    const round = ++this.#round;
    // Only once Go has started its clock: else a press at the first moment would be refused there.
    void this.#backend.shown(this.#id).then(
      () => {
        if (round === this.#round) this.#timer = setTimeout(() => (this.armed = true), this.#delayMs);
      },
      () => {
        if (round === this.#round) this.#shown = false;
      },
    );
  }

  #hide(): void {
    clearTimeout(this.#timer);
    this.#round++;
    this.armed = false;
    if (!this.#shown) return;
    this.#shown = false;
    void this.#backend.hidden(this.#id).catch(() => undefined);
  }
}

function watchPlace(onmove: () => void): ReturnType<typeof setInterval> {
  const read = () => `${window.screenX},${window.screenY}`;
  let place = read();
  return setInterval(() => {
    const now = read();
    if (now !== place) onmove();
    place = now;
  }, placeMs);
}
