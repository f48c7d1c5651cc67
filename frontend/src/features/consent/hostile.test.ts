// SEC H1, H3, H15, D8, D9, A2 in the gate: what servers and models write becomes text, all of it visible.

import { screen } from '@testing-library/svelte';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { hostileCall, hostileLaunch, invisible, markup } from '@/backend/fake/hostile';
import { openHarness } from '@/test/gate';
import { originalText } from '@/ui/copy';
import { hiddenName } from '@/ui/hidden';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Elements that the gate itself is made of. */
const ours = new Set(
  (
    'bdi blockquote br button b circle code defs dialog div h1 h2 header input kbd label path pattern q rect section ' +
    'small span svg table tbody td textarea tr p'
  ).split(' '),
);

function expectOnlyText(): void {
  const body = document.body;
  const names = new Set([...body.querySelectorAll('*')].map((element) => element.localName));
  expect([...names].filter((name) => !ours.has(name))).toEqual([]);
  expect('__pwned' in window).toBe(false);
  const attributes = [...body.querySelectorAll('*')].flatMap((element) => element.getAttributeNames());
  expect(attributes.filter((name) => /^(on|href|src|style|srcdoc|action|target)/.test(name))).toEqual([]);
  const text = textWithoutMarkers(body);
  expect([...text].filter((char) => hiddenName(char, '', true) !== undefined)).toEqual([]);
  expect(text).not.toMatch(/ {32}/);
}

function textWithoutMarkers(root: Element): string {
  const copy = root.cloneNode(true) as Element;
  copy.querySelectorAll('[data-raw]').forEach((marker) => marker.remove());
  return copy.textContent;
}

describe('a hostile call', () => {
  it('is text in every view', async () => {
    const { arrive, pass, key } = await openHarness();
    await arrive(hostileCall);
    await pass(700);
    for (const tab of ['1', '2', '3']) {
      await key(tab);
      expectOnlyText();
    }
    await key('e');
    expectOnlyText();
  });

  it('puts no word of the server into title, buttons or risk line but the quoted name and tool', async () => {
    const { arrive } = await openHarness();
    await arrive(hostileCall);
    const dialog = screen.getByRole('alertdialog');
    expect(dialog.querySelector('.risk')?.textContent).toContain('Gatehouse cannot tell what this does');
    expect(dialog.querySelector('.gfoot')?.textContent).not.toMatch(/[<>]/);
    expect(dialog.querySelector('blockquote')).toHaveAccessibleName(/^Written by Notes .*, not checked$/s);
  });

  it('holds every byte of every argument', async () => {
    const { arrive } = await openHarness();
    await arrive(hostileCall);
    for (const text of [...markup, ...Object.values(invisible)]) {
      const at = [...markup, ...Object.values(invisible)].indexOf(text);
      const field = document.querySelector(`[data-pointer="/${at}"]`);
      const shown = field?.querySelector('.code, .value');
      if (text === invisible.lines) continue; // folded, see below
      expect(originalText(shown!)).toBe(text);
    }
  });

  it('counts blank lines and blanks instead of drawing them', async () => {
    const { arrive, pass } = await openHarness();
    await arrive({
      ...hostileCall,
      toolCall: {
        ...hostileCall.toolCall!,
        arguments: JSON.stringify({ script: invisible.lines, s: invisible.spaces }),
      },
    });
    expect(document.querySelector('[data-pointer="/s"]')).toHaveTextContent('echo ok500 spaces; rm -rf ~');
    const show = [...document.querySelectorAll('button')].find((each) => each.textContent.trim() === 'Show all');
    await pass(700);
    show?.click();
    await pass(0);
    expect(document.querySelector('[data-pointer="/script"]')).toHaveTextContent('4,999 empty lines');
    expect(originalText(document.querySelector('[data-pointer="/script"] .code')!)).toBe(invisible.lines);
  });
});

describe('a hostile launch', () => {
  it('is text, one row an argument, nothing cut, lengths and blank runs said', async () => {
    const { arrive } = await openHarness();
    await arrive(hostileLaunch);
    expectOnlyText();
    const rows = [...document.querySelectorAll('.code.numbered .ln')].slice(1);
    const args = hostileLaunch.launch!.args;
    expect(rows).toHaveLength(args.length);
    rows.forEach((row, i) => expect(originalText(row.querySelector('bdi')!)).toBe(args[i]));
    const text = document.body.textContent;
    expect(text).toContain('4,096 characters');
    expect(text).toContain('contains a long run of blanks');
    expect(text).toContain('U+000A × 5,000');
    expect(text).toContain('Changes how programs run');
  });
});
