import { expect, it } from 'vitest';
import { textRows } from './columns';

const rows = (text: string, columns: number) =>
  textRows(text, columns).map(({ number, start, end }) => [number, text.slice(start, end)]);

it.each([
  ['', 10, [[1, '']]],
  [
    'a\n\nb',
    10,
    [
      [1, 'a'],
      [2, ''],
      [3, 'b'],
    ],
  ],
  [
    'abcdef',
    4,
    [
      [1, 'abcd'],
      [0, 'ef'],
    ],
  ],
  [
    '日本語',
    4,
    [
      [1, '日本'],
      [0, '語'],
    ],
  ],
  [
    '😀😀',
    2,
    [
      [1, '😀'],
      [0, '😀'],
    ],
  ],
  [
    'a\u200bb',
    7,
    [
      [1, 'a'],
      [0, '\u200b'],
      [0, 'b'],
    ],
  ],
  ['W', 1, [[1, 'W']]],
] as const)('%j in %i columns', (text, columns, expected) => {
  expect(rows(text, columns)).toEqual(expected);
});

it('loses nothing', () => {
  const text = 'x'.repeat(1000) + '\n' + '漢'.repeat(333) + '\u202e\n\n';
  const all = textRows(text, 37);
  expect(all.map(({ start, end }) => text.slice(start, end)).join('')).toBe(text.replaceAll('\n', ''));
});
