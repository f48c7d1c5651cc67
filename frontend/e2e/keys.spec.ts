// The whole keyboard map (ui.md), pressed in the real page: every line of the table that the shortcut sheet lists.
import type { Locator, Page } from '@playwright/test';
import { shortcuts, type Group } from '../src/shell/shortcuts';
import { expect, test } from './fixtures';
import type { ModelStep } from './gatehouse';
import { until } from './processes';
import { echo, type Tool } from './server';
import type { User } from './user';

type Lines<G extends Group> = Record<keyof (typeof shortcuts)[G], () => Promise<void>>;

/** Presses every line of a group, in the order given here, each as a step of its own. */
async function walk<G extends Group>(_: G, lines: Lines<G>): Promise<void> {
  for (const [name, line] of Object.entries<() => Promise<void>>(lines)) await test.step(name, line);
}

const note: Tool = { ...echo, definition: { ...echo.definition, name: 'note', title: 'Note' } };
/** The titles of the rail, in its order. */
const railOf = (page: Page) =>
  page
    .locator('nav button[title]:not(.last)')
    .evaluateAll((all) => all.map((each) => each.getAttribute('title') ?? ''));

const here = (page: Page) => page.locator('nav [aria-current=page]');
const focusIn = (page: Page, selector: string) =>
  page.evaluate((selector) => document.activeElement?.closest(selector) !== null, selector);
const option = (list: Locator, n: number) => list.getByRole('option').nth(n);
/** The row that the keyboard is on. */
const active = async (list: Locator) =>
  list.locator(`[id="${(await list.getAttribute('aria-activedescendant')) ?? ''}"]`);

async function pressesEverywhere(user: User, page: Page, ended: () => Promise<boolean>): Promise<Lines<'everywhere'>> {
  const { words } = user;
  const press = (keys: string) => page.keyboard.press(keys);
  return {
    jump: async () => {
      await press('Control+k');
      await page.getByRole('combobox').fill('echo');
      await expect(page.getByRole('option', { name: /echo/ })).toBeVisible();
      await press('Enter');
      await expect(page.getByRole('complementary', { name: words.tools.run.panel('echo') })).toBeVisible();
    },
    pages: async () => {
      const rail = (await railOf(page)).slice(0, 9);
      expect(shortcuts.everywhere.pages[0][1]).toBe(`1–${String(rail.length)}`);
      for (const [i, title] of rail.entries()) {
        await press(`Control+${String(i + 1)}`);
        await expect(here(page)).toHaveAttribute('title', title);
        await expect(page.locator('main h1')).toBeAttached();
        if (i > 0) await expect.poll(() => focusIn(page, 'main')).toBe(true); // an empty inbox has nothing to go to
      }
    },
    inbox: async () => {
      await press('Control+i');
      await expect(here(page)).toHaveAttribute('title', words.common.pages.inbox);
      await press('Escape');
      await expect(here(page)).not.toHaveAttribute('title', words.common.pages.inbox);
    },
    newChat: async () => {
      await user.say('First');
      await expect(page.getByRole('log')).toContainText('First');
      await press('Control+n');
      await expect(page.getByRole('log')).not.toContainText('First');
      await expect(page.getByRole('textbox', { name: words.chat.composer })).toBeFocused();
      await user.button(words.chat.list(words.chat.newTitle)).click();
      await page.getByRole('menuitemradio', { name: /^First/ }).press('Enter');
      await expect(page.getByRole('log')).toContainText('First');
      await press('Control+n');
    },
    manual: async () => {
      await user.goTo('history');
      await press('Control+m');
      await expect(user.button(words.chat.manualPanel.pick)).toBeFocused();
    },
    filter: async () => {
      await user.goTo('servers');
      await press('Control+f');
      await expect(page.getByRole('textbox', { name: words.servers.filter })).toBeFocused();
    },
    undo: async () => {
      await page.getByRole('switch').click();
      await user.seesState('disabled');
      await page.getByRole('textbox', { name: words.servers.filter }).focus();
      await press('Control+z'); // in a field it belongs to the text
      await expect(user.button(words.common.undo)).toBeVisible();
      await press('Escape');
      await press('Control+z');
      await user.seesState('ready');
      await expect(user.button(words.common.undo)).toHaveCount(0);
    },
    pane: async () => {
      const pane = () => page.evaluate(() => document.activeElement?.closest('[data-pane]')?.className ?? '');
      const first = await pane();
      await press('F6');
      const second = await pane();
      expect(second).not.toBe(first);
      await press('Shift+F6');
      await expect.poll(pane).toBe(first);
      const seen = new Set<string>();
      for (let i = 0; i < 4; i++) {
        await press('F6');
        seen.add(await pane());
      }
      expect(seen.size).toBeGreaterThan(2);
    },
    textSize: async () => {
      const zoom = () => page.evaluate(() => document.documentElement.style.getPropertyValue('zoom') || '1');
      for (const [keys, size] of [
        ['Control+Equal', '1.1'],
        ['Control+Equal', '1.25'],
        ['Control+Minus', '1.1'],
        ['Control+0', '1'],
      ] as const) {
        await press(keys);
        await expect.poll(zoom).toBe(size);
      }
    },
    sheet: async () => {
      await page.getByRole('textbox', { name: words.servers.filter }).fill('');
      await page.getByRole('textbox', { name: words.servers.filter }).press('?');
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await page.getByRole('textbox', { name: words.servers.filter }).fill('');
      await page.getByRole('listbox').focus();
      await press('?');
      const sheet = page.getByRole('dialog', { name: words.shell.shortcuts.title });
      const lines = Object.values(shortcuts).flatMap((group) => Object.keys(group));
      const listed = await sheet.locator('dt').allTextContents();
      expect(listed.sort()).toEqual(lines.map((line) => words.shell.shortcuts[line as 'jump']).sort());
      await press('Control+1'); // rests while a dialog is open
      await press('Escape');
      await expect(sheet).toHaveCount(0);
      await expect(page.getByRole('listbox')).toBeFocused();
      await expect(here(page)).toHaveAttribute('title', words.common.pages.servers);
    },
    quit: async () => {
      await press('Control+q');
      await until('it ends', ended);
    },
  };
}

