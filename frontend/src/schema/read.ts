// This file turns a tool's input schema into a form model. What it cannot draw truthfully is edited as JSON;
// the Go side validates against the original schema either way, so a constraint it leaves out is never lost.

import type { Fallback, Field, Form, Option, Shape, TextFormat } from './model';
import { limits } from './model';
import { oneLine, parseJson, type Value } from './json';
import { readsAsManyLines } from './names';
import { fits } from './values';
import { keywordsOf, plain, type Keywords } from './refs';

const formats: TextFormat[] = ['date', 'date-time', 'time', 'email', 'uri', 'uuid'];
/** Keywords that can bring fields or shapes of their own into an object. */
const combining = ['allOf', 'anyOf', 'oneOf', 'if', 'patternProperties', 'dependentSchemas', '$dynamicRef'];

/** Reads the text of an input schema. '' and a schema without properties give an empty form. */
export function readSchema(text: string): Form {
  if (text.length > limits.text) return { kind: 'json', why: 'large' };
  const parsed = parseJson(text.trim() === '' ? '{"type":"object"}' : text);
  if (!parsed.ok || parsed.value.kind !== 'object') return { kind: 'json', why: 'invalid' };
  const reader = new Reader(parsed.value.members);
  const shape = reader.arguments(parsed.value);
  if (shape.kind === 'group' || shape.kind === 'json') return shape;
  return { kind: 'json', why: 'any' };
}

class Reader {
  private count = 0;

  constructor(private readonly root: Keywords) {}

  arguments(schema: Value): Shape {
    const unwrapped = plain(this.root, schema, []);
    if (!unwrapped.ok) return json(unwrapped.why);
    const type = unwrapped.schema.get('type');
    if (type && !(type.kind === 'string' && type.text === 'object')) return json('mixed');
    const shape = this.object(unwrapped.schema, 0, unwrapped.seen);
    return this.count > limits.fields ? json('large') : shape;
  }

  private field(key: string, schema: Value, required: boolean, depth: number, seen: string[]): Field {
    // Past the limit nothing is opened any more: definitions that fan out would never end.
    if (++this.count > limits.fields) return blank(key, required);
    const unwrapped = plain(this.root, schema, seen);
    const words = unwrapped.ok ? unwrapped.schema : keywordsOf(schema);
    const drawn = unwrapped.ok
      ? this.shape(key, unwrapped.schema, depth, unwrapped.seen)
      : { shape: json(unwrapped.why), nullable: false };
    const field: Field = {
      key,
      title: textOf(words, 'title'),
      description: textOf(words, 'description'),
      required,
      nullable: drawn.nullable || (unwrapped.ok && unwrapped.nullable),
      preset: undefined,
      shape: drawn.shape,
    };
    const preset = words?.get('default');
    if (preset && (fits(field, preset) || field.shape.kind === 'json')) field.preset = preset;
    return field;
  }

  private shape(key: string, schema: Keywords, depth: number, seen: string[]): { shape: Shape; nullable: boolean } {
    const options = optionsOf(schema);
    if (options) {
      const values = options.filter((o) => o.value.kind !== 'null');
      const nullable = values.length < options.length;
      const shape: Shape = values.length > limits.options ? json('large') : { kind: 'choice', options: values };
      return { shape, nullable };
    }
    const types = typesOf(schema);
    const nullable = types.includes('null');
    const rest = types.filter((t) => t !== 'null');
    if (rest.length > 1) return { shape: json('mixed'), nullable };
    return { shape: this.typed(rest[0] ?? '', key, schema, depth, seen), nullable };
  }

  private typed(type: string, key: string, schema: Keywords, depth: number, seen: string[]): Shape {
    if (combining.some((word) => schema.has(word)) && type !== 'object') return json('combined');
    switch (type) {
      case 'string':
        return textShape(key, schema);
      case 'number':
      case 'integer':
        return numberShape(type === 'integer', schema);
      case 'boolean':
        return { kind: 'boolean' };
      case 'array':
        return depth >= limits.depth ? json('deep') : this.array(key, schema, depth + 1, seen);
      case 'object':
        return depth >= limits.depth ? json('deep') : this.object(schema, depth + 1, seen);
    }
    return json('any');
  }

  private object(schema: Keywords, depth: number, seen: string[]): Shape {
    if (combining.some((word) => brings(schema, word))) return json('combined');
    const properties = keywordsOf(schema.get('properties')) ?? new Map<string, Value>();
    if (properties.size === 0 && (depth > 0 || isOpen(schema.get('additionalProperties')))) return json('map');
    if (properties.size > limits.fields) return json('large');
    const required = namesIn(schema.get('required'));
    if ([...required].some((name) => !properties.has(name))) return json('combined');
    const fields = [...properties].map(([key, s]) => this.field(key, s, required.has(key), depth, seen));
    return { kind: 'group', fields };
  }

