// The whole page over the fake back end, with a clock that the test turns.

import { fireEvent, render } from '@testing-library/svelte';
import { vi } from 'vitest';
import AppFrame from '@/App.svelte';
import { FakeBackend } from '@/backend/fake';
import { App } from '@/state/app';
import type { Route } from '@/state/shell.svelte';

export interface PageTest {
  backend: FakeBackend;
  app: App;
  /** Lets so many milliseconds pass, and what is due happen. */
  pass(ms?: number): Promise<void>;
  /** Types into a field. */
  type(field: HTMLElement, text: string): Promise<void>;
  press(element: HTMLElement): Promise<void>;
  key(element: Element, key: string, init?: KeyboardEventInit): Promise<void>;
  /** The values of every call of this method, in order. */
  calls(method: string): unknown[][];
}

export async function openPage(route: Route, prepare?: (backend: FakeBackend) => void): Promise<PageTest> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  vi.spyOn(document, 'hasFocus').mockReturnValue(true);
  const backend = new FakeBackend();
  backend.requests = [];
  prepare?.(backend);
  const app = new App(backend);
  await app.start();
  app.shell.go(route);
  render(AppFrame, { app });
  const pass = async (ms = 0) => void (await vi.advanceTimersByTimeAsync(ms));
  await pass(1);
  return {
    backend,
    app,
    pass,
    async type(field, text) {
      await fireEvent.input(field, { target: { value: text } });
      await pass();
    },
    async press(element) {
      await fireEvent.click(element);
      await pass();
    },
    async key(element, key, init = {}) {
      await fireEvent.keyDown(element, { key, ...init });
      await pass();
    },
    calls: (method) => backend.log.flatMap(([name, ...values]) => (name === method ? [values] : [])),
  };
}

/** A button by its words. (By role and name it would take jsdom a second.) */
export function buttonOf(name: RegExp, root: ParentNode = document): HTMLElement {
  const words = (each: Element) => (each.getAttribute('aria-label') ?? each.textContent).replace(/\s+/g, ' ').trim();
  const found = [...root.querySelectorAll<HTMLElement>('button')].filter((each) => name.test(words(each)));
  if (found.length !== 1) throw new Error(`${String(found.length)} buttons for ${String(name)}`);
  return found[0]!;
}

/** The rows of the list boxes on the page. */
export const optionsOf = (root: ParentNode = document): HTMLElement[] => [
  ...root.querySelectorAll<HTMLElement>('[role=option]'),
];
