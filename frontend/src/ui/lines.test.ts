import { describe, expect, it } from 'vitest';
import { byRow, countLines, groupsOf, rowsOf } from './lines';

const show = (text: string) =>
  rowsOf(text).map((row) => [row.number, row.kind === 'gap' ? row.count : text.slice(row.start, row.end)]);

describe('rowsOf', () => {
  it('numbers lines, also the empty ones', () => {
    expect(show('a\n\nb\n')).toEqual([
      [1, 'a'],
      [2, ''],
      [3, 'b'],
      [4, ''],
    ]);
    expect(show('')).toEqual([[1, '']]);
  });

  it('counts many empty lines instead of drawing them', () => {
    expect(show(`a${'\n'.repeat(5000)}b`)).toEqual([
      [1, 'a'],
      [2, 4999],
      [5001, 'b'],
    ]);
  });

  it('draws a very long line as several rows of one number, never splitting a character', () => {
    const text = `short\n${'\u{1f600}'.repeat(6000)}x`;
    const rows = rowsOf(text);
    expect(rows.map(({ number }) => number)).toEqual([1, ...Array<number>(7).fill(2)]);
    expect(rows.map((row) => row.kind === 'line' && row.more)).toEqual([false, false, ...Array<boolean>(6).fill(true)]);
    expect(
      rows
        .slice(1)
        .map(({ start, end }) => text.slice(start, end))
        .join(''),
    ).toBe(text.slice(6));
  });

  it('counts lines as people do', () => {
    expect(['', 'a', 'a\n', 'a\nb'].map(countLines)).toEqual([1, 1, 2, 2]);
  });
});

describe('groupsOf', () => {
  it('limits rows and characters of a group', () => {
    const rows = (n: number, size: number) =>
      Array.from({ length: n }, (_, i) => ({ row: { start: i * size, end: (i + 1) * size } }));
    expect(groupsOf(rows(250, 10)).map(({ length }) => length)).toEqual([100, 100, 50]);
    expect(groupsOf(rows(5, 2000)).map(({ length }) => length)).toEqual([2, 2, 1]);
    expect(groupsOf([])).toEqual([]);
  });
});

describe('byRow', () => {
  it('gives each row the marks that touch it, across rows too', () => {
    const rows = rowsOf('abc\ndef\nghi');
    const marks = [
      { start: 1, end: 2 },
      { start: 2, end: 9 },
    ];
    expect(byRow(rows, marks).map((found) => found.map(({ start }) => start))).toEqual([[1, 2], [2], [2]]);
  });
});
