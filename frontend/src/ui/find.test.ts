import { expect, it } from 'vitest';
import { placesOf } from './find';

const at = (text: string, term: string) => placesOf(text, term).map(({ start, end }) => [start, end]);

it('finds without regard to case, keeps offsets, and stops at a thousand', () => {
  expect(at('Rm -rf rm', 'RM')).toEqual([
    [0, 2],
    [7, 9],
  ]);
  expect(at('aaaa', 'aa')).toEqual([
    [0, 2],
    [2, 4],
  ]);
  expect(at('İx x', 'x')).toEqual([
    [1, 2],
    [3, 4],
  ]);
  expect(at('abc', '')).toEqual([]);
  expect(at('.*', '.*')).toEqual([[0, 2]]);
  expect(at('x'.repeat(5000), 'x')).toHaveLength(1000);
});
