// Splits a text into the rows that CodeBlock draws. Offsets are UTF-16 into the whole text.

export interface Line {
  kind: 'line';
  number: number;
  start: number;
  end: number;
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

/** Up to this many empty lines are drawn as they are. */
export const longestPlainGap = 8;

export function rowsOf(text: string): Row[] {
  const lines: Line[] = [];
  for (let start = 0, number = 1; start <= text.length; number++) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found;
    lines.push({ kind: 'line', number, start, end });
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

/** Groups rows so that the browser can skip laying out those that are far from view. */
export function groupsOf<R>(rows: readonly R[], size = 100): R[][] {
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, i) => rows.slice(i * size, (i + 1) * size));
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
