// This file reads and writes JSON (RFC 8259) without losing anything a user typed: numbers stay text, so
// 9007199254740993 and 1.10 come out as they went in, and the order of members is kept. JSON.parse does neither.

export type Value =
  | { kind: 'null' }
  | { kind: 'boolean'; on: boolean }
  | { kind: 'number'; text: string } // in a form: as typed, perhaps not a number yet
  | { kind: 'string'; text: string }
  | { kind: 'array'; items: Value[] }
  | { kind: 'object'; members: Map<string, Value> }
  | { kind: 'raw'; text: string }; // a JSON editor's text, perhaps not JSON yet; never made by parseJson

export interface SyntaxFault {
  code: 'syntax' | 'duplicate' | 'depth';
  offset: number; // UTF-16, 0-based
  line: number; // 1-based
  column: number; // 1-based
}

export type Parsed = { ok: true; value: Value } | { ok: false; fault: SyntaxFault };

/** The nesting at which parseJson gives up. Deeper arguments are refused by the Go side too. */
export const maxDepth = 200;

export const emptyObject = (): Value => ({ kind: 'object', members: new Map() });

const numberPattern = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Whether the text is one JSON number and nothing else. */
export function isNumber(text: string): boolean {
  return numberPattern.test(text);
}

/** Parses one JSON text. Repeated member names are a fault: two readers could see two different calls. */
export function parseJson(text: string): Parsed {
  const parser = new Parser(text);
  try {
    return { ok: true, value: parser.document() };
  } catch (error) {
    if (error instanceof Stop) return { ok: false, fault: locate(text, error) };
    throw error;
  }
}

class Stop extends Error {
  constructor(
    readonly code: SyntaxFault['code'],
    readonly offset: number,
  ) {
    super(code);
  }
}

function locate(text: string, stop: Stop): SyntaxFault {
  const before = text.slice(0, stop.offset);
  const line = before.split('\n').length;
  return { code: stop.code, offset: stop.offset, line, column: stop.offset - before.lastIndexOf('\n') };
}

const numberAt = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const words: [string, Value][] = [
  ['null', { kind: 'null' }],
  ['true', { kind: 'boolean', on: true }],
  ['false', { kind: 'boolean', on: false }],
];

class Parser {
  private at = 0;
  private depth = 0;

  constructor(private readonly text: string) {}

  document(): Value {
    const value = this.value();
    this.space();
    if (this.at < this.text.length) this.fail();
    return value;
  }

  private value(): Value {
    this.space();
    switch (this.text[this.at]) {
      case '{':
        return this.nested(() => this.object());
      case '[':
        return this.nested(() => this.array());
      case '"':
        return { kind: 'string', text: this.string() };
    }
    const number = this.number();
    if (number !== undefined) return { kind: 'number', text: number };
    const word = words.find(([name]) => this.text.startsWith(name, this.at));
    if (!word) return this.fail();
    this.at += word[0].length;
    return { ...word[1] };
  }

  private object(): Value {
    const members = new Map<string, Value>();
    if (this.take('}')) return { kind: 'object', members };
    do {
      this.space();
      const start = this.at;
      const name = this.string();
      if (members.has(name)) this.fail('duplicate', start);
      if (!this.take(':')) this.fail();
      members.set(name, this.value());
    } while (this.take(','));
    if (!this.take('}')) this.fail();
    return { kind: 'object', members };
  }

  private array(): Value {
    const items: Value[] = [];
    if (this.take(']')) return { kind: 'array', items };
    do {
      items.push(this.value());
    } while (this.take(','));
    if (!this.take(']')) this.fail();
    return { kind: 'array', items };
  }

  private nested(read: () => Value): Value {
    if (++this.depth > maxDepth) this.fail('depth');
    this.at++;
    const value = read();
    this.depth--;
    return value;
  }

  /** Finds the closing quote by hand: an expression that loops over a long string can run out of stack. */
  private string(): string {
    const start = this.at;
    if (this.text[start] !== '"') return this.fail();
    let end = start + 1;
    for (let c = this.text.charCodeAt(end); c !== 0x22; c = this.text.charCodeAt(end)) {
      if (Number.isNaN(c) || c < 0x20) return this.fail('syntax', end);
      end += c === 0x5c ? 2 : 1;
    }
    this.at = end + 1;
    try {
      return JSON.parse(this.text.slice(start, this.at)) as string;
    } catch {
      return this.fail('syntax', start); // a bad escape
    }
  }

  private number(): string | undefined {
    numberAt.lastIndex = this.at;
    const found = numberAt.exec(this.text)?.[0];
    this.at += found?.length ?? 0;
    return found;
  }

  private take(mark: string): boolean {
    this.space();
    if (this.text[this.at] !== mark) return false;
    this.at++;
    return true;
  }

  private space(): void {
    while (' \t\n\r'.includes(this.text[this.at] ?? 'x')) this.at++;
  }

  private fail(code: SyntaxFault['code'] = 'syntax', offset = this.at): never {
    throw new Stop(code, offset);
  }
}

/** Writes a value on one line, numbers as their text. */
export function oneLine(value: Value): string {
  switch (value.kind) {
    case 'null':
      return 'null';
    case 'boolean':
      return String(value.on);
    case 'number':
    case 'raw':
      return value.text.trim();
    case 'string':
      return JSON.stringify(value.text);
    case 'array':
      return `[${value.items.map(oneLine).join(',')}]`;
    case 'object':
      return `{${[...value.members].map(([name, v]) => `${JSON.stringify(name)}:${oneLine(v)}`).join(',')}}`;
  }
}

/** Writes a value with line breaks and two spaces a level. */
export function indented(value: Value, margin = ''): string {
  const inner = `${margin}  `;
  if (value.kind === 'array' && value.items.length > 0) {
    return `[\n${value.items.map((v) => inner + indented(v, inner)).join(',\n')}\n${margin}]`;
  }
  if (value.kind === 'object' && value.members.size > 0) {
    const lines = [...value.members].map(([name, v]) => `${inner}${JSON.stringify(name)}: ${indented(v, inner)}`);
    return `{\n${lines.join(',\n')}\n${margin}}`;
  }
  return oneLine(value);
}

/** JSON text with line breaks; text that is not JSON comes back as it is. */
export function prettyJson(text: string): string {
  const parsed = parseJson(text);
  return parsed.ok ? indented(parsed.value) : text;
}

/** Whether two values are the same JSON; member order does not count, number text does. */
export function same(a: Value, b: Value): boolean {
  if (a.kind === 'array' && b.kind === 'array') {
    return a.items.length === b.items.length && a.items.every((v, i) => same(v, b.items[i]!));
  }
  if (a.kind === 'object' && b.kind === 'object') {
    if (a.members.size !== b.members.size) return false;
    return [...a.members].every(([name, v]) => {
      const other = b.members.get(name);
      return other !== undefined && same(v, other);
    });
  }
  return a.kind === b.kind && oneLine(a) === oneLine(b);
}
