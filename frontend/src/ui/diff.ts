// A line diff (Myers, greedy) for texts of definition size.

export interface DiffLine {
  sign: ' ' | '+' | '-';
  text: string;
}

/** Past so many differing lines the whole is shown as replaced, so that hostile texts cost no time. */
const mostEdits = 1000;

export function diffLines(before: string, after: string): DiffLine[] {
  const a = before.split('\n');
  const b = after.split('\n');
  const trace = search(a, b);
  if (!trace) return [...a.map((text) => line('-', text)), ...b.map((text) => line('+', text))];
  return walkBack(a, b, trace);
}

const line = (sign: DiffLine['sign'], text: string): DiffLine => ({ sign, text });

/** For each number of edits the furthest x on each diagonal, or null if there are too many edits. */
function search(a: readonly string[], b: readonly string[]): Map<number, number>[] | null {
  const trace: Map<number, number>[] = [];
  const furthest = new Map([[1, 0]]);
  for (let edits = 0; edits <= Math.min(a.length + b.length, mostEdits); edits++) {
    trace.push(new Map(furthest));
    for (let k = -edits; k <= edits; k += 2) {
      let x = startOn(furthest, k, edits);
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      furthest.set(k, x);
      if (x >= a.length && x - k >= b.length) return trace;
    }
  }
  return null;
}

const down = (furthest: ReadonlyMap<number, number>, k: number, edits: number) =>
  k === -edits || (k !== edits && (furthest.get(k - 1) ?? -1) < (furthest.get(k + 1) ?? -1));

const startOn = (furthest: ReadonlyMap<number, number>, k: number, edits: number) =>
  down(furthest, k, edits) ? (furthest.get(k + 1) ?? 0) : (furthest.get(k - 1) ?? 0) + 1;

function walkBack(a: readonly string[], b: readonly string[], trace: readonly Map<number, number>[]): DiffLine[] {
  const found: DiffLine[] = [];
  let x = a.length;
  let y = b.length;
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const furthest = trace[edits]!;
    const k = x - y;
    const added = down(furthest, k, edits);
    const from = added ? k + 1 : k - 1;
    const fromX = edits === 0 ? 0 : (furthest.get(from) ?? 0);
    const fromY = edits === 0 ? 0 : fromX - from;
    while (x > fromX && y > fromY) {
      found.push(line(' ', a[--x]!));
      y--;
    }
    if (edits > 0) found.push(added ? line('+', b[--y]!) : line('-', a[--x]!));
  }
  return found.reverse();
}
