import { existsSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { BackendFailure, failureFrom } from './errors';
import { methodName, services, wailsBackend } from './wails';

const bindings = (service: string) => `wailsjs/go/app/${service}.d.ts`;

afterEach(() => {
  delete window.go;
  delete window.runtime;
});

function bind(methods: Record<string, (...values: never[]) => unknown>): void {
  window.go = { app: { Servers: methods as never } };
  window.runtime = {
    EventsOn: vi.fn(() => () => undefined),
    WindowMinimise: vi.fn(),
    WindowToggleMaximise: vi.fn(),
    Quit: vi.fn(),
  };
}

describe('wails back end', () => {
  it('calls the method of the same name at the feature’s service', async () => {
    const StartServer = vi.fn(async () => undefined);
    bind({ StartServer });
    await wailsBackend().startServer('srv-1');
    expect(StartServer).toHaveBeenCalledWith('srv-1');
  });

  it('turns the error string of Go into a failure with its code', async () => {
    const message = JSON.stringify({ code: 'name-taken', message: 'taken', detail: 'Shell' });
    bind({ AddServer: async () => Promise.reject(new Error(message)) });
    await expect(wailsBackend().addServer({} as never)).rejects.toMatchObject({ code: 'name-taken', detail: 'Shell' });
  });

  it('tells Go what is shown and hidden in the order of the page, whatever becomes of each', async () => {
    const calls: string[] = [];
    const answer: ((fails?: boolean) => void)[] = [];
    const method = (name: string) => (id: string) => {
      calls.push(`${name} ${id}`);
      return new Promise<void>((resolve, reject) =>
        answer.push((fails) => (fails ? reject(new Error('no')) : resolve())),
      );
    };
    bind({});
    window.go = { app: { Consent: { Shown: method('shown') as never, Hidden: method('hidden') as never } } };
    const backend = wailsBackend();
    const hidden = backend.hidden('a');
    const shown = backend.shown('b');
    await vi.waitFor(() => expect(calls).toEqual(['hidden a']));
    answer[0]?.(true);
    await expect(hidden).rejects.toThrow();
    await vi.waitFor(() => expect(calls).toEqual(['hidden a', 'shown b']));
    answer[1]?.();
    await shown;
  });

  it('refuses to start outside the window', () => {
    expect(() => wailsBackend()).toThrow('only inside the Gatehouse window');
  });

  it('names exactly the methods that Go binds', () => {
    for (const service of new Set(Object.values(services))) {
      expect(existsSync(bindings(service)), service).toBe(true);
      const bound = [...readFileSync(bindings(service), 'utf8').matchAll(/export function (\w+)/g)].map(
        ([, name]) => name,
      );
      const named = Object.entries(services).flatMap(([call, of]) => (of === service ? [methodName(call)] : []));
      expect(named.sort()).toEqual(bound.sort());
    }
  });
});

describe('failureFrom', () => {
  it.each(['plain text', '{"code":1}', '[object Object]', 'null'])(
    'keeps %j as detail of an unknown failure',
    (text) => {
      expect(failureFrom(text)).toMatchObject({ code: 'unknown', detail: text });
    },
  );

  it('passes a failure through', () => {
    const failure = new BackendFailure('withdrawn', '');
    expect(failureFrom(failure)).toBe(failure);
  });
});