  private array(key: string, schema: Keywords, depth: number, seen: string[]): Shape {
    const items = schema.get('items');
    if (!items || items.kind === 'array' || schema.has('prefixItems')) return json('list');
    const item = this.field('', items, true, depth, seen);
    if (item.shape.kind === 'json') return json(item.shape.why);
    if (item.shape.kind === 'choice' && !item.nullable) return { kind: 'choices', options: item.shape.options };
    if (item.shape.kind === 'text' && !item.shape.multiline) item.shape.multiline = readsAsManyLines(key) && key !== '';
    return { kind: 'list', item };
  }
}

function blank(key: string, required: boolean): Field {
  return { key, title: '', description: '', required, nullable: false, preset: undefined, shape: json('large') };
}

/** Whether a combining keyword can bring fields. A list of nothing but "required" only restricts. */
function brings(schema: Keywords, word: string): boolean {
  const value = schema.get(word);
  if (value?.kind !== 'array') return value !== undefined;
  return !value.items.every((v) => v.kind === 'object' && [...v.members.keys()].every((k) => k === 'required'));
}

function isOpen(additional: Value | undefined): boolean {
  return additional?.kind === 'object' || (additional?.kind === 'boolean' && additional.on);
}

function json(why: Fallback): Shape {
  return { kind: 'json', why };
}

function textShape(key: string, schema: Keywords): Shape {
  const format = textOf(schema, 'format') as TextFormat;
  const known = formats.includes(format) ? format : '';
  const longest = countOf(schema, 'maxLength');
  const multiline = known === '' && !(longest > 0 && longest <= 80) && readsAsManyLines(key);
  return { kind: 'text', format: known, multiline, shortest: countOf(schema, 'minLength'), longest };
}

function numberShape(integer: boolean, schema: Keywords): Shape {
  const least = numberOf(schema, 'minimum') || numberOf(schema, 'exclusiveMinimum');
  const most = numberOf(schema, 'maximum') || numberOf(schema, 'exclusiveMaximum');
  const exclusive = schema.has('exclusiveMinimum') || schema.has('exclusiveMaximum');
  return { kind: 'number', integer, range: { least, most, exclusive } };
}

/** The spellings of a select folded into one: enum (with enumNames), const, and oneOf or anyOf of titled consts. */
function optionsOf(schema: Keywords): Option[] | undefined {
  const fixed = schema.get('const');
  if (fixed) return [{ value: fixed, label: labelOf(fixed) }];
  const values = schema.get('enum');
  if (values?.kind === 'array' && values.items.length > 0) {
    const names = schema.get('enumNames');
    const titles = names?.kind === 'array' && names.items.length === values.items.length ? names.items : values.items;
    return values.items.map((value, i) => ({ value, label: labelOf(titles[i]!) }));
  }
  const branches = schema.get('oneOf') ?? schema.get('anyOf');
  if (branches?.kind !== 'array' || branches.items.length === 0) return undefined;
  const options = branches.items.map(titledConst);
  return options.every((o) => o !== undefined) ? options : undefined;
}

function titledConst(branch: Value): Option | undefined {
  const words = keywordsOf(branch);
  const value = words?.get('const');
  return value && { value, label: textOf(words, 'title') || labelOf(value) };
}

function labelOf(value: Value): string {
  return value.kind === 'string' ? value.text : oneLine(value);
}

function typesOf(schema: Keywords): string[] {
  const type = schema.get('type');
  if (type?.kind === 'string') return [type.text];
  if (type?.kind === 'array') return type.items.flatMap((v) => (v.kind === 'string' ? [v.text] : []));
  return schema.has('properties') ? ['object'] : [];
}

function namesIn(value: Value | undefined): Set<string> {
  return new Set(value?.kind === 'array' ? value.items.flatMap((v) => (v.kind === 'string' ? [v.text] : [])) : []);
}

function textOf(schema: Keywords | undefined, word: string): string {
  const value = schema?.get(word);
  return value?.kind === 'string' ? value.text : '';
}

function numberOf(schema: Keywords, word: string): string {
  const value = schema.get(word);
  return value?.kind === 'number' ? value.text : '';
}

function countOf(schema: Keywords, word: string): number {
  const count = Number(numberOf(schema, word));
  return Number.isSafeInteger(count) && count > 0 ? count : 0;
}
