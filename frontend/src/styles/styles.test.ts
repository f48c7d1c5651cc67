import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const tokens = readFileSync('src/styles/tokens.css', 'utf8');

/** The colours of a theme, the light ones where the dark theme has none of its own. */
function coloursOf(theme: 'light' | 'dark'): Map<string, string> {
  const blocks = theme === 'light' ? [':root{'] : [':root{', '[data-theme=dark]{'];
  return new Map(
    blocks.flatMap((start) => {
      const at = tokens.indexOf(start);
      const block = tokens.slice(at, tokens.indexOf('}', at));
      return [...block.matchAll(/--([a-z0-9-]+):(#[0-9A-F]{6})\b/gi)].map(
        ([, name, value]) => [name!, value!] as const,
      );
    }),
  );
}

/** Relative luminance, WCAG 2.2. */
function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

const surfaces = ['chrome', 'bg', 'surface', 'inset', 'sunken'];
const risks = ['read', 'write', 'destroy', 'leave', 'unknown', 'ok'];
const pairs: [ink: string, on: string, least: number][] = [
  ...['ink', 'ink2', 'ink3'].flatMap((ink) => surfaces.map((on) => [ink, on, 4.5] as [string, string, number])),
  ...risks.flatMap((risk) => [
    [risk, `${risk}-bg`, 4.5] as [string, string, number],
    [risk, 'surface', 4.5] as [string, string, number],
    ['ink2', `${risk}-bg`, 4.5] as [string, string, number],
  ]),
  ['accent-ink', 'surface', 4.5],
  ['accent-ink', 'accent-bg', 4.5],
  ['on-accent', 'accent', 4.5],
  ['on-accent', 'accent-hover', 4.5],
  ['on-gate', 'gate', 4.5],
  ['on-gate2', 'gate', 4.5],
  ['field', 'surface', 3],
  ['accent', 'surface', 3],
];

describe.each(['light', 'dark'] as const)('the colours, %s', (theme) => {
  const colours = coloursOf(theme);
  it.each(pairs)('%s on %s has a contrast of %d', (ink, on, least) => {
    expect(contrast(colours.get(ink)!, colours.get(on)!)).toBeGreaterThanOrEqual(least);
  });
});

it('no style asks for the size of the window: it does not know the text size', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(svelte|css)$/.test(file),
  );
  expect(files.length).toBeGreaterThan(50);
  const wrong = files.filter((file) => {
    const text = readFileSync(`src/${file}`, 'utf8').replace('--vw:1vw;--vh:1vh;', '');
    return /@media \((?:max|min)-|[0-9]v[hw]\b/.test(text);
  });
  expect(wrong).toEqual([]);
});

it('names Chinese families for Chinese alone: English drawn with them has full width quotes', () => {
  const stacks = tokens.split('\n').filter((line) => line.includes('--font:'));
  expect(stacks.filter((line) => line.includes('CJK'))).toEqual([expect.stringMatching(/^:root:lang\(zh\)/)]);
});
