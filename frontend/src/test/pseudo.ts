// A language for tests only: English with accents on every letter, marked at both ends, two fifths longer, and with the
// words that were put into a sentence in angle marks. What a page shows without accents did not come from a catalogue.

import type { Catalogue } from '@/i18n/index.svelte';
import type { Formats } from '@/i18n/format';

const plain = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const accented = [...'ÅƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽåƀçðéƒĝĥîĵķļɱñöþǫŕšţûṽŵẋýž'];
const accents = new Map([...plain].map((letter, i) => [letter, accented[i]]));

const accent = (text: string) => [...text].map((char) => accents.get(char) ?? char).join('');

/** In words of five letters, so that a longer text may break. */
const padding = (text: string) => ' ẋẋẋẋẋ'.repeat(Math.ceil((text.length * 0.4) / 6));

function pseudoText(text: string, given: readonly unknown[] = []): string {
  const names = given.filter((value): value is string => typeof value === 'string' && value.trim() !== '');
  const [name, ...rest] = names;
  if (name === undefined) return accent(text);
  return text
    .split(name)
    .map((part) => pseudoText(part, rest))
    .join(`‹${name}›`);
}

const marked = (text: string, source: string) => (text === '' ? '' : `⟦${text}${padding(source)}⟧`);

type Parts = readonly (string | { readonly slot: string })[];

function translate(value: unknown): unknown {
  if (typeof value === 'string') return marked(pseudoText(value), value);
  if (typeof value === 'function') {
    return (...given: unknown[]) => {
      const text = (value as (...values: unknown[]) => string)(...given);
      return marked(pseudoText(text, given), text);
    };
  }
  if (typeof value !== 'object' || value === null) return value;
  if (!('parts' in value && Array.isArray(value.parts))) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, translate(inner)]));
  }
  const parts = (value.parts as Parts).map((part) => (typeof part === 'string' ? accent(part) : part));
  const source = parts.filter((part) => typeof part === 'string').join('');
  return { ...value, parts: ['⟦', ...parts, `${padding(source)}⟧`] };
}

export const pseudo = (catalogue: Catalogue): Catalogue => translate(catalogue) as Catalogue;

/** Dates and units are accented, but keep their length. */
export const pseudoFormats = (formats: Formats): Formats =>
  Object.fromEntries(
    Object.entries(formats).map(([name, show]) => [
      name,
      (...given: unknown[]) => {
        const text = (show as (...values: unknown[]) => string)(...given);
        return accent(text);
      },
    ]),
  ) as unknown as Formats;
