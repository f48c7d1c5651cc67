import { render, screen } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import CodeBlock from './CodeBlock.svelte';
import { copyOriginals, originalText } from './copy';
import { hiddenName } from './hidden';
import { head, pieces } from './visible';
import VisibleText from './VisibleText.svelte';

const kinds = (text: string, inCode = false) =>
  pieces(text, 0, text.length, [], inCode).map((piece) =>
    piece.kind === 'text'
      ? piece.text
      : piece.kind === 'hidden'
        ? `[${piece.label}${piece.count > 1 ? `×${piece.count}` : ''}]`
        : `[${piece.count}]`,
  );

describe('pieces', () => {
  it.each([
    ['plain text', ['plain text']],
    ['a\u200bb', ['a', '[U+200B]', 'b']],
    ['\u202eevil', ['[U+202E]', 'evil']],
    [String.fromCodePoint(0xe0041), ['[U+E0041]']],
    ['a\u00a0b', ['a', '[U+00A0]', 'b']],
    ['one\r\n', ['one', '[U+000D]', '[U+000A]']],
    ['\ud800', ['[U+D800]']],
    ['a\u200b\u200b', ['a', '[U+200B]', '[U+200B]']],
    [`a${'\n'.repeat(5000)}b`, ['a', '[U+000A×5000]', 'b']],
    ['☀\ufe0f', ['☀\ufe0f']],
    ['a\ufe0f', ['a', '[U+FE0F]']],
    [`a${' '.repeat(31)}b`, [`a${' '.repeat(31)}b`]],
    [`a${' '.repeat(32)}b`, ['a', '[32]', 'b']],
    ['  ', ['[2]']],
  ])('%j', (text, expected) => {
    expect(kinds(text)).toEqual(expected);
  });

  it('takes tabs and line breaks for white space inside code only', () => {
    expect(kinds('a\tb')).toEqual(['a', '[U+0009]', 'b']);
    expect(kinds('a\tb', true)).toEqual(['a\tb']);
  });

  it('cuts at marks and joins their classes where they overlap', () => {
    const marks = [
      { start: 1, end: 4, class: 'one', anchor: 'x' },
      { start: 3, end: 5, class: 'two' },
    ];
    expect(pieces('abcdef', 0, 6, marks).map(({ class: look }) => look)).toEqual(['', 'one', 'one two', 'two', '']);
    expect(pieces('abcdef', 0, 6, marks).map(({ anchor }) => anchor)).toEqual([
      undefined,
      'x',
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('loses nothing', () => {
    const text = `a\u200b${' '.repeat(40)}\u{1f600}\u{e0041}\r end`;
    const raw = pieces(text, 0, text.length, [{ start: 2, end: 50, class: 'x' }]).map((piece) =>
      piece.kind === 'text' ? piece.text : piece.raw,
    );
    expect(raw.join('')).toBe(text);
  });
});

describe('hiddenName', () => {
  it('knows the table of the Go side', () => {
    expect(hiddenName('\u200b', '', true)).toBe('zero-width space');
    expect(hiddenName('\u001b', '', true)).toBe('escape');
    expect(hiddenName('é', '', true)).toBeUndefined();
    expect(hiddenName('中', '', true)).toBeUndefined();
  });
});

describe('head', () => {
  it('never splits a character', () => {
    expect(head('a\u{1f600}b', 2)).toBe('a');
    expect(head('a\u{1f600}b', 3)).toBe('a\u{1f600}');
    expect(head('short', 10)).toBe('short');
  });
});

describe('VisibleText', () => {
  it('says aloud what is hidden and isolates the direction', () => {
    const { container } = render(VisibleText, { text: 'a\u202eb' });
    expect(screen.getByRole('img', { name: 'hidden character, right-to-left override' })).toHaveTextContent('U+202E');
    expect(container.querySelector('bdi')).not.toBeNull();
  });
});

describe('CodeBlock', () => {
  it('shows opening lines only when it is not whole', async () => {
    const text = Array.from({ length: 50 }, (_, i) => `line ${i}`).join('\n');
    const { rerender } = render(CodeBlock, { text, whole: false });
    expect(screen.queryByText('line 12')).toBeNull();
    await rerender({ text, whole: true });
    expect(screen.getByText('line 49')).toBeInTheDocument();
  });

  it('draws thousands of marked lines', () => {
    const text = Array.from({ length: 2000 }, (_, i) => `"key": ${i % 10},`).join('\n');
    const marks = Array.from({ length: 2000 }, (_, i) => ({ start: i * 10, end: i * 10 + 5, class: 'jk' }));
    const { container } = render(CodeBlock, { text, marks });
    expect(container.querySelectorAll('.ln .jk')).toHaveLength(2000);
  });
});

describe('copying', () => {
  it('gives the original characters without line numbers', () => {
    const text = `one\u200b\n\n${' '.repeat(50)}two\n${'\n'.repeat(20)}three`;
    const { container } = render(CodeBlock, { text });
    expect(originalText(container)).toBe(text);
  });

  it('replaces what a copy event would put on the clipboard', () => {
    const { container } = render(VisibleText, { text: 'a\u200bb' });
    const stop = copyOriginals(document);
    document.getSelection()?.selectAllChildren(container);
    let copied = '';
    const event = new Event('copy', { bubbles: true, cancelable: true });
    Object.assign(event, { clipboardData: { setData: (_: string, text: string) => (copied = text) } });
    document.dispatchEvent(event);
    stop();
    expect(copied).toBe('a\u200bb');
    expect(event.defaultPrevented).toBe(true);
  });
});
