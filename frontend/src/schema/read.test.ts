import { describe, expect, test } from 'vitest';
import { limits, type Field, type Shape } from './model';
import { oneLine } from './json';
import { readSchema } from './read';

function fieldsOf(schema: unknown): Field[] {
  const form = readSchema(JSON.stringify(schema));
  if (form.kind !== 'group') throw new Error(`not drawn: ${form.why}`);
  return form.fields;
}

function field(schema: unknown, key = 'x'): Field {
  return fieldsOf({ type: 'object', properties: { [key]: schema } })[0]!;
}

const shape = (schema: unknown, key = 'x'): Shape => field(schema, key).shape;
const labels = (s: Shape): string[] => ('options' in s ? s.options.map((o) => `${o.label}=${oneLine(o.value)}`) : []);

describe('scalars', () => {
  test.each([
    [{ type: 'string' }, { kind: 'text', format: '', multiline: false, shortest: 0, longest: 0 }],
    [
      { type: 'string', format: 'date-time' },
      { kind: 'text', format: 'date-time' },
    ],
    [
      { type: 'string', format: 'color' },
      { kind: 'text', format: '' },
    ],
    [
      { type: 'string', minLength: 2, maxLength: 5 },
      { kind: 'text', shortest: 2, longest: 5 },
    ],
    [
      { type: 'integer', minimum: 1, maximum: 1000 },
      { kind: 'number', integer: true, range: { least: '1', most: '1000', exclusive: false } },
    ],
    [
      { type: 'number', exclusiveMinimum: 0 },
      { kind: 'number', integer: false, range: { least: '0', most: '', exclusive: true } },
    ],
    [{ type: 'boolean' }, { kind: 'boolean' }],
    [{ type: 'string', pattern: '(a+)+$' }, { kind: 'text' }],
  ])('%j', (schema, expected) => {
    expect(shape(schema)).toMatchObject(expected);
  });

  test.each([
    ['sql', true],
    ['emailBody', true],
    ['source_code', true],
    ['SCRIPT', true],
    ['body_type', false],
    ['codepath', false],
    ['title', false],
    ['', false],
  ])('a property named %j takes many lines: %s', (key, multiline) => {
    expect(shape({ type: 'string' }, key)).toMatchObject({ kind: 'text', multiline });
  });

  test('a short text or one with a format stays on one line whatever its name', () => {
    expect(shape({ type: 'string', maxLength: 80 }, 'message')).toMatchObject({ multiline: false });
    expect(shape({ type: 'string', format: 'uri' }, 'content')).toMatchObject({ multiline: false });
  });
});

describe('choices', () => {
  test.each([
    [{ enum: ['a', 'b'] }, ['a="a"', 'b="b"']],
    [{ type: 'integer', enum: [1, 2] }, ['1=1', '2=2']],
    [{ enum: ['a', 'b'], enumNames: ['Alpha', 'Beta'] }, ['Alpha="a"', 'Beta="b"']],
    [{ enum: ['a', 'b'], enumNames: ['Alpha'] }, ['a="a"', 'b="b"']],
    [{ oneOf: [{ const: 'a', title: 'Alpha' }, { const: 'b' }] }, ['Alpha="a"', 'b="b"']],
    [{ type: 'string', anyOf: [{ const: 'a', title: 'Alpha' }] }, ['Alpha="a"']],
    [{ const: 'only' }, ['only="only"']],
    [{ enum: [{ a: 1 }, [2]] }, ['{"a":1}={"a":1}', '[2]=[2]']],
  ])('%j', (schema, expected) => {
    const s = shape(schema);
    expect(s.kind).toBe('choice');
    expect(labels(s)).toEqual(expected);
  });

  test('an array of an enum picks several', () => {
    const s = shape({ type: 'array', items: { type: 'string', enum: ['a', 'b'] } });
    expect(s.kind).toBe('choices');
    expect(labels(s)).toEqual(['a="a"', 'b="b"']);
    expect(shape({ type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } }).kind).toBe('choices');
  });

  test('null among the options makes the field nullable', () => {
    expect(field({ enum: ['a', null] })).toMatchObject({ nullable: true, shape: { options: [{ label: 'a' }] } });
  });
});

describe('nullable and wrapped', () => {
  test.each([
    [{ type: ['string', 'null'] }, 'text', true],
    [{ anyOf: [{ type: 'integer' }, { type: 'null' }], title: 'N' }, 'number', true],
    [{ oneOf: [{ type: 'null' }, { enum: ['a'] }] }, 'choice', true],
    [{ allOf: [{ type: 'boolean' }], description: 'd' }, 'boolean', false],
    [{ anyOf: [{ type: 'string' }] }, 'text', false],
  ])('%j', (schema, kind, nullable) => {
    expect(field(schema)).toMatchObject({ nullable, shape: { kind } });
  });

  test('annotations beside a reference win over those behind it', () => {
    const [x] = fieldsOf({
      type: 'object',
      properties: { x: { $ref: '#/$defs/T', title: 'Near' } },
      $defs: { T: { type: 'string', title: 'Far', description: 'kept' } },
    });
    expect(x).toMatchObject({ title: 'Near', description: 'kept', shape: { kind: 'text' } });
  });

  test('a reference to an escaped name is followed', () => {
    const schema = {
      type: 'object',
      properties: { x: { $ref: '#/$defs/a~1b%20c' } },
      $defs: { 'a/b c': { type: 'boolean' } },
    };
    expect(fieldsOf(schema)[0]!.shape.kind).toBe('boolean');
  });

  test('the arguments themselves may be a reference', () => {
    const schema = {
      $ref: '#/definitions/Args',
      definitions: { Args: { type: 'object', properties: { a: { type: 'string' } } } },
    };
    expect(fieldsOf(schema).map((f) => f.key)).toEqual(['a']);
  });
});

