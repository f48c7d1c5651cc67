import { describe, expect, it } from 'vitest';
import { diffLines } from './diff';

const show = (before: string, after: string) => diffLines(before, after).map(({ sign, text }) => sign + text);

describe('diffLines', () => {
  it('keeps equal texts', () => {
    expect(show('a\nb', 'a\nb')).toEqual([' a', ' b']);
  });

  it('shows removed, added and changed lines in place', () => {
    expect(show('a\nb\nc\nd', 'a\nx\nc\nd\ne')).toEqual([' a', '-b', '+x', ' c', ' d', '+e']);
  });

  it('turns one text into the other, whatever they are', () => {
    const random = lcg(7);
    for (let round = 0; round < 200; round++) {
      const text = () => Array.from({ length: random(12) }, () => 'abc'[random(3)]!).join('\n');
      const [before, after] = [text(), text()];
      const lines = diffLines(before, after);
      const pick = (drop: string) => lines.filter(({ sign }) => sign !== drop).map((each) => each.text);
      expect(pick('+').join('\n')).toBe(before);
      expect(pick('-').join('\n')).toBe(after);
    }
  });

  it('gives up on thousands of differences and replaces the whole', () => {
    const lines = (name: string) => Array.from({ length: 3000 }, (_, i) => name + i).join('\n');
    expect(diffLines(lines('a'), lines('b'))).toHaveLength(6000);
  });
});

function lcg(seed: number): (below: number) => number {
  return (below) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor((seed / 2147483648) * below);
  };
}
