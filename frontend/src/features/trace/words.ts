// What the entries of the trace are called.

import type { TraceRow } from '@/backend/backend';
import { format, t } from '@/i18n/index.svelte';

/** A message by its method, what it is about and how far it is; the method and the name may be the server's words. */
export function messageText(row: TraceRow): string {
  const words = t().trace;
  if (row.kind === 'mark') return markText(row);
  if (row.kind !== 'message') return row.detail;
  if (row.method === '') {
    if (row.id === '' && row.problem !== '') return problemText(row.problem);
    return row.problem === 'error' ? words.error : words.result;
  }
  const what = row.name ? words.named(row.method, row.name) : row.method;
  if (row.done === 0 && row.total === 0) return what;
  const share = row.total > 0 ? format().percent((row.done / row.total) * 100) : format().number(row.done);
  return words.percent(row.method, share);
}

function markText({ code, detail }: TraceRow): string {
  const { marks } = t().trace;
  return code in marks ? marks[code as keyof typeof marks](detail) : detail;
}

/** What the request is called that a row belongs to, '' if it belongs to none. */
export const askedText = ({ asked, name }: TraceRow): string => (asked && name ? t().trace.named(asked, name) : asked);

export function problemText(problem: string): string {
  const problems: Record<string, string> = t().trace.problems;
  return (Object.hasOwn(problems, problem) ? problems[problem] : undefined) ?? t().trace.problems.other;
}

/** The chip of a row says what its text does not: '' for none. */
export function chipOf(row: TraceRow): { text: string; tone: 'destroy' | 'write' } | undefined {
  if (row.problem && messageText(row) !== problemText(row.problem)) {
    return { text: problemText(row.problem), tone: 'destroy' };
  }
  if (row.state === 'open' && row.dir === 'in') return { text: t().trace.waits, tone: 'write' };
  return undefined;
}

/** How long a request took, or that it waits. */
export function tookText({ state, dir, tookMs }: TraceRow): string {
  const words = t().trace;
  if (state === 'open') return dir === 'in' ? words.held : words.open;
  if (state === 'silent') return words.silent;
  return state === 'answered' ? format().number(Math.round(tookMs)) : '';
}

export const wayText = ({ dir }: TraceRow): string =>
  dir === '' ? t().trace.between : dir === 'out' ? t().trace.sent : t().trace.received;

/** The text of an id without its quotes. */
export const idText = (id: string): string => id.replace(/^"(.*)"$/, '$1');
