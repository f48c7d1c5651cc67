// This file knows processes by /proc: a server of Gatehouse's has a process group of its own, so only its parent tells
// whose it is.
import { readdirSync, readFileSync } from 'node:fs';

export interface Process {
  pid: number;
  name: string;
  start: string; // tells it from a later process with the same id
}

interface Stat extends Process {
  parent: number;
}

function stat(pid: number | string): Stat | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
  } catch {
    return undefined; // it has ended
  }
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
  const name = text.slice(text.indexOf('(') + 1, text.lastIndexOf(')'));
  return { pid: Number(pid), name, parent: Number(fields[1]), start: fields[19] ?? '' };
}

/** All live processes below pid. */
export function descendants(pid: number): Process[] {
  const all = readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((entry) => stat(entry) ?? []);
  const found: Process[] = [];
  for (const parents = [pid]; parents.length > 0;) {
    const parent = parents.pop();
    const children = all.filter((p) => p.parent === parent);
    found.push(...children);
    parents.push(...children.map((p) => p.pid));
  }
  return found;
}

export function alive(p: Process): boolean {
  return stat(p.pid)?.start === p.start;
}

/** Polls until the condition holds. */
export async function until(what: string, holds: () => boolean | Promise<boolean>, seconds = 60): Promise<void> {
  const deadline = Date.now() + seconds * 1000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`waited ${String(seconds)} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