describe('groups and lists', () => {
  test('required, order and default are kept, numbers as text', () => {
    const fields = fieldsOf({
      type: 'object',
      required: ['b'],
      properties: { b: { type: 'integer', default: 7 }, a: { type: 'string', default: 3 } },
    });
    expect(fields.map((f) => [f.key, f.required])).toEqual([
      ['b', true],
      ['a', false],
    ]);
    expect(fields[0]!.preset).toEqual({ kind: 'number', text: '7' });
    expect(fields[1]!.preset).toBeUndefined();
    const [big] = readBig('{"type":"object","properties":{"n":{"type":"integer","default":9007199254740993}}}');
    expect(big!.preset).toEqual({ kind: 'number', text: '9007199254740993' });
  });

  test('objects nest four deep, the fifth is JSON', () => {
    let schema: unknown = { type: 'string' };
    for (let i = 0; i < limits.depth + 1; i++) schema = { type: 'object', properties: { x: schema } };
    let s = shape(schema);
    for (let i = 1; i < limits.depth + 1; i++) {
      expect(s.kind).toBe('group');
      s = (s as Extract<Shape, { kind: 'group' }>).fields[0]!.shape;
    }
    expect(s).toEqual({ kind: 'json', why: 'deep' });
  });

  test('lists of scalars and of groups', () => {
    expect(shape({ type: 'array', items: { type: 'integer' } })).toMatchObject({
      kind: 'list',
      item: { shape: { kind: 'number' } },
    });
    const edits = {
      type: 'array',
      items: { type: 'object', required: ['old'], properties: { old: { type: 'string' } } },
    };
    expect(shape(edits)).toMatchObject({
      kind: 'list',
      item: { shape: { kind: 'group', fields: [{ key: 'old', required: true }] } },
    });
  });

  test('no properties is an empty form', () => {
    for (const text of [
      '',
      '{"type":"object"}',
      '{"type":"object","properties":{},"additionalProperties":false}',
      '{}',
    ]) {
      expect(readSchema(text)).toEqual({ kind: 'group', fields: [] });
    }
  });

  test('alternatives that only require keep the form', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } }, anyOf: [{ required: ['a'] }] };
    expect(fieldsOf(schema)).toHaveLength(1);
  });
});

describe('falls back to JSON', () => {
  test.each([
    [{}, 'any'],
    [true, 'any'],
    [{ type: ['string', 'integer'] }, 'mixed'],
    [{ anyOf: [{ type: 'string' }, { type: 'integer' }] }, 'combined'],
    [{ type: 'string', allOf: [{ minLength: 1 }, { maxLength: 3 }] }, 'combined'],
    [{ $ref: '#/$defs/none' }, 'reference'],
    [{ $ref: 'https://example.com/schema.json' }, 'reference'],
    [{ $ref: '#', minProperties: 1 }, 'combined'],
    [{ $ref: '#/properties/x' }, 'recursive'],
    [{ type: 'array' }, 'list'],
    [{ type: 'array', prefixItems: [{}], items: { type: 'string' } }, 'list'],
    [{ type: 'array', items: {} }, 'any'],
    [{ type: 'object', additionalProperties: { type: 'string' } }, 'map'],
    [{ type: 'object', properties: { a: {} }, patternProperties: { '^x': {} } }, 'combined'],
    [{ type: 'object', properties: { a: {} }, if: {}, then: {} }, 'combined'],
    [{ type: 'object', properties: { a: {} }, required: ['b'] }, 'combined'],
    [{ enum: Array.from({ length: limits.options + 1 }, (_, i) => i) }, 'large'],
  ])('%j', (schema, why) => {
    expect(shape(schema)).toEqual({ kind: 'json', why });
  });

  test.each([
    ['nonsense', 'invalid'],
    ['[]', 'invalid'],
    ['{"type":"string"}', 'mixed'],
    ['{"type":"object","oneOf":[{"properties":{}}]}', 'combined'],
    ['{"type":"object","additionalProperties":true}', 'map'],
    ['{"$ref":"#"}', 'recursive'],
    [`{"type":"object","description":"${'x'.repeat(limits.text)}"}`, 'large'],
  ])('the whole form: %.40s', (text, why) => {
    expect(readSchema(text)).toEqual({ kind: 'json', why });
  });

  test('a recursive tree draws its first level', () => {
    const schema = {
      type: 'object',
      properties: { root: { $ref: '#/$defs/Node' } },
      $defs: { Node: { type: 'object', properties: { name: { type: 'string' }, next: { $ref: '#/$defs/Node' } } } },
    };
    const root = fieldsOf(schema)[0]!.shape as Extract<Shape, { kind: 'group' }>;
    expect(root.fields.map((f) => f.shape)).toMatchObject([{ kind: 'text' }, { kind: 'json', why: 'recursive' }]);
  });

  test('definitions that fan out end at the field limit', () => {
    const $defs: Record<string, unknown> = { d9: { type: 'string' } };
    const names = Array.from({ length: 150 }, (_, i) => `p${i}`);
    for (let level = 8; level >= 0; level--) {
      const properties = Object.fromEntries(names.map((n) => [n, { $ref: `#/$defs/d${level + 1}` }]));
      $defs[`d${level}`] = { type: 'object', properties };
    }
    expect(readSchema(JSON.stringify({ $ref: '#/$defs/d0', $defs }))).toEqual({ kind: 'json', why: 'large' });
  });
});

function readBig(text: string): Field[] {
  const form = readSchema(text);
  return form.kind === 'group' ? form.fields : [];
}