test('everywhere: each shortcut of the window does what the sheet says', async ({ user, server, page, gatehouse }) => {
  await user.startServer(server('Files', { tools: [echo, note] }));
  const ended = () =>
    fetch(gatehouse.url).then(
      () => false,
      () => true,
    );
  await walk('everywhere', await pressesEverywhere(user, page, ended));
});

test('lists: the same keys move, open and go back in each', async ({ user, server, page }) => {
  const { words } = user;
  await user.startServer(server('Files', { tools: [echo, note] }));
  await user.startServer(server('More', { tools: [echo, note] }));
  const lists = [
    ['servers', words.servers.list, '.details'],
    ['tools', words.tools.list, 'aside'],
    ['history', words.history.list, 'aside'],
  ] as const;
  for (const [name, label, details] of lists) {
    await page.keyboard.press(`Control+${String((await railOf(page)).indexOf(words.common.pages[name]) + 1)}`);
    const list = page.getByRole('listbox', { name: label });
    await expect(list).toBeFocused();
    const press = (key: string) => page.keyboard.press(key);
    const at = (n: number) =>
      expect(async () => {
        expect(await (await active(list)).getAttribute('aria-posinset', { timeout: 1000 })).toBe(String(n));
      }).toPass();
    const count = Number(await option(list, 0).getAttribute('aria-setsize'));
    expect(count).toBeGreaterThan(1);
    await walk('lists', {
      move: async () => {
        await press('Home');
        for (const [key, n] of [
          ['j', 2],
          ['k', 1],
          ['ArrowDown', 2],
          ['ArrowUp', 1],
          ['k', 1],
        ] as const) {
          await press(key);
          await at(n);
        }
      },
      ends: async () => {
        await press('End');
        await at(count);
        await press('Home');
        await at(1);
      },
      choose: async () => {
        await press('j');
        await press('Enter');
        await expect(option(list, 1)).toHaveAttribute('aria-selected', 'true');
        await expect(page.locator(`main ${details} button`).first()).toBeVisible(); // F6 passes over a pane that is still empty
      },
      back: async () => {
        await press('F6');
        await expect.poll(() => focusIn(page, details)).toBe(true);
        await press('Escape');
        await expect(list).toBeFocused();
      },
    });
  }
});

const two: ModelStep[] = [
  {
    uses: [
      { id: 'one', name: 'Files__echo', arguments: ['{"message":"first"}'] },
      { id: 'two', name: 'Files__note', arguments: ['{"message":"second"}'] },
    ],
  },
  { text: ['That is all.'] },
];

/** A server whose tool asks the user for a form first. */
const asking: Tool = {
  definition: { ...echo.definition, name: 'book', title: 'Book' },
  do: [
    {
      do: 'ask',
      name: 'elicitation/create',
      text: JSON.stringify({
        message: 'Which berth?',
        requestedSchema: { type: 'object', properties: { berth: { type: 'string', title: 'Berth' } } },
      }),
    },
    { do: 'echo' },
  ],
};

