// Findings of one kind become one line of "Found by Gatehouse", and marks in the text they were found in.

import type { Finding, RiskClass } from '@/backend/backend';
import { format, t } from '@/i18n/index.svelte';
import type { Mark } from './visible';

export interface Found {
  code: string;
  class: RiskClass;
  title: string;
  /** Where it stands, in words; '' if nowhere in particular. */
  place: string;
  detail: string;
  /** Of the marks that a press scrolls to; '' if there is none. */
  anchor: string;
}

const anchorOf = (code: string) => `found-${code}`;

/** Marks of the findings that point at this text. */
export function marksAt(findings: readonly Finding[], pointer: string, text: string): Mark[] {
  return findings
    .filter((finding) => finding.pointer === pointer && pointer !== '')
    .map(({ code, class: risk, start, end }) => {
      const whole = start === 0 && end === 0;
      const look = `hl ${risk}`;
      return { start: whole ? 0 : start, end: whole ? text.length : end, class: look, anchor: anchorOf(code) };
    })
    .filter((mark) => mark.end > mark.start);
}

/** One line a code, heaviest class first. manyLines tells whether the text at a pointer has several lines. */
export function group(findings: readonly Finding[], manyLines: (pointer: string) => boolean): Found[] {
  const codes = [...new Set(findings.map(({ code }) => code))];
  const found = codes.map((code) => {
    const same = findings.filter((finding) => finding.code === code);
    const details = [...new Set(same.map(({ detail }) => detail).filter(Boolean))];
    return {
      code,
      class: same[0]!.class,
      title: titleOf(code, same[0]!.class),
      place: placeOf(same, manyLines),
      detail: details.length > 0 ? detailOf(code, format().list(details)) : '',
      anchor: same.some(({ pointer }) => pointer !== '') ? anchorOf(code) : '',
    };
  });
  return found.sort((a, b) => weight(a.class) - weight(b.class));
}

const weight = (risk: RiskClass) => ['destroy', 'leave', 'write', 'unknown', 'read'].indexOf(risk);

function titleOf(code: string, risk: RiskClass): string {
  const titles: Record<string, string> = t().risk.findings;
  return Object.hasOwn(titles, code) ? titles[code]! : t().risk.classes[risk];
}

function detailOf(code: string, detail: string): string {
  const name = code === 'hidden-character' ? (t().risk.hidden[detail] ?? detail) : detail;
  const details: Record<string, (detail: string) => string> = t().risk.details;
  return Object.hasOwn(details, code) ? details[code]!(name) : name;
}

function placeOf(findings: readonly Finding[], manyLines: (pointer: string) => boolean): string {
  const places = t().risk.places;
  const lines = findings.filter(({ pointer, line }) => line > 0 && manyLines(pointer)).map(({ line }) => line);
  if (lines.length > 0) return ranges(lines);
  const indexes = findings.flatMap(({ pointer }) =>
    pointer.startsWith('args/') ? [Number(pointer.slice(5)) + 1] : [],
  );
  if (indexes.length > 0) {
    const list = format().list([...new Set(indexes)].map(String));
    return indexes.length > 1 ? places.arguments(list) : places.argument(list);
  }
  const pointers = [...new Set(findings.map(({ pointer }) => pointer))];
  return format().list(pointers.map(placeOfPointer));
}

function placeOfPointer(pointer: string): string {
  const places = t().risk.places;
  if (pointer === '') return places.definition;
  if (pointer.startsWith('env/')) return places.variable(pointer.slice(4));
  if (pointer.startsWith('headers/')) return places.header(pointer.slice(8));
  if (pointer === 'command' || pointer === 'dir' || pointer === 'url') return places[pointer];
  return places.field(unescapePointer(pointer.slice(1)));
}

/** The last steps of an RFC 6901 pointer as people write them: a/0/b. */
export const unescapePointer = (pointer: string) => pointer.replaceAll('~1', '/').replaceAll('~0', '~');

function ranges(lines: readonly number[]): string {
  const sorted = [...new Set(lines)].sort((a, b) => a - b);
  const spans: [number, number][] = [];
  for (const line of sorted) {
    const last = spans.at(-1);
    if (last && line === last[1] + 1) last[1] = line;
    else spans.push([line, line]);
  }
  const list = format().list(spans.map(([from, to]) => (from === to ? String(from) : `${from}–${to}`)));
  return sorted.length > 1 ? t().risk.places.lines(list) : t().risk.places.line(list);
}
