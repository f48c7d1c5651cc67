// A back end that is slow or fails, around one that works.

import type { Backend } from '@/backend/backend';
import { BackendFailure } from '@/backend/errors';

export type Method = Exclude<keyof Backend, 'onEvent' | 'window'>;

export interface Mood {
  /** Calls of these do not answer until they are let go. */
  holds?: readonly Method[];
  /** Calls of these fail, with this code. */
  fails?: Partial<Record<Method, string>>;
}

/** The same back end in this mood; letGo ends every wait. */
export function inMood(backend: Backend, { holds = [], fails = {} }: Mood): { backend: Backend; letGo: () => void } {
  let letGo: () => void = () => undefined;
  const going = new Promise<void>((resolve) => (letGo = resolve));
  const moody = new Proxy(backend, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      const method = name as Method;
      const code = fails[method];
      if (code) return () => Promise.reject(new BackendFailure(code, code, ''));
      if (!holds.includes(method) || typeof value !== 'function') return value;
      return async (...given: unknown[]) => {
        await going;
        return (value as (...values: unknown[]) => unknown)(...given);
      };
    },
  });
  return { backend: moody, letGo };
}
