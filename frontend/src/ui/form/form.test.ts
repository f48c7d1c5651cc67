import { fireEvent, render } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { parseJson, type Value } from '@/schema/json';
import { readSchema } from '@/schema/read';
import { compose, initialValue } from '@/schema/values';
import SchemaForm from './SchemaForm.svelte';

/** A form over a schema; sent() is what would go out. */
function open(
  properties: Record<string, unknown>,
  options: { required?: string[]; value?: string; problems?: [string, string][] } = {},
) {
  const form = readSchema(JSON.stringify({ type: 'object', properties, required: options.required ?? [] }));
  const given = options.value === undefined ? undefined : parseJson(options.value);
  let value: Value = given?.ok ? given.value : initialValue(form);
  const problems = new Map(options.problems);
  const onchange = (next: Value) => {
    value = next;
    void rerender({ form, value, problems, onchange });
  };
  const { container, rerender } = render(SchemaForm, { form, value, problems, onchange });
  const find = (selector: string) => {
    const found = container.querySelector<HTMLElement>(selector);
    if (!found) throw new Error(`no ${selector} in ${container.innerHTML}`);
    return found;
  };
  const words = (text: string) => {
    const found = [...container.querySelectorAll<HTMLElement>('button')].find((b) => b.textContent.trim() === text);
    if (!found) throw new Error(`no button ${text}`);
    return found;
  };
  return {
    container,
    find,
    sent: () => compose(value).text,
    type: (selector: string, text: string) => fireEvent.input(find(selector), { target: { value: text } }),
    press: (text: string) => fireEvent.click(words(text)),
    leave: (selector: string) => fireEvent.focusOut(find(selector)),
  };
}

describe('a field', () => {
  it('of text is sent as typed, and not at all when it is optional and empty', async () => {
    const form = open({ name: { type: 'string' } });
    await form.type('input', ' a "b" ');
    expect(form.sent()).toBe('{"name":" a \\"b\\" "}');
    await form.type('input', '');
    expect(form.sent()).toBe('{}');
  });

  it('of text is sent empty when it is required and was touched', async () => {
    const form = open({ name: { type: 'string' } }, { required: ['name'] });
    expect(form.sent()).toBe('{}');
    await form.type('input', 'x');
    await form.type('input', '');
    expect(form.sent()).toBe('{"name":""}');
  });

  it('keeps every digit of a number and says when it is none', async () => {
    const form = open({ id: { type: 'integer' } });
    await form.type('input', '9007199254740993');
    expect(form.sent()).toBe('{"id":9007199254740993}');
    expect(form.find('input')).toHaveAttribute('type', 'text');
  });

  it('that is yes or no has a third state, which is not sent', async () => {
    const form = open({ dry: { type: 'boolean' } });
    expect(form.sent()).toBe('{}');
    await form.press('No');
    expect(form.sent()).toBe('{"dry":false}');
    await form.press('Not sent');
    expect(form.sent()).toBe('{}');
  });

  it('with options sends the value behind the label', async () => {
    const form = open({ order: { enum: ['asc', 'desc'], enumNames: ['Up', 'Down'] } });
    await fireEvent.change(form.find('select'), { target: { value: '1' } });
    expect(form.sent()).toBe('{"order":"desc"}');
  });

  it('with several options sends them in their own order', async () => {
    const form = open({ berths: { type: 'array', items: { enum: ['A', 'B', 'C'] } } });
    await form.press('C');
    await form.press('A');
    expect(form.sent()).toBe('{"berths":["A","C"]}');
    await form.press('A');
    await form.press('C');
    expect(form.sent()).toBe('{}');
  });

  it('may be null when the schema says so', async () => {
    const form = open({ limit: { type: ['integer', 'null'] } });
    await form.press('null');
    expect(form.sent()).toBe('{"limit":null}');
    await form.press('null');
    expect(form.sent()).toBe('{}');
  });

  it('that holds a list grows and shrinks', async () => {
    const form = open({ tags: { type: 'array', items: { type: 'string' } } });
    await form.press('Add item');
    await form.type('input', 'x');
    await form.press('Add item');
    expect(form.sent()).toBe('{"tags":["x",""]}');
    await fireEvent.click(form.find('[aria-label="Remove item 2"]'));
    await fireEvent.click(form.find('[aria-label="Remove item 1"]'));
    expect(form.sent()).toBe('{}');
  });

  it('that holds an optional group is there only after it was added', async () => {
    const form = open({ window: { type: 'object', properties: { from: { type: 'string' }, to: { type: 'string' } } } });
    expect(form.container.querySelector('input')).toBeNull();
    await form.press('Add');
    expect(form.sent()).toBe('{"window":{}}');
    await form.type('input', '08:00');
    expect(form.sent()).toBe('{"window":{"from":"08:00"}}');
    await form.press('Remove');
    expect(form.sent()).toBe('{}');
  });

  it('that cannot be drawn is JSON, and says where it is none', async () => {
    const form = open({ any: {} });
    await form.type('textarea', '{"a": [1,\n 2');
    expect(form.sent()).toBe('');
    expect(form.container).toHaveTextContent('Not JSON at line 2, column 3.');
    await form.type('textarea', '{"a": [1,\n 2]}');
    expect(form.sent()).toBe('{"any":{"a":[1,2]}}');
  });
});

describe('values that the form did not expect', () => {
  it('are shown as JSON where they do not fit, and beside the fields where there is none', () => {
    const form = open({ n: { type: 'integer' } }, { value: '{"n":"seven","extra":{"a":1}}' });
    const areas = [...form.container.querySelectorAll('textarea')].map(({ value }) => value);
    expect(areas).toEqual(['"seven"', '{\n  "a": 1\n}']);
    expect(form.container).toHaveTextContent('Not in the schema.');
    expect(form.sent()).toBe('{"n":"seven","extra":{"a":1}}');
  });

  it('keep line breaks that a one-line field would drop', () => {
    const form = open({ name: { type: 'string' } }, { value: '{"name":"a\\nb"}' });
    expect((form.find('textarea') as HTMLTextAreaElement).value).toBe('a\nb');
  });
});

describe('errors and labels', () => {
  it('shows that a value is missing only after the field was left', async () => {
    const form = open({ name: { type: 'string' } }, { required: ['name'] });
    expect(form.container).not.toHaveTextContent('Needs a value.');
    await form.leave('input');
    expect(form.container).toHaveTextContent('Needs a value.');
    expect(form.find('input')).toHaveAttribute('aria-invalid', 'true');
  });

  it('shows a problem at its field', () => {
    const form = open(
      { g: { type: 'object', properties: { 'a/b': { type: 'integer' } } } },
      {
        value: '{"g":{"a/b":-1}}',
        problems: [['/g/a~1b', 'must be at least 0']],
      },
    );
    expect(form.find('input')).toHaveAccessibleDescription(/must be at least 0/);
  });

  it('puts the raw key beside a title, and nothing of the server is markup', () => {
    const title = '<img src=x onerror=alert(1)>';
    const form = open({ key: { type: 'string', title, description: `\u202e${title}` } });
    expect(form.find('input')).toHaveAccessibleName(/<img src=x onerror=alert\(1\)> key/);
    expect(form.container.querySelector('img')).toBeNull();
    expect(form.container).toHaveTextContent('U+202E');
  });
});
