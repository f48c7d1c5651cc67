// The delay before a gate answers to keys and presses. It counts only while the gate is visible and focused and starts
// again on blur, move and resize. Go keeps the same clock from the same reports and has the last word.

import type { Backend } from '@/backend/backend';

/** How often the window's place is compared: a move has no event. */
const placeMs = 200;
/** A resize or move is over after so long without a further one. */
const settleMs = 100;

export class Arming {
  armed = $state(false);

  readonly #backend: Pick<Backend, 'shown' | 'hidden'>;
  readonly #delayMs: number;
  #id = '';
  #inView = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #round = 0;

  constructor(backend: Pick<Backend, 'shown' | 'hidden'>, delayMs: number) {
    this.#backend = backend;
    this.#delayMs = delayMs;
  }

  /** Watches over one request from now on; returns how to stop. */
  watch(id: string): () => void {
    this.#id = id;
    const begin = () => this.#begin();
    const disturb = () => this.#disturb();
    const look = () => (document.visibilityState === 'visible' ? begin() : this.#leave());
    const leave = () => this.#leave();
    const place = watchPlace(disturb);
    window.addEventListener('focus', begin);
    window.addEventListener('blur', leave);
    window.addEventListener('resize', disturb);
    document.addEventListener('visibilitychange', look);
    begin();
    return () => {
      clearInterval(place);
      window.removeEventListener('focus', begin);
      window.removeEventListener('blur', leave);
      window.removeEventListener('resize', disturb);
      document.removeEventListener('visibilitychange', look);
      this.#leave();
    };
  }

  #begin(): void {
    if (document.visibilityState !== 'visible' || !document.hasFocus()) return;
    this.#stop();
    this.#inView = true;
    const round = this.#round;
    void this.#report('shown').then(() => {
      if (round === this.#round) this.#timer = setTimeout(() => (this.armed = true), this.#delayMs);
    });
  }

  #disturb(): void {
    if (!this.#inView) return;
    this.#leave();
    this.#timer = setTimeout(() => this.#begin(), settleMs);
  }

  #leave(): void {
    this.#stop();
    if (!this.#inView) return;
    this.#inView = false;
    void this.#report('hidden');
  }

  #stop(): void {
    this.#round++;
    clearTimeout(this.#timer);
    this.armed = false;
  }

  async #report(what: 'shown' | 'hidden'): Promise<void> {
    try {
      await this.#backend[what](this.#id);
    } catch {
      // The request is gone; the inbox finds out by itself and nothing can be allowed meanwhile.
    }
  }
}

function watchPlace(onmove: () => void): ReturnType<typeof setInterval> {
  let place = `${window.screenX},${window.screenY}`;
  return setInterval(() => {
    const now = `${window.screenX},${window.screenY}`;
    if (now !== place) onmove();
    place = now;
  }, placeMs);
}