test.describe('the gate and the composer', () => {
  test.use({ model: { steps: two } });

  test('each key does what the sheet says, and nothing else does anything', async ({ user, server, page }) => {
    const { words } = user;
    const files = server('Files', { tools: [echo, note] });
    await user.startServer(files);
    const press = (keys: string) => page.keyboard.press(keys);
    const called = () => files.received('tools/call').length;
    const tab = (n: number) => user.gate.getByRole('tab').nth(n);
    const deny = user.gate.getByRole('button', { name: words.consent.deny, exact: true });

    await walk('chat', {
      send: async () => {
        await user.goTo('chat');
        const composer = page.getByRole('textbox', { name: words.chat.composer });
        await composer.fill('Say');
        await press('Shift+Enter');
        await composer.pressSequentially('something');
        await press('Enter');
        await expect(composer).toHaveValue('');
      },
      line: async () => {
        await expect(page.getByRole('article').first()).toHaveText(/Say\n?\s*something/);
        await expect(page.getByRole('article')).toHaveCount(3); // one message, two calls
      },
    });

    await user.button(words.chat.card.review).first().click();
    for (const keys of ['Control+Enter', 'd', 'e', '2', 'Alt+ArrowRight']) await press(keys);
    await expect(user.gate).toContainText(words.consent.position(1, 2));
    await expect(tab(0)).toHaveAttribute('aria-selected', 'true');
    await user.armed();
    for (const letter of 'abcfghijklmnopqrstuvwxyz') await press(letter);
    await press('Escape');
    await expect(user.gate).toContainText(words.consent.position(1, 2));
    expect(called()).toBe(0);
    await readsInOrder(page);

    await walk('gate', {
      tabs: async () => {
        for (const n of [2, 3, 1]) {
          await press(String(n));
          await expect(tab(n - 1)).toHaveAttribute('aria-selected', 'true');
        }
      },
      step: async () => {
        await press('Alt+ArrowRight');
        await expect(user.gate).toContainText(words.consent.position(2, 2));
        await user.armed();
        await press('Alt+ArrowLeft');
        await expect(user.gate).toContainText(words.consent.position(1, 2));
        await user.armed();
      },
      edit: async () => {
        await press('e');
        const editor = user.gate.getByLabel(words.consent.editTitle);
        await expect(editor).toBeFocused();
        const before = await editor.inputValue();
        for (const keys of ['d', 'e', '2']) await press(keys);
        expect((await editor.inputValue()).length).toBe(before.length + 3);
        await user.button(words.consent.editCancel, user.gate).click();
      },
      allow: async () => {
        await expect(user.gate.getByRole('button', { name: words.consent.allowOnce, exact: true })).toHaveAttribute(
          'aria-keyshortcuts',
          'Control+Enter',
        );
        await press('Control+Enter');
        await until('the first call', () => called() === 1);
      },
      deny: async () => {
        await expect(user.gate).not.toContainText(words.consent.position(1, 2));
        await user.armed();
        await expect(deny).toBeFocused();
        await press('d');
        await expect(user.gate).toBeHidden();
        await expect(page.getByText('That is all.')).toBeVisible();
        expect(called()).toBe(1);
        await expect.poll(() => focusIn(page, 'main')).toBe(true);
      },
      cancelForm: async () => {
        const asks = server('Asks', { tools: [asking] });
        await user.startServer(asks);
        const panel = await user.openTool('book');
        await panel.getByRole('textbox', { name: /Message/ }).fill('x');
        await user.run(panel);
        await expect(user.gate).toContainText('Which berth?');
        await user.armed();
        await user.gate.getByRole('textbox', { name: /Berth/ }).fill('dd');
        await press('Escape');
        await expect(user.gate).toBeHidden();
        await expect(panel).toContainText(/Finished|OK/);
      },
    });
  });
});

/** Tab goes once around the gate in the order of reading, and nowhere else. */
async function readsInOrder(page: Page): Promise<void> {
  const stops: { name: string; top: number; bottom: number; left: number; inside: boolean }[] = [];
  const stop = () =>
    page.evaluate(() => {
      const element = document.activeElement!;
      const { top, bottom, left } = element.getBoundingClientRect();
      return {
        name: `${element.tagName} ${element.getAttribute('aria-label') ?? element.textContent.trim()}`.slice(0, 80),
        top,
        bottom,
        left,
        inside: element.closest('[role=alertdialog]') !== null,
      };
    });
  const first = await stop();
  do {
    await page.keyboard.press('Tab');
    stops.push(await stop());
    expect(stops.length).toBeLessThan(40);
  } while (stops.at(-1)?.name !== first.name);
  expect(stops.filter(({ inside }) => !inside)).toEqual([]);
  // Round the end it begins again at the top: turn the ring so that the topmost comes first.
  const top = stops.findIndex((each) => each.top === Math.min(...stops.map((other) => other.top)));
  const ring = [...stops.slice(top), ...stops.slice(0, top)];
  for (const [i, each] of ring.entries()) {
    const before = ring[i - 1];
    if (before)
      expect(
        each.top >= before.bottom - 4 || each.left > before.left || each.top > before.top,
        `${before.name} → ${each.name}`,
      ).toBe(true);
  }
}
