// Splits a text into the rows that CodeBlock draws. Offsets are UTF-16 into the whole text.

import { head } from './visible';

/** How many lines a text has. */
export const countLines = (text: string) => text.split('\n').length;

export interface Line {
  kind: 'line';
  number: number;
  start: number;
  end: number;
  /** It goes on with a line that is too long for one row. */
  more: boolean;
}

/** Many empty lines in a row, drawn as one marker so that nothing can be pushed out of sight. */
export interface Gap {
  kind: 'gap';
  number: number;
  start: number;
  end: number;
  count: number;
}

export type Row = Line | Gap;

interface Range {
  start: number;
  end: number;
}

/** A longer line is drawn as several rows, so that no row is too much for one step of drawing. */
const longestRow = 2000;
/** Up to this many empty lines are drawn as they are. */
const longestPlainGap = 8;

export function rowsOf(text: string): Row[] {
  const lines: Line[] = [];
  for (let start = 0, number = 1; start <= text.length; number++) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found;
    for (let from = start, more = false; from < end || !more; more = true) {
      const to = Math.min(end, from + head(text.slice(from, from + longestRow + 1), longestRow).length);
      lines.push({ kind: 'line', number, start: from, end: to, more });
      from = to;
    }
    start = end + 1;
  }
  return foldGaps(lines);
}

function foldGaps(lines: readonly Line[]): Row[] {
  const rows: Row[] = [];
  for (let i = 0; i < lines.length;) {
    let next = i;
    while (next < lines.length && lines[next]?.start === lines[next]?.end) next++;
    const count = next - i;
    const first = lines[i];
    if (!first) break;
    if (count > longestPlainGap) {
      rows.push({
        kind: 'gap',
        number: first.number,
        start: first.start,
        end: lines[next - 1]?.end ?? first.end,
        count,
      });
      i = next;
    } else {
      rows.push(...lines.slice(i, next + 1));
      i = next + 1;
    }
  }
  return rows;
}

/** Groups rows for drawing step by step: so many rows, or so many characters. */
export function groupsOf<R extends { row: Range }>(rows: readonly R[]): R[][] {
  const most = { rows: 100, characters: 4000 };
  const groups: R[][] = [];
  let characters = Infinity;
  for (const each of rows) {
    const group = groups.at(-1);
    const size = each.row.end - each.row.start;
    if (group && group.length < most.rows && characters + size <= most.characters) {
      group.push(each);
      characters += size;
    } else {
      groups.push([each]);
      characters = size;
    }
  }
  return groups;
}

/** For each row the marks that touch it. Marks and rows are both many, so neither is searched from the start. */
export function byRow<M extends Range>(rows: readonly Row[], marks: readonly M[]): M[][] {
  const found: M[][] = rows.map(() => []);
  for (const mark of marks) {
    for (let i = firstEndingAfter(rows, mark.start); i < rows.length && rows[i]!.start < mark.end; i++) {
      found[i]!.push(mark);
    }
  }
  return found;
}

function firstEndingAfter(rows: readonly Row[], offset: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle]!.end <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
