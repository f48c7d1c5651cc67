// Every screen of the window over the fake back end: its words in three languages, its fit in two sizes and at twice the
// text size, and the rules of axe with contrast in both themes.
import { expect, test, type Browser } from '@playwright/test';
import { sizes, Walk } from './walk';

type Look = (walk: Walk, name: string) => Promise<string[]>;

/** Goes through every screen and lists what the looks find, by screen. */
async function walkAll(walk: Walk, look: Look): Promise<Record<string, string[]>> {
  const faults: Record<string, string[]> = {};
  for (const name of await walk.names()) {
    await walk.show(name).catch((cause: unknown) => (faults[name] = [String(cause).split('\n')[0] ?? '']));
    const found = faults[name] ? [] : await look(walk, name);
    if (found.length > 0) faults[name] = found;
  }
  return faults;
}

const inBothSizes: Look = async (walk) => {
  const found: string[] = [];
  for (const [size, viewport] of Object.entries(sizes)) {
    await walk.resize(viewport);
    found.push(...(await walk.cut()).map((fault) => `${size}: ${fault}`));
  }
  await walk.resize(sizes.wide);
  return found;
};

async function none(browser: Browser, query: Record<string, string>, look: Look, options = {}): Promise<void> {
  const walk = await Walk.open(browser, query, options);
  expect(await walkAll(walk, look)).toEqual({});
  await walk.page.context().close();
}

test.describe.configure({ timeout: 300_000 });

for (const language of ['en', 'zh-Hans', 'pseudo'] as const) {
  test(`every word is of the catalogue and fits: ${language}`, async ({ browser }) => {
    const look: Look = async (walk, name) => [...(await walk.foreign(language)), ...(await inBothSizes(walk, name))];
    await none(browser, { language }, look, { locale: language === 'zh-Hans' ? 'zh-CN' : 'en-GB' });
  });
}

for (const theme of ['light', 'dark']) {
  test(`axe finds nothing: ${theme}`, async ({ browser }) => {
    await none(browser, { theme }, (walk) => walk.axe());
  });
}

test('everything fits at twice the text size, and a gate has title, risk line and answers in view', async ({
  browser,
}) => {
  const look: Look = async (walk, name) => {
    const found = await inBothSizes(walk, name);
    if (!name.startsWith('gate')) return found;
    await walk.resize(sizes.small);
    const title = name.includes('hostile call') ? '.band' : 'h1'; // a name without end is scrolled
    return [...found, ...(await walk.covered(`[role=alertdialog] :is(${title}, .risk, .gfoot button)`))];
  };
  await none(browser, { size: '200' }, look);
});

test('with forced colours the gate, its risk and the focus are drawn without colour', async ({ browser }) => {
  const walk = await Walk.open(browser, {}, { forcedColors: 'active' });
  for (const name of ['gate, call', 'gate, launch']) {
    await walk.show(name);
    const drawn = await walk.page.evaluate(() => {
      const style = (selector: string) => getComputedStyle(document.querySelector(`[role=alertdialog] ${selector}`)!);
      const border = (selector: string) => [style(selector).borderTopStyle, style(selector).borderTopWidth].join(' ');
      const focus = getComputedStyle(document.activeElement!);
      return {
        borders: ['.gate', '.risk', '.chip', '.gfoot .btn'].map(border),
        band: style('.band').backgroundColor,
        focus: `${focus.outlineStyle} ${focus.outlineWidth}`,
        icons: document.querySelectorAll('[role=alertdialog] .risk > svg, [role=alertdialog] .risk .chip').length,
      };
    });
    expect(drawn.borders).toEqual(Array(4).fill('solid 1px'));
    expect(drawn.band).toBe('rgb(24, 33, 74)');
    expect(drawn.focus).toBe('solid 2px');
    expect(drawn.icons).toBeGreaterThan(1);
  }
  await walk.page.context().close();
});

test('what was waited for moves nothing when it comes', async ({ browser }) => {
  const walk = await Walk.open(browser, {});
  for (const name of (await walk.names()).filter((each) => each.endsWith(', slow') && each !== 'window, slow')) {
    await walk.show(name);
    // The foot of the Run panel fills in the bytes once they are composed.
    expect(await walk.shiftOnArrival(), name).toBeLessThan(0.004);
  }
  await walk.page.context().close();
});
