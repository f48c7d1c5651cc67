// A gate over the fake back end, with a clock that the test turns.

import { fireEvent, render } from '@testing-library/svelte';
import { vi } from 'vitest';
import type { PendingItem } from '@/backend/backend';
import { FakeBackend } from '@/backend/fake';
import { requests } from '@/backend/fake/requests';
import { App } from '@/state/app';
import GateHarness from './GateHarness.svelte';

export interface GateTest {
  backend: FakeBackend;
  app: App;
  /** Lets a request arrive, as the Go side would. */
  arrive(item: PendingItem): Promise<void>;
  /** Lets so many milliseconds pass. */
  pass(ms: number): Promise<void>;
  key(key: string, init?: KeyboardEventInit, target?: Element): Promise<void>;
  /** The answers that reached the back end: id, digest, answer. */
  answers(): unknown[][];
}

export async function openHarness(...waiting: PendingItem[]): Promise<GateTest> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'requestAnimationFrame'] });
  vi.spyOn(document, 'hasFocus').mockReturnValue(true);
  const backend = new FakeBackend();
  backend.requests = structuredClone(waiting);
  const app = new App(backend);
  await app.start();
  render(GateHarness, { app });
  const pass = async (ms: number) => void (await vi.advanceTimersByTimeAsync(ms));
  return {
    backend,
    app,
    pass,
    async arrive(item) {
      backend.requests.push(structuredClone(item));
      backend.emit('pending', item.id);
      await pass(0);
    },
    async key(key, init = {}, target = document.activeElement ?? document.body) {
      await fireEvent.keyDown(target, { key, ...init });
      await pass(0);
    },
    answers: () => backend.log.flatMap(([method, ...values]) => (method === 'resolve' ? [values] : [])),
  };
}

export const gate = () => document.querySelector<HTMLElement>('[role=alertdialog]');

/** A button of the gate by its words. (By role and name it would take jsdom a second.) */
export function button(name: RegExp): HTMLElement {
  const words = (each: Element) => (each.getAttribute('aria-label') ?? each.textContent).replace(/\s+/g, ' ').trim();
  const found = [...document.querySelectorAll<HTMLElement>('dialog button')].filter((each) => name.test(words(each)));
  if (found.length !== 1) throw new Error(`${found.length} buttons for ${name}`);
  return found[0]!;
}
export const isOff = (element: HTMLElement) => element.getAttribute('aria-disabled') === 'true';

/** Puts the end of the body below (true) or above (false) the foot, where jsdom has no layout. */
export function hideEnd(hidden: boolean): void {
  const rect = (top: number) => ({ top, bottom: top }) as DOMRect;
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    return rect(this.classList.contains('gfoot') ? 500 : hidden ? 900 : 400);
  });
  document.querySelector('.gbody')?.dispatchEvent(new Event('scroll'));
}

export const [tideLaunch, shellCall, notesCall] = requests as [PendingItem, PendingItem, PendingItem];

/** A call without risk of its own or a changed definition, whose arguments the test chooses. */
export const plainCall = (changes: Partial<PendingItem> = {}, args?: object): PendingItem => ({
  ...notesCall,
  id: 'req-plain',
  ...changes,
  toolCall: { ...notesCall.toolCall!, previous: '', ...(args && { arguments: JSON.stringify(args) }) },
});

export const allow = () => button(/^(Allow once|Approve and start)/);
export const deny = () => button(/^(Deny|Don’t start) ?D$/);
export const yes = { allow: true, decline: false, stop: false, reason: '' };
export const no = { ...yes, allow: false };
