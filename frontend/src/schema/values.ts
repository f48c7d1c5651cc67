// This file holds what a form holds: one Value for the arguments, changed by replacing, never in place.
// A member that is absent is not sent; nothing is filled in that the form does not show.

import type { Field, Form, Option } from './model';
import { emptyObject, isNumber, oneLine, parseJson, same, type Value } from './json';

/** Why the form's content is not JSON yet. */
export interface Fault {
  pointer: string; // RFC 6901
  code: 'number' | 'json';
}

export interface Composed {
  text: string; // one line of JSON, '' while there are faults
  faults: Fault[];
}

/** The value a new form starts with: defaults, groups that must be there, and values without an alternative. */
export function initialValue(form: Form): Value {
  return form.kind === 'group' ? groupValue(form.fields) : emptyObject();
}

function groupValue(fields: Field[]): Value {
  const members = new Map<string, Value>();
  for (const field of fields) {
    const value = startOf(field);
    if (value) members.set(field.key, value);
  }
  return { kind: 'object', members };
}

function startOf(field: Field): Value | undefined {
  if (field.preset) return field.preset;
  if (!field.required) return undefined;
  const { shape } = field;
  if (shape.kind === 'group') return groupValue(shape.fields);
  if (shape.kind === 'choice' && shape.options.length === 1 && !field.nullable) return shape.options[0]!.value;
  return undefined;
}

/** A value to begin with when the user adds an optional group or one more item. */
export function freshValue(field: Field): Value {
  const start = startOf({ ...field, required: true });
  if (start) return start;
  switch (field.shape.kind) {
    case 'text':
      return { kind: 'string', text: '' };
    case 'number':
      return { kind: 'number', text: '' };
    case 'boolean':
      return { kind: 'boolean', on: false };
    case 'choice':
      return field.shape.options[0]?.value ?? { kind: 'null' };
    case 'choices':
    case 'list':
      return { kind: 'array', items: [] };
    case 'group':
      return groupValue(field.shape.fields);
    case 'json':
      return { kind: 'raw', text: '' };
  }
}

/** Whether the field's own editor shows this value without changing it. If not, the value is edited as JSON. */
export function fits(field: Field, value: Value): boolean {
  if (value.kind === 'null') return field.nullable;
  const { shape } = field;
  switch (shape.kind) {
    case 'text':
      // A text area gives back "\n" for "\r\n".
      return value.kind === 'string' && !value.text.includes('\r');
    case 'number':
      return value.kind === 'number';
    case 'boolean':
      return value.kind === 'boolean';
    case 'choice':
      return optionIndex(shape.options, value) >= 0;
    case 'choices':
      return value.kind === 'array' && picksOf(shape.options, value) !== undefined;
    case 'list':
      return value.kind === 'array';
    case 'group':
      return value.kind === 'object';
    case 'json':
      return false;
  }
}

/** The option's place, -1 if the value is none of them. */
export function optionIndex(options: Option[], value: Value | undefined): number {
  return value ? options.findIndex((o) => same(o.value, value)) : -1;
}

/** The places of the picked options; undefined if a value is no option or comes twice. */
export function picksOf(options: Option[], value: Value | undefined): number[] | undefined {
  if (value?.kind !== 'array') return value ? undefined : [];
  const picks = value.items.map((v) => optionIndex(options, v));
  return picks.includes(-1) || new Set(picks).size < picks.length ? undefined : picks;
}

/** A copy of the object with one member set, or removed by undefined. Members of the form come in its order. */
export function withMember(object: Value | undefined, fields: Field[], key: string, value: Value | undefined): Value {
  const before = object?.kind === 'object' ? object.members : new Map<string, Value>();
  const members = new Map<string, Value>();
  for (const field of fields) {
    const member = field.key === key ? value : before.get(field.key);
    if (member) members.set(field.key, member);
  }
  for (const [name, member] of before) {
    if (name !== key && !fields.some((f) => f.key === name)) members.set(name, member);
    else if (name === key && value && !members.has(name)) members.set(name, value);
  }
  return { kind: 'object', members };
}

/** The members of an object that the form has no field for. They are shown and sent all the same. */
export function extraMembers(object: Value | undefined, fields: Field[]): [string, Value][] {
  if (object?.kind !== 'object') return [];
  return [...object.members].filter(([name]) => !fields.some((f) => f.key === name));
}

/** The pointer of a member or an item. */
export function pointerTo(parent: string, key: string | number): string {
  return `${parent}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The value at a pointer; undefined if there is none. */
export function valueAt(value: Value, pointer: string): Value | undefined {
  let at: Value | undefined = value;
  for (const step of pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (at?.kind === 'object') at = at.members.get(name);
    else at = at?.kind === 'array' ? at.items[Number(name)] : undefined;
  }
  return at;
}

/** Writes the arguments. An empty JSON editor counts as absent. */
export function compose(value: Value): Composed {
  const faults: Fault[] = [];
  const settled = settle(value, '', faults);
  return { text: faults.length > 0 || !settled ? '' : oneLine(settled), faults };
}

function settle(value: Value, pointer: string, faults: Fault[]): Value | undefined {
  switch (value.kind) {
    case 'number':
      if (!isNumber(value.text.trim())) faults.push({ pointer, code: 'number' });
      return value;
    case 'raw': {
      if (value.text.trim() === '') return undefined;
      const parsed = parseJson(value.text);
      if (!parsed.ok) faults.push({ pointer, code: 'json' });
      return parsed.ok ? parsed.value : value;
    }
    case 'array':
      return { kind: 'array', items: value.items.flatMap((v, i) => settle(v, pointerTo(pointer, i), faults) ?? []) };
    case 'object': {
      const members = new Map<string, Value>();
      for (const [name, member] of value.members) {
        const settled = settle(member, pointerTo(pointer, name), faults);
        if (settled) members.set(name, settled);
      }
      return { kind: 'object', members };
    }
    default:
      return value;
  }
}
