// jsdom has no layout, no dialogs and no matchMedia: the least that the page needs of them.

import '@testing-library/jest-dom/vitest';
import { cleanup } from '@testing-library/svelte';
import { afterEach } from 'vitest';

HTMLDialogElement.prototype.showModal = function () {
  this.setAttribute('open', '');
};
HTMLDialogElement.prototype.close = function () {
  this.removeAttribute('open');
};
Element.prototype.scrollIntoView = () => undefined;
window.matchMedia = (query) =>
  ({
    matches: false,
    media: query,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }) as unknown as MediaQueryList;
globalThis.ResizeObserver = class {
  observe(): void {
    /* nothing is laid out */
  }
  unobserve(): void {
    /* nothing is laid out */
  }
  disconnect(): void {
    /* nothing is laid out */
  }
};

afterEach(cleanup);
