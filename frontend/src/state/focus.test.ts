import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keepFocus } from './focus';

const parse = (html: string) => [...new DOMParser().parseFromString(html, 'text/html').body.children];
const page = (html: string) => {
  const main = document.createElement('main');
  main.dataset['pane'] = '';
  main.append(...parse(html));
  document.body.replaceChildren(main);
};
const at = (id: string) => document.getElementById(id)!;
/** Takes it away, as a page that is drawn anew does, and lets the watch see it. */
const take = async (id: string) => {
  at(id).remove();
  await Promise.resolve();
};
const focused = () => document.activeElement?.id ?? '';

describe('the focus, when what had it is gone', () => {
  const fieldGone = vi.fn();
  let stop: () => void;
  beforeEach(() => {
    fieldGone.mockClear();
    document.body.replaceChildren();
    stop = keepFocus(fieldGone);
  });
  afterEach(() => stop());

  it('goes to what stands in its place in the same list, at the end to the one before', async () => {
    page('<div role="list"><button id="a"></button><button id="b"></button><button id="c"></button></div>');
    at('b').focus();
    await take('b');
    expect(focused()).toBe('c');
    await take('c');
    expect(focused()).toBe('a');
  });

  it('leaves a list that is gone for its pane, and a pane that is gone for the beginning of the page', async () => {
    page(`<ul role="listbox" tabindex="0" id="start"></ul>
      <div data-pane id="pane"><button id="before"></button><div role="list" id="list"><button id="row"></button></div></div>`);
    at('row').focus();
    await take('list');
    expect(focused()).toBe('before');
    await take('pane');
    expect(focused()).toBe('start');
  });

  it('goes back to where it was before a dialog, or to what stands there now', async () => {
    page('<div role="list"><button id="opener"></button><button id="next"></button></div>');
    for (const [gone, back] of [
      ['', 'opener'],
      ['opener', 'next'],
    ] as const) {
      at('opener').focus();
      document.body.append(...parse('<dialog open id="dialog"><button id="yes"></button></dialog>'));
      at('yes').focus();
      if (gone) at(gone).remove();
      await take('dialog');
      expect(focused()).toBe(back);
    }
  });

  it('stays inside a dialog that stands', async () => {
    page('<button id="outside"></button>');
    document.body.append(
      document
        .createRange()
        .createContextualFragment(
          '<dialog open><div data-pane><button id="one"></button></div><button id="two"></button></dialog>',
        ),
    );
    at('one').focus();
    await take('one');
    expect(focused()).toBe('two');
  });

  it('goes into no field, and tells when a field is gone', async () => {
    page('<form><input id="field" /><input id="other" /><button type="button" id="button"></button></form>');
    at('field').focus();
    await take('field');
    expect(focused()).toBe('button');
    expect(fieldGone).toHaveBeenCalledTimes(1);
    await take('button');
    expect(focused()).toBe('');
    expect(fieldGone).toHaveBeenCalledTimes(1);
  });

  it('stays where the user has put it meanwhile', async () => {
    page('<div role="list"><button id="a"></button><button id="b"></button></div><button id="c"></button>');
    at('a').focus();
    at('a').remove();
    at('c').focus();
    await Promise.resolve();
    expect(focused()).toBe('c');
  });
});
