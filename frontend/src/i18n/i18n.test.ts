import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { hiddenNames } from '@/ui/hidden';
import { en } from './en';
import { formatsFor } from './format';
import { errorText, localeFor, setLocale, t } from './index.svelte';
import { sentence, words } from './message';
import { zhHans } from './zh-Hans';

type Leaf = [path: string, value: unknown];

function leaves(value: unknown, path = ''): Leaf[] {
  if (typeof value !== 'object' || value === null || 'parts' in value) return [[path, value]];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, path ? `${path}.${key}` : key));
}

/** What a person would read, with numbers and names filled in. */
function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'function') {
    return [1, 2, 5].map((n) => String((value as (...values: unknown[]) => string)(n, n, n, n)));
  }
  const { parts } = value as { parts: (string | { slot: string })[] };
  return [parts.map((part) => (typeof part === 'string' ? part : `{${part.slot}}`)).join('')];
}

const slots = (value: unknown) =>
  typeof value === 'object' && value !== null && 'parts' in value
    ? (value.parts as (string | { slot: string })[])
        .flatMap((part) => (typeof part === 'string' ? [] : [part.slot]))
        .sort()
    : [];

const english = leaves(en);
const chinese = new Map(leaves(zhHans));
/** The English side is empty: names of hidden characters are English already. */
const oneSided = (path: string) => path.startsWith('risk.hidden.');

afterEach(() => setLocale('en'));

describe('catalogues', () => {
  it('have the same keys, of the same kind, with the same slots', () => {
    expect([...chinese.keys()].filter((path) => !oneSided(path)).sort()).toEqual(
      english
        .map(([path]) => path)
        .filter((path) => path !== 'risk.hidden')
        .sort(),
    );
    for (const [path, value] of english) {
      expect(typeof chinese.get(path), path).toBe(typeof value);
      expect(slots(chinese.get(path)), path).toEqual(slots(value));
    }
  });

  it('have no empty text, no exclamation mark and no unfilled number', () => {
    for (const [path, value] of [...english, ...chinese]) {
      for (const text of texts(value)) {
        expect(text.trim(), path).not.toBe('');
        expect(text, path).not.toMatch(/[!！#]|undefined|NaN/);
      }
    }
  });

  it('are written in Chinese with Chinese punctuation and spaced Latin words', () => {
    for (const [path, value] of chinese) {
      if (path === 'settings.languages.en') continue;
      for (const text of texts(value)) {
        expect(text, path).not.toMatch(/[\u4e00-\u9fff][,;:?]|[,;:?][\u4e00-\u9fff]/);
        expect(text, path).not.toMatch(/[\u4e00-\u9fff][A-Za-z]|[A-Za-z][\u4e00-\u9fff]/);
      }
    }
  });

  it('name every finding of the Go side, and every hidden character', () => {
    const codes = readFileSync('../mcphost/consent/testdata/codes.txt', 'utf8').trim().split('\n');
    for (const line of codes) {
      const code = line.split(/\s+/)[0]!;
      expect(Object.keys(en.risk.findings), code).toContain(code);
    }
    for (const name of hiddenNames) expect(Object.keys(zhHans.risk.hidden)).toContain(name);
  });

  it('have a sentence for every likely cause that the Go side guesses, and no other', () => {
    const source = readFileSync('../mcphost/hint.go', 'utf8');
    const hints = [...source.matchAll(/return "([a-z-]+)"|\{"([a-z-]+)", regexp|"[a-z0-9]+": "([a-z-]+)"/g)].map(
      ([, ...names]) => names.find(Boolean),
    );
    const codes = [
      ...readFileSync('../mcphost/connect.go', 'utf8').matchAll(/(?:f\.Code.* = |Code: )"([a-z-]+)"/g),
    ].map(([, name]) => name);
    expect(codes).toContain('timeout');
    expect(new Set([...hints, ...codes])).toEqual(new Set(Object.keys(en.servers.crash.hints)));
  });
});

describe('messages', () => {
  it('choose plural forms by language', () => {
    const tools = { one: '# tool', other: '# tools' };
    expect([0, 1, 2, 1234].map((n) => words('en').plural(n, tools))).toEqual([
      '0 tools',
      '1 tool',
      '2 tools',
      '1,234 tools',
    ]);
    expect(words('zh-Hans').plural(1, { other: '# 个工具' })).toBe('1 个工具');
  });

  it('split sentences at their slots', () => {
    expect(sentence('{a} runs {b}').parts).toEqual([{ slot: 'a' }, ' runs ', { slot: 'b' }]);
  });

  it('follow the language, and the document says so', () => {
    setLocale(localeFor('zh_CN.UTF-8'));
    expect(t().common.pages.inbox).toBe('待决定');
    expect(document.documentElement.lang).toBe('zh-CN');
    expect(localeFor('de-DE')).toBe('en');
  });

  it('explain a failure by its code, and an unknown code too', () => {
    expect(errorText({ code: 'disk-full', detail: '' })).toMatch(/^The disk is full/);
    expect(errorText({ code: 'constructor', detail: 'x' })).toBe('Gatehouse cannot say why. (x)');
  });
});

describe('formats', () => {
  const { bytes, duration, age, clock, dateTime } = formatsFor('en');
  it('put units on numbers', () => {
    expect([999, 41_000, 2_500_000].map(bytes)).toEqual(['999 bytes', '41 kB', '2.5 MB']);
    expect([84, 600, 125_000, 7_200_000].map(duration)).toEqual(['84 ms', '0.6 sec', '2 min 5 sec', '120 min']);
  });

  it('say how long ago, and nothing for what is no time', () => {
    const now = Date.parse('2026-11-30T12:00:00Z');
    expect(age('2026-11-30T11:59:10Z', now)).toBe('50 sec');
    expect(age('2026-11-30T12:00:10Z', now)).toBe('0 sec');
    expect(clock('soon') + dateTime('')).toBe('');
  });
});
