import { cleanup, render } from '@testing-library/svelte';
import { describe, expect, it, vi } from 'vitest';
import type { Block, CallView } from '@/backend/backend';
import { callView } from '@/backend/fake/calls';
import { markup } from '@/backend/fake/hostile';
import { mediaOf } from './media';
import ResultView from './ResultView.svelte';
import { tableOf } from './table';

const bytes = (...parts: (string | number[])[]) =>
  btoa(parts.map((p) => (typeof p === 'string' ? p : String.fromCharCode(...p))).join('') + 'filler to be long enough');

describe('mediaOf believes the first bytes, not the server', () => {
  it.each([
    ['image', bytes('\x89PNG\r\n\x1a\n'), 'image/png'],
    ['image', bytes('\xff\xd8\xff'), 'image/jpeg'],
    ['image', bytes('GIF89a'), 'image/gif'],
    ['image', bytes('RIFF', [1, 2, 3, 4], 'WEBP'), 'image/webp'],
    ['audio', bytes('RIFF', [1, 2, 3, 4], 'WAVE'), 'audio/wav'],
    ['audio', bytes('ID3'), 'audio/mpeg'],
  ] as const)('%s %s', (kind, data, type) => {
    expect(mediaOf(kind, data)?.type).toBe(type);
    expect(mediaOf(kind, data)?.blob.type).toBe(type);
  });

  it.each([
    ['image', bytes('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">')],
    ['image', bytes('<html>')],
    ['image', bytes('ID3')],
    ['audio', bytes('\x89PNG\r\n\x1a\n')],
    ['image', 'not base64!'],
    ['image', ''],
  ] as const)('%s %s is not shown', (kind, data) => {
    expect(mediaOf(kind, data)).toBeUndefined();
  });
});

describe('tableOf', () => {
  it('takes an array of objects, alone or as the only member, and keeps numbers as text', () => {
    const table = tableOf('{"rows":[{"a":9007199254740993,"b":"x"},{"a":1.10,"c":{"d":[1]}}]}');
    expect(table).toEqual({
      columns: [
        { key: 'a', numeric: true },
        { key: 'b', numeric: false },
        { key: 'c', numeric: false },
      ],
      rows: [
        ['9007199254740993', 'x', ''],
        ['1.10', '', '{"d":[1]}'],
      ],
    });
    expect(tableOf('[{"a":1}]')?.rows).toEqual([['1']]);
  });

  it.each(['', '[]', '{}', '[1]', '[{"a":1},2]', '{"a":[{"b":1}],"c":1}', '{"a":[{"b":1}', '[{}]'])(
    '%s is none',
    (text) => {
      expect(tableOf(text)).toBeUndefined();
    },
  );
});

describe('ResultView', () => {
  const block = (changes: Partial<Block>): Block => ({ ...callView.blocks[0]!, text: '', ...changes });
  const show = (changes: Partial<CallView>) => {
    const oncopy = vi.fn();
    const { container } = render(ResultView, { call: { ...callView, ...changes }, oncopy });
    return { container, oncopy, text: container.textContent.replace(/\s+/g, ' ') };
  };

  it('shows a table first when the only text repeats it, and the content first when it does not', () => {
    expect(show({}).container.querySelector('table')).not.toBeNull();
    cleanup();
    const blocks = [block({ text: 'see the picture' }), block({ kind: 'link', uri: 'https://a.example/', name: 'A' })];
    const { container, text } = show({ blocks });
    expect(container.querySelector('table')).toBeNull();
    expect(text).toContain('see the picture');
  });

  it('tells the tool’s error, the server’s refusal, a lost connection and a denial apart', () => {
    expect(show({ state: 'toolError' }).text).toMatch(/The tool reports an error.*Its words are below/);
    cleanup();
    const refused = show({
      state: 'failed',
      error: 'no such tool <b>',
      errorCode: -32602,
      blocks: [],
      structured: '',
      raw: '',
    });
    expect(refused.text).toContain('error -32602');
    expect(refused.container.querySelector('blockquote')).toHaveAccessibleName(
      'Written by Postgres (staging), not checked',
    );
    expect(refused.container.querySelector('blockquote')).toHaveTextContent('no such tool <b>');
    cleanup();
    const lost = show({
      state: 'failed',
      error: 'connection closed',
      errorCode: 0,
      blocks: [],
      structured: '',
      raw: '',
    });
    expect(lost.text).toMatch(/No answer came back.*connection closed/);
    expect(lost.container.querySelector('blockquote')).toBeNull();
    cleanup();
    const denied = show({ state: 'denied', reason: 'not today', by: 'user', blocks: [], structured: '', raw: '' });
    expect(denied.text).toMatch(/Denied.*Nothing was sent.*Decided by: You.*Reason: not today/);
    cleanup();
    const unrecorded = show({ state: 'denied', fault: 'not-recorded', blocks: [], structured: '', raw: '' });
    expect(unrecorded.text).toMatch(/Nothing was sent.*The decision could not be recorded/);
  });

  it('never makes an address live', () => {
    const uris = ['javascript:alert(1)', 'file:///etc/passwd', 'https://a.example/?q=1', 'ui://widget/1'];
    const { container, oncopy, text } = show({
      blocks: uris.map((uri) => block({ kind: 'link', uri })),
      structured: '',
    });
    expect(container.querySelectorAll('a, [href], iframe')).toHaveLength(0);
    for (const uri of uris) expect(text).toContain(uri);
    container.querySelector<HTMLElement>('[aria-label="Copy address"]')?.click();
    expect(oncopy).toHaveBeenCalledWith('javascript:alert(1)');
  });

  it('shows markup in every kind of block as text', () => {
    const kinds: Block['kind'][] = ['text', 'link', 'resource', 'unknown', 'image', 'audio'];
    const blocks = markup.flatMap((m) =>
      kinds.map((kind) =>
        block({
          kind,
          text: m,
          uri: m,
          name: m,
          mimeType: m,
          note: 'invalid',
          detail: m,
          data: btoa('<svg onload=x>'),
        }),
      ),
    );
    const { container } = show({ blocks, structured: '' });
    expect('__pwned' in window).toBe(false);
    expect(
      container.querySelectorAll('img, svg:not(.i), script, iframe, object, embed, a, form, style, link'),
    ).toHaveLength(0);
  });

  it('says what is wrong with a part, and what is too large', () => {
    const { text } = show({
      blocks: [
        block({ note: 'invalid', detail: 'the text is missing' }),
        block({ note: 'too-large', bytes: 20_000_000 }),
      ],
      structured: '',
    });
    expect(text).toContain('This part of the answer is not valid: the text is missing');
    expect(text).toContain('This is too large to be shown here: 20 MB');
  });

  it('says what is missing from a preview and what does not match', () => {
    const { text } = show({ truncated: 49_000_000, structuredProblem: 'late: want integer' });
    expect(text).toContain('49 MB more are not shown');
    expect(text).toContain('does not match the output schema: late: want integer');
  });

  it('draws only what is in view of a megabyte of text', () => {
    const long = `${'0123456789 '.repeat(9)}\n`.repeat(10_000);
    const { container } = show({ blocks: [block({ text: long })], structured: '', raw: '' });
    expect(container.querySelectorAll('.ln').length).toBeLessThan(80);
  });
});
