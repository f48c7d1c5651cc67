// Profiles by keyboard alone, with real servers: a switch keeps what both have, stops what leaves after asking, and
// starts what comes.
import { expect, test } from './fixtures';
import { echo } from './server';
import { zhHans } from '../src/i18n/zh-Hans';
import { en } from '../src/i18n/en';
import { User } from './user';

interface Bindings {
  go: { app: { App: { SetLanguage(language: string): Promise<void> } } };
}

for (const [language, words] of [
  ['en', en],
  ['zh-Hans', zhHans],
] as const) {
  test(`two profiles, by keyboard alone: ${words.profiles.title}`, async ({ page, user, server, gatehouse }) => {
    const { keyboard } = page;
    const both = server('Both', { tools: [echo] });
    const wait = {
      definition: { name: 'wait', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
      do: [{ do: 'silence' }],
    };
    const leaves = server('Leaves', { tools: [wait] });
    await user.startServer(both);
    await user.startServer(leaves);
    const processes = () => gatehouse.children().filter(({ name }) => name === 'scripted');
    const pids = () => processes().map(({ pid }) => pid);
    await expect.poll(pids).toHaveLength(2);
    const [kept] = pids();
    const panel = await user.openTool('wait');
    await user.run(panel);
    await expect.poll(() => leaves.received('tools/call')).toHaveLength(1);

    await page.evaluate((language) => (window as unknown as Bindings).go.app.App.SetLanguage(language), language);
    const here = new User(page, words);
    const opener = here.page.locator('header').getByRole('button', { name: words.profiles.menu('').trim() });
    await expect(opener).toHaveText(words.profiles.first);

    // A new profile with the first server.
    await jump(words.profiles.manage);
    const dialog = page.getByRole('dialog');
    await expect(here.button(words.profiles.editOne(words.profiles.first), dialog)).toBeVisible();
    await press(here.button(words.profiles.add, dialog));
    await keyboard.type('Work');
    await press(here.button('Both', dialog));
    await press(here.button(words.profiles.save, dialog));
    await expect(here.button(words.profiles.editOne('Work'), dialog)).toBeVisible();
    await keyboard.press('Escape');
    await expect(dialog).toBeHidden();

    // The switch asks first.
    await opener.focus();
    await keyboard.press('Enter');
    await keyboard.press('ArrowDown');
    await expect(page.getByRole('menuitemradio', { name: 'Work' })).toBeFocused();
    await keyboard.press('Enter');
    await expect(dialog).toContainText('wait');
    await keyboard.press('Enter'); // Cancel has the focus
    await expect(opener).toHaveText(words.profiles.first);
    expect(pids()).toHaveLength(2);

    await jump(words.profiles.switchTo('Work'));
    await press(here.button(words.profiles.stop.switch, dialog));
    await expect(opener).toHaveText('Work');
    await expect.poll(pids).toEqual([kept]);
    await expect.poll(() => leaves.received('notifications/cancelled')).toHaveLength(1);

    // And back: what comes starts by its standing consent.
    await jump(words.profiles.switchTo(words.profiles.first));
    await expect(opener).toHaveText(words.profiles.first);
    await expect.poll(pids).toHaveLength(2);
    expect(pids()).toContain(kept);
    await expect(here.gate).toBeHidden();

    // The choice survives a restart.
    await jump(words.profiles.switchTo('Work'));
    await expect(opener).toHaveText('Work');
    await gatehouse.stop();
    await gatehouse.start();
    await page.goto(gatehouse.url);
    await expect(opener).toHaveText('Work');
    await expect.poll(pids).toHaveLength(1);

    async function jump(to: string) {
      await keyboard.press('ControlOrMeta+k');
      await keyboard.type(to);
      await keyboard.press('Enter');
    }

    /** Reaches a button by Tab and presses it. */
    async function press(button: ReturnType<User['button']>) {
      await expect(button).toBeVisible();
      while (!(await button.evaluate((each) => each === document.activeElement))) await keyboard.press('Tab');
      await keyboard.press('Enter');
    }
  });
}
