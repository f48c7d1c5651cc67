// Turns a foreign string into pieces that can be shown without hiding anything: invisible and look-alike characters,
// control characters and long runs of spaces become markers. Offsets are UTF-16, as in Finding.

import { hiddenName } from './hidden';

export interface Mark {
  start: number;
  end: number;
  class: string;
  /** Where a press on a finding scrolls to. */
  anchor?: string;
}

export type Piece = { class: string; anchor?: string } & (
  | { kind: 'text'; text: string }
  | { kind: 'hidden'; raw: string; label: string; name: string; count: number }
  | { kind: 'spaces'; raw: string; count: number }
);

/** A run of so many spaces becomes a marker, so that nothing can be pushed out of sight; and so does nothing but spaces. */
const runOfSpaces = / {32,}/g;
const anySpaces = / +/g; // of a text that has nothing else

interface Cut {
  start: number;
  end: number;
  piece: (raw: string) => Piece;
}

export const codeLabel = (char: string) =>
  `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** Pieces of text[from, to). Inside code, tabs are white space; in a name they are markers like line breaks. */
export function pieces(text: string, from: number, to: number, marks: readonly Mark[], inCode = false): Piece[] {
  const near = marks.filter((mark) => mark.start < to && mark.end > from);
  const edges = new Set([from, to]);
  for (const mark of near) {
    edges.add(Math.max(from, mark.start));
    edges.add(Math.min(to, mark.end));
  }
  const runs = inCode || /[^ ]/.test(text) ? runOfSpaces : anySpaces;
  const bounds = [...edges].sort((a, b) => a - b);
  return bounds.slice(0, -1).flatMap((start, i) => {
    const end = bounds[i + 1] ?? to;
    const over = near.filter((mark) => mark.start <= start && mark.end >= end);
    const style = { class: over.map((mark) => mark.class).join(' '), ...anchorOf(over, start, from) };
    return plainPieces(text.slice(start, end), inCode, runs).map((piece) => ({ ...piece, ...style }));
  });
}

function anchorOf(over: readonly Mark[], start: number, from: number): { anchor?: string } {
  const mark = over.find(({ anchor, start: first }) => anchor && (first === start || (start === from && first < from)));
  return mark?.anchor ? { anchor: mark.anchor } : {};
}

function plainPieces(text: string, inCode: boolean, runs: RegExp): Piece[] {
  const found: Piece[] = [];
  let done = 0;
  for (const { start, end, piece } of cuts(text, inCode, runs)) {
    if (start > done) found.push({ kind: 'text', text: text.slice(done, start), class: '' });
    found.push(piece(text.slice(start, end)));
    done = end;
  }
  if (done < text.length) found.push({ kind: 'text', text: text.slice(done), class: '' });
  return found;
}

/** So many of the same hidden character in a row become one marker that counts them. */
const longestPlainRow = 8;

function cuts(text: string, inCode: boolean, runs: RegExp): Cut[] {
  const found = [...rowsOfHidden(text, inCode)].flatMap((row) =>
    row.count > longestPlainRow ? [hiddenCut(row, row.start, row.count)] : single(row),
  );
  for (const run of text.matchAll(runs)) {
    found.push({
      start: run.index,
      end: run.index + run[0].length,
      piece: (raw) => ({ kind: 'spaces', raw, count: raw.length, class: '' }),
    });
  }
  return found.sort((a, b) => a.start - b.start);
}

interface HiddenRow {
  start: number;
  char: string;
  name: string;
  count: number;
}

function* rowsOfHidden(text: string, inCode: boolean): Generator<HiddenRow> {
  let row: HiddenRow | undefined;
  let at = 0;
  let previous = '';
  for (const char of text) {
    const name = hiddenName(char, previous, inCode);
    if (row && row.char === char) {
      row.count++;
    } else {
      if (row) yield row;
      row = name === undefined ? undefined : { start: at, char, name, count: 1 };
    }
    previous = char;
    at += char.length;
  }
  if (row) yield row;
}

const single = (row: HiddenRow): Cut[] =>
  Array.from({ length: row.count }, (_, i) => hiddenCut(row, row.start + i * row.char.length, 1));

const hiddenCut = ({ char, name }: HiddenRow, start: number, count: number): Cut => ({
  start,
  end: start + count * char.length,
  piece: (raw) => ({ kind: 'hidden', raw, label: codeLabel(char), name, count, class: '' }),
});

/** Cuts at a character boundary. */
export function head(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length);
}

/** A foreign string for places that take text only (an option, a title): markers in brackets, cut to max. */
export function shownText(text: string, max: number): string {
  const shown = head(text, max);
  const plain = pieces(shown, 0, shown.length, []).map((piece) => {
    if (piece.kind === 'text') return piece.text;
    return piece.kind === 'hidden' ? `[${piece.label}]` : ' … ';
  });
  return plain.join('') + (shown.length < text.length ? '…' : '');
}
