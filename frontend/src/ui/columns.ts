// Splits a long text into rows of at most so many columns, so that a list can draw only those in view.

import { codeLabel } from './visible';
import { hiddenName } from './hidden';

export interface TextRow {
  number: number; // of the line, 1-based; 0 on the rows that continue it
  start: number; // UTF-16
  end: number;
}

/** The rows of a text in a fixed-width face. Wide characters take two columns, markers what their label takes. */
export function textRows(text: string, columns: number): TextRow[] {
  const rows: TextRow[] = [];
  let number = 1;
  for (let start = 0; start <= text.length; number++) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found;
    wrap(rows, text, start, end, number, columns);
    start = end + 1;
  }
  return rows;
}

function wrap(rows: TextRow[], text: string, from: number, to: number, number: number, columns: number): void {
  let start = from;
  let shown = number;
  let used = 0;
  for (let at = from; at < to;) {
    const code = text.codePointAt(at) ?? 0;
    const width = columnsOf(code);
    if (used + width > columns && at > start) {
      rows.push({ number: shown, start, end: at });
      start = at;
      shown = 0;
      used = 0;
    }
    used += width;
    at += code > 0xffff ? 2 : 1;
  }
  rows.push({ number: shown, start, end: to });
}

function columnsOf(code: number): number {
  if (code >= 0x20 && code < 0x7f) return 1;
  if (code === 0x09) return 4;
  const char = String.fromCodePoint(code);
  if (hiddenName(char, '', true) !== undefined) return codeLabel(char).length + 1;
  return code >= 0x1100 ? 2 : 1;
}
