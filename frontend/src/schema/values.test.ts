import { describe, expect, test } from 'vitest';
import { oneLine, parseJson, type Value } from './json';
import type { Field, Form } from './model';
import { readSchema } from './read';
import {
  compose,
  extraMembers,
  fits,
  freshValue,
  initialValue,
  picksOf,
  pointerTo,
  valueAt,
  withMember,
} from './values';

const form = (schema: unknown): Form => readSchema(JSON.stringify(schema));
const fields = (schema: unknown): Field[] => {
  const f = form(schema);
  return f.kind === 'group' ? f.fields : [];
};
const read = (text: string): Value => {
  const parsed = parseJson(text);
  if (!parsed.ok) throw new Error(text);
  return parsed.value;
};
const start = (schema: unknown): string => oneLine(initialValue(form(schema)));

describe('a new form', () => {
  test.each([
    ['untouched optional fields are not sent', { properties: { a: { type: 'string' }, b: { type: 'boolean' } } }, '{}'],
    ['required without a default waits', { required: ['a'], properties: { a: { type: 'string' } } }, '{}'],
    ['defaults are shown and sent', { properties: { n: { type: 'integer', default: 15 } } }, '{"n":15}'],
    ['a default of false is sent', { properties: { b: { type: 'boolean', default: false } } }, '{"b":false}'],
    ['a default that does not fit is ignored', { properties: { n: { type: 'integer', default: 'x' } } }, '{}'],
    ['a JSON field takes any default', { properties: { j: { default: { a: [1] } } } }, '{"j":{"a":[1]}}'],
    [
      'the only possible value of a required field',
      { required: ['c'], properties: { c: { const: 'v1' } } },
      '{"c":"v1"}',
    ],
    ['the only possible value of an optional field waits', { properties: { c: { const: 'v1' } } }, '{}'],
    [
      'a required group is there with its defaults',
      {
        required: ['g'],
        properties: {
          g: { type: 'object', properties: { n: { type: 'integer', default: 1 }, m: { type: 'string' } } },
        },
      },
      '{"g":{"n":1}}',
    ],
    [
      'an optional group waits',
      { properties: { g: { type: 'object', properties: { n: { type: 'integer', default: 1 } } } } },
      '{}',
    ],
  ])('%s', (_, schema, expected) => {
    expect(start({ type: 'object', ...schema })).toBe(expected);
  });

  test('a form that cannot be drawn starts with an empty object', () => {
    expect(oneLine(initialValue({ kind: 'json', why: 'map' }))).toBe('{}');
  });
});

test.each([
  ['{"type":"string"}', '"a\\nb"', true],
  ['{"type":"string"}', '"a\\r\\nb"', false],
  ['{"type":"string"}', '1', false],
  ['{"type":"string"}', 'null', false],
  ['{"type":["string","null"]}', 'null', true],
  ['{"type":"integer"}', '9007199254740993', true],
  ['{"enum":["a"]}', '"b"', false],
  ['{"type":"array","items":{"enum":["a","b"]}}', '["b","a"]', true],
  ['{"type":"array","items":{"enum":["a","b"]}}', '["a","a"]', false],
  ['{"type":"array","items":{"type":"string"}}', '[1]', true], // the item is edited as JSON, the list is not
  ['{"type":"object","properties":{"a":{}}}', '[]', false],
  ['{}', '1', false],
])('the editor of %s shows %s: %s', (schema, value, expected) => {
  const [field] = fields({ type: 'object', properties: { x: JSON.parse(schema) as unknown } });
  expect(fits(field!, read(value))).toBe(expected);
});

