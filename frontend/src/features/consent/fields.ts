// The arguments of a call as the gate shows them: one field a member, those that can do harm first and whole.

import type { Finding, Problem } from '@/backend/backend';
import { parseJson, indented, type Value } from '@/schema/json';
import { readSchema } from '@/schema/read';
import { jsonMarks } from '@/ui/json';
import { countLines } from '@/ui/lines';
import type { Mark } from '@/ui/visible';
import { marksAt } from '@/ui/findings';

export interface ShownField {
  pointer: string;
  key: string;
  /** The server's title for it, '' if none. */
  title: string;
  /** block: a text or JSON with lines of its own; line: a short text; scalar: a number or a word. */
  look: 'block' | 'line' | 'scalar';
  value: Value;
  text: string;
  marks: Mark[];
  lines: number;
  /** It is drawn folded until the user opens it. */
  long: boolean;
  /** A piece of another field that deserves its own place. */
  inside: boolean;
  problems: string[];
}

const harmful = new Set('path file filename url uri command cmd code script sql query'.split(' '));

/** Beyond this a value starts folded. */
const whole = { lines: 40, characters: 4000 };
/** A text up to this length stands beside others. */
const shortText = 60;

/** Null if the arguments are not an object. */
export function fieldsOf(
  args: string,
  inputSchema: string,
  findings: readonly Finding[],
  problems: readonly Problem[],
): ShownField[] | null {
  const parsed = parseJson(args);
  if (!parsed.ok || parsed.value.kind !== 'object') return null;
  const order = titlesOf(inputSchema);
  const keys = [...parsed.value.members.keys()].sort((a, b) => rank(a, order) - rank(b, order));
  const found = new Set(findings.map(({ pointer }) => pointer));
  return keys.flatMap((key) => {
    const value = (parsed.value as Extract<Value, { kind: 'object' }>).members.get(key)!;
    const pointer = `/${escapeKey(key)}`;
    const field = fieldOf({ pointer, key, title: order.get(key) ?? '', value, inside: false }, findings, problems);
    return [field, ...piecesOf(value, pointer, key, found).map((piece) => fieldOf(piece, findings, []))];
  });
}

const escapeKey = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1');

function titlesOf(inputSchema: string): Map<string, string> {
  const form = readSchema(inputSchema);
  return new Map(form.kind === 'group' ? form.fields.map(({ key, title }) => [key, title]) : []);
}

/** Harmful keys first, then the schema's order, then what the schema does not name. */
function rank(key: string, order: ReadonlyMap<string, string>): number {
  const words = key
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  const at = [...order.keys()].indexOf(key);
  return (words.some((word) => harmful.has(word)) ? 0 : 1e6) + (at < 0 ? 1e5 : at);
}

type Source = Pick<ShownField, 'pointer' | 'key' | 'title' | 'value' | 'inside'>;

function fieldOf(source: Source, findings: readonly Finding[], problems: readonly Problem[]): ShownField {
  const { value, pointer } = source;
  const nested = value.kind === 'array' || value.kind === 'object';
  const text = value.kind === 'string' ? value.text : indented(value);
  const lines = countLines(text);
  const marks = nested ? jsonMarks(text) : value.kind === 'string' ? marksAt(findings, pointer, text) : [];
  return {
    ...source,
    text,
    marks,
    lines,
    look: lookOf(source, text, lines),
    long: lines > whole.lines || text.length > whole.characters,
    problems: problems.filter((problem) => belongs(problem.pointer, pointer)).map(({ message }) => message),
  };
}

function lookOf({ value, key, inside }: Source, text: string, lines: number): ShownField['look'] {
  if (value.kind === 'array' || value.kind === 'object') return text.length <= 2 ? 'scalar' : 'block';
  if (value.kind !== 'string' || text === '') return 'scalar';
  const first = rank(key, new Map()) < 1e6;
  return lines > 1 || text.length > shortText || first || inside ? 'block' : 'line';
}

export const belongs = (pointer: string, field: string) => pointer === field || pointer.startsWith(`${field}/`);

/** Texts inside a nested value that JSON would show on one escaped line, or that Gatehouse found something in. */
function piecesOf(value: Value, pointer: string, key: string, found: ReadonlySet<string>): Source[] {
  const inner: [string, Value][] =
    value.kind === 'array'
      ? value.items.map((item, i) => [String(i), item])
      : value.kind === 'object'
        ? [...value.members]
        : [];
  return inner.flatMap(([name, item]) => {
    const at = `${pointer}/${escapeKey(name)}`;
    const path = `${key}/${name}`;
    if (item.kind !== 'string') return piecesOf(item, at, path, found);
    const shown = item.text.includes('\n') || found.has(at);
    return shown ? [{ pointer: at, key: path, title: '', value: item, inside: true }] : [];
  });
}
