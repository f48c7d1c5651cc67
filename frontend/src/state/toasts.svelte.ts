// Short-lived messages at the corner. Those that offer Undo stay longer, and none ends while somebody is at them.

export interface Offer {
  undo?: () => unknown;
  /** Called when the time to undo is over. */
  kept?: () => unknown;
  /** What it is about: a later message about the same thing takes its place. */
  about?: string;
}

export interface Toast extends Offer {
  id: number;
  text: string;
}

const toastMs = { plain: 5_000, undo: 10_000 };

interface Clock {
  left: number;
  since: number;
  timer: ReturnType<typeof setTimeout> | undefined;
}

export class Toasts {
  shown = $state.raw<readonly Toast[]>([]);

  readonly #clocks = new Map<number, Clock>();
  #held = false;
  #next = 1;

  add(text: string, offer: Offer = {}): void {
    const before = offer.about ? this.shown.find(({ about }) => about === offer.about) : undefined;
    if (before) this.dismiss(before.id);
    const id = this.#next++;
    this.shown = [...this.shown, { id, text, ...offer }];
    this.#clocks.set(id, { left: offer.undo ? toastMs.undo : toastMs.plain, since: 0, timer: undefined });
    if (!this.#held) this.#run(id);
  }

  /** Somebody reads them or is about to press: they wait. */
  hold(): void {
    if (this.#held) return;
    this.#held = true;
    for (const clock of this.#clocks.values()) {
      clearTimeout(clock.timer);
      clock.left -= Date.now() - clock.since;
    }
  }

  release(): void {
    if (!this.#held) return;
    this.#held = false;
    for (const id of this.#clocks.keys()) this.#run(id);
  }

  dismiss(id: number): void {
    this.#drop(id)?.kept?.();
  }

  undo(id: number): void {
    this.#drop(id)?.undo?.();
  }

  /** The message whose offer came last. */
  get last(): Toast | undefined {
    return this.shown.filter(({ undo }) => undo).at(-1);
  }

  #run(id: number): void {
    const clock = this.#clocks.get(id);
    if (!clock) return;
    clock.since = Date.now();
    clock.timer = setTimeout(() => this.dismiss(id), clock.left);
  }

  #drop(id: number): Toast | undefined {
    const toast = this.shown.find((each) => each.id === id);
    clearTimeout(this.#clocks.get(id)?.timer);
    this.#clocks.delete(id);
    this.shown = this.shown.filter((each) => each.id !== id);
    return toast;
  }
}