describe('withMember', () => {
  const known = fields({ type: 'object', properties: { a: {}, b: {}, c: {} } });
  const text = (s: string): Value => ({ kind: 'string', text: s });

  test.each([
    [undefined, 'b', '1', '{"b":"1"}'],
    ['{"c":3}', 'a', '1', '{"a":"1","c":3}'],
    ['{"c":3,"b":2,"z":0}', 'b', '1', '{"b":"1","c":3,"z":0}'],
    ['{"a":1,"z":0}', 'z', '9', '{"a":1,"z":"9"}'],
    ['{"a":1,"z":0}', 'z', undefined, '{"a":1}'],
    ['{"a":1,"b":2}', 'a', undefined, '{"b":2}'],
    ['[]', 'a', '1', '{"a":"1"}'],
  ])('%s: %s = %s', (object, key, value, expected) => {
    const before = object === undefined ? undefined : read(object);
    expect(oneLine(withMember(before, known, key, value === undefined ? undefined : text(value)))).toBe(expected);
    if (before) expect(oneLine(before)).toBe(object);
  });

  test('members without a field are listed', () => {
    expect(extraMembers(read('{"a":1,"z":0,"y":2}'), known).map(([name]) => name)).toEqual(['z', 'y']);
  });
});

describe('compose', () => {
  const raw = (text: string): Value => ({ kind: 'raw', text });
  const number = (text: string): Value => ({ kind: 'number', text });
  const object = (members: Record<string, Value>): Value => ({
    kind: 'object',
    members: new Map(Object.entries(members)),
  });

  test('numbers go out as typed', () => {
    expect(compose(object({ a: number('9007199254740993'), b: number(' 1.50 ') }))).toEqual({
      text: '{"a":9007199254740993,"b":1.50}',
      faults: [],
    });
  });

  test('JSON editors go out on one line; an empty one is not sent', () => {
    expect(
      compose(object({ a: raw('{ "x" : 1e2 }'), b: raw(' '), c: { kind: 'array', items: [raw(''), raw('2')] } })).text,
    ).toBe('{"a":{"x":1e2},"c":[2]}');
  });

  test('faults name their place and there is no text', () => {
    const value = object({ 'a/b': { kind: 'array', items: [number('1'), number('x')] }, c: raw('{'), d: number('') });
    expect(compose(value)).toEqual({
      text: '',
      faults: [
        { pointer: '/a~1b/1', code: 'number' },
        { pointer: '/c', code: 'json' },
        { pointer: '/d', code: 'number' },
      ],
    });
  });

  test('arguments that are one JSON editor', () => {
    expect(compose(raw('{"a":1}')).text).toBe('{"a":1}');
    expect(compose(raw('')).text).toBe('');
  });
});

test('what is added starts as little as possible', () => {
  const [g, s, c] = fields({
    type: 'object',
    properties: {
      g: { type: 'object', required: ['k'], properties: { k: { const: 1 }, n: { type: 'integer' } } },
      s: { type: 'string' },
      c: { enum: ['a', 'b'] },
    },
  });
  expect([g, s, c].map((f) => oneLine(freshValue(f!)))).toEqual(['{"k":1}', '""', '"a"']);
});

test('picks are places in the list of options', () => {
  const [field] = fields({ type: 'object', properties: { x: { type: 'array', items: { enum: ['a', 'b', 'c'] } } } });
  if (field?.shape.kind !== 'choices') throw new Error('not drawn as choices');
  expect(picksOf(field.shape.options, read('["c","a"]'))).toEqual([2, 0]);
  expect(picksOf(field.shape.options, undefined)).toEqual([]);
  expect(picksOf(field.shape.options, read('["d"]'))).toBeUndefined();
});

test.each([
  ['', '{"a/b":[1,{"~":"x"}]}'],
  ['/a~1b/1/~0', '"x"'],
  ['/a~1b/2', undefined],
  ['/none/0', undefined],
])('the value at %j', (pointer, expected) => {
  const found = valueAt(read('{"a/b":[1,{"~":"x"}]}'), pointer);
  expect(found && oneLine(found)).toBe(expected);
});

test('pointers escape their marks', () => {
  expect(pointerTo('/a', 'b/c~d')).toBe('/a/b~1c~0d');
  expect(pointerTo('', 0)).toBe('/0');
});
