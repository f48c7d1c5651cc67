import { describe, expect, test } from 'vitest';
import { indented, isNumber, maxDepth, oneLine, parseJson, prettyJson, same, type Value } from './json';

function read(text: string): Value {
  const parsed = parseJson(text);
  if (!parsed.ok) throw new Error(`${parsed.fault.code} at ${parsed.fault.offset}`);
  return parsed.value;
}

describe('parseJson and oneLine', () => {
  test.each([
    ['9007199254740993', '9007199254740993'],
    ['1.10', '1.10'],
    ['-0', '-0'],
    ['1E400', '1E400'],
    [' { "b" : 1 , "a" : [ ] } ', '{"b":1,"a":[]}'],
    ['{"2":0,"1":0}', '{"2":0,"1":0}'],
    ['{"__proto__":{"x":1},"constructor":2}', '{"__proto__":{"x":1},"constructor":2}'],
    ['"\\u0041\\n\\ud83d\\ude00"', '"A\\n😀"'],
    ['"\\ud800"', '"\\ud800"'],
    ['[true,false,null]', '[true,false,null]'],
    ['""', '""'],
  ])('%s', (text, line) => {
    expect(oneLine(read(text))).toBe(line);
  });

  test.each([
    ['', 'syntax', 1, 1],
    ['{', 'syntax', 1, 2],
    ['{"a":1,}', 'syntax', 1, 8],
    ['[1,]', 'syntax', 1, 4],
    ['[1]x', 'syntax', 1, 4],
    ['01', 'syntax', 1, 2],
    ['1.', 'syntax', 1, 2],
    ['+1', 'syntax', 1, 1],
    ['NaN', 'syntax', 1, 1],
    ['"\\x"', 'syntax', 1, 1],
    ['"a\nb"', 'syntax', 1, 3],
    ['"abc', 'syntax', 1, 5],
    ['"abc\\', 'syntax', 1, 7],
    ['{"a":1,\n "a":2}', 'duplicate', 2, 2],
    ['{"a":1,"\\u0061":2}', 'duplicate', 1, 8],
    ['\u00a01', 'syntax', 1, 1],
  ])('refuses %j', (text, code, line, column) => {
    expect(parseJson(text)).toMatchObject({ ok: false, fault: { code, line, column } });
  });

  test('stops at the deepest level it accepts', () => {
    const nested = (n: number) => '['.repeat(n) + ']'.repeat(n);
    expect(parseJson(nested(maxDepth)).ok).toBe(true);
    expect(parseJson(nested(maxDepth + 1))).toMatchObject({ ok: false, fault: { code: 'depth' } });
    expect(parseJson('['.repeat(1_000_000))).toMatchObject({ ok: false, fault: { code: 'depth' } });
  });

  test('reads a string of ten million characters', () => {
    const text = JSON.stringify('x\\'.repeat(5_000_000));
    expect(oneLine(read(text))).toBe(text);
  });
});

test('indented puts one member or item on a line', () => {
  expect(indented(read('{"a":[1,{"b":2}],"c":{},"d":[]}'))).toBe(
    '{\n  "a": [\n    1,\n    {\n      "b": 2\n    }\n  ],\n  "c": {},\n  "d": []\n}',
  );
  expect(prettyJson('not json')).toBe('not json');
});

test.each([
  ['{"a":1,"b":2}', '{"b":2,"a":1}', true],
  ['{"a":1}', '{"a":1,"b":2}', false],
  ['[1,2]', '[2,1]', false],
  ['1', '1.0', false],
  ['"1"', '1', false],
  ['null', 'null', true],
])('same(%s, %s) is %s', (a, b, expected) => {
  expect(same(read(a), read(b))).toBe(expected);
});

test.each(['0', '-1.5e+9', '9007199254740993'])('%s is a number', (text) => expect(isNumber(text)).toBe(true));
test.each(['', '-', '1.', '.5', '0x10', '1 ', '١', 'Infinity'])('%j is no number', (text) =>
  expect(isNumber(text)).toBe(false),
);
