// Characters that a reader cannot see or cannot tell apart. The table is the one that Go marks and counts with.

import table from '@mcphost/consent/hidden.json';

interface Range {
  from: number;
  to: number;
  name: string;
}

const codePoint = (text: string) => Number.parseInt(text.slice(2), 16);
const ranges: readonly Range[] = table.map(({ from, to, name }) => ({
  from: codePoint(from),
  to: codePoint(to),
  name,
}));

/** Every name in the table; the catalogues translate them. */
export const hiddenNames: readonly string[] = [
  ...new Set(ranges.map(({ name }) => name)),
  'line feed',
  'tab',
  'unpaired surrogate',
];

/**
 * The English name of a hidden character, or undefined for one that shows itself. Line feed and tab hide only where a
 * text stands on one line. As in Go, a variation selector right after a symbol picks its picture and hides nothing.
 */
export function hiddenName(char: string, previous: string, inCode: boolean): string | undefined {
  if (char === '\n' || char === '\t') return inCode ? undefined : char === '\n' ? 'line feed' : 'tab';
  const code = char.codePointAt(0) ?? 0;
  if (code >= 0x20 && code < 0x7f) return undefined;
  if (code >= 0xd800 && code < 0xe000) return 'unpaired surrogate';
  if ((code === 0xfe0e || code === 0xfe0f) && /^\p{So}$/u.test(previous)) return undefined;
  return find(code)?.name;
}

function find(code: number): Range | undefined {
  let low = 0;
  let high = ranges.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const range = ranges[middle]!;
    if (code < range.from) high = middle - 1;
    else if (code > range.to) low = middle + 1;
    else return range;
  }
  return undefined;
}
