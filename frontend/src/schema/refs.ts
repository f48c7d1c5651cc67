// This file follows local references and folds the wrappers that generators put around a plain schema
// (a lone allOf, "X or null"), so that read.ts sees one plain object. Nothing is ever fetched.

import type { Fallback } from './model';
import { limits } from './model';
import type { Value } from './json';

export type Keywords = Map<string, Value>;
export type Plain = { ok: true; schema: Keywords; nullable: boolean; seen: string[] } | { ok: false; why: Fallback };

/** Keywords that describe and never restrict: they may stand beside a reference. */
const annotations = new Set('title description default examples deprecated readOnly writeOnly $comment'.split(' '));

export function keywordsOf(value: Value | undefined): Keywords | undefined {
  return value?.kind === 'object' ? value.members : undefined;
}

/** Unwraps a schema. `seen` holds the references that enclose it: meeting one again means recursion. */
export function plain(root: Keywords, schema: Value | undefined, seen: string[]): Plain {
  let current = keywordsOf(schema);
  let nullable = false;
  const path = [...seen];
  for (let step = 0; step <= limits.references; step++) {
    if (!current) return { ok: false, why: 'any' };
    const inner = wrapped(current);
    if (inner === undefined) return { ok: true, schema: current, nullable, seen: path };
    if (inner === 'combined') return { ok: false, why: 'combined' };
    nullable ||= inner.nullable;
    let target: Value | undefined = inner.schema;
    if (inner.reference !== '') {
      if (path.includes(inner.reference)) return { ok: false, why: 'recursive' };
      path.push(inner.reference);
      target = lookUp(root, inner.reference);
      if (!target) return { ok: false, why: 'reference' };
    }
    current = overlay(keywordsOf(target), current);
  }
  return { ok: false, why: 'deep' };
}

interface Wrapped {
  reference: string;
  schema: Value | undefined;
  nullable: boolean;
}

/** The one schema that this one stands for; undefined if it is plain already. */
function wrapped(schema: Keywords): Wrapped | 'combined' | undefined {
  const restricting = [...schema.keys()].filter(
    (k) => !annotations.has(k) && k !== '$schema' && k !== '$defs' && k !== 'definitions',
  );
  const reference = schema.get('$ref');
  if (reference) {
    if (restricting.length > 1 || reference.kind !== 'string') return 'combined';
    return { reference: reference.text, schema: undefined, nullable: false };
  }
  const all = schema.get('allOf');
  if (all?.kind === 'array' && all.items.length === 1 && restricting.length === 1) {
    return { reference: '', schema: all.items[0], nullable: false };
  }
  for (const word of ['anyOf', 'oneOf']) {
    const any = schema.get(word);
    if (any?.kind !== 'array' || restricting.length !== 1) continue;
    const rest = any.items.filter((v) => !isNull(v));
    if (rest.length === 1) return { reference: '', schema: rest[0], nullable: any.items.length > 1 };
  }
  return undefined;
}

function isNull(schema: Value): boolean {
  const type = keywordsOf(schema)?.get('type');
  return type?.kind === 'string' && type.text === 'null';
}

/** The target with the annotations that stood beside the reference: they are the closer ones. */
function overlay(target: Keywords | undefined, beside: Keywords): Keywords | undefined {
  if (!target) return undefined;
  const merged = new Map(target);
  for (const [name, value] of beside) if (annotations.has(name)) merged.set(name, value);
  return merged;
}

/** Resolves "#" and "#/a/b" (RFC 6901 in a URI fragment) inside the document; anything else is not ours to fetch. */
function lookUp(root: Keywords, reference: string): Value | undefined {
  let value: Value | undefined = { kind: 'object', members: root };
  if (reference === '#') return value;
  if (!reference.startsWith('#/')) return undefined;
  for (const part of reference.slice(2).split('/')) {
    const name = unescape(part);
    if (value?.kind === 'object') value = value.members.get(name);
    else if (value?.kind === 'array') value = value.items[Number(name)];
    else return undefined;
  }
  return value;
}

function unescape(part: string): string {
  let text = part;
  try {
    text = decodeURIComponent(part);
  } catch {
    // Not percent-encoded: take it as it stands.
  }
  return text.replaceAll('~1', '/').replaceAll('~0', '~');
}
