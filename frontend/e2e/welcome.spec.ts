import { expect, test } from './fixtures';
import { zhHans } from '../src/i18n/zh-Hans';
import { en } from '../src/i18n/en';
import { User } from './user';

test.use({ entered: false });

for (const words of [en, zhHans]) {
  test(`from the first start to a first approved call, by keyboard alone: ${words.welcome.title}`, async ({ page }) => {
    const user = new User(page, words);
    const { keyboard } = page;
    const word = page.getByRole('textbox').first();
    await expect(word).toBeFocused();
    if (words === zhHans) {
      await page.getByRole('radio', { name: 'English' }).focus();
      await keyboard.press('ArrowRight');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(words.welcome.title);
      await word.focus();
    }
    await keyboard.press('ControlOrMeta+A');
    await keyboard.type('Quay 7');
    await keyboard.press('Enter');

    await user.armed();
    await expect(user.gate.getByRole('img', { name: words.consent.sealSpoken('Quay 7') })).toBeVisible();
    await user.gate.getByRole('group', { name: /./ }).first().press('End');
    await keyboard.press('ControlOrMeta+Enter');
    await expect(user.gate).toBeHidden();

    const panel = page.getByRole('complementary');
    await expect(panel).toBeVisible();
    await expect(panel.getByRole('textbox').first()).toBeFocused();
    await keyboard.type('Ada');
    const run = panel.getByRole('button', { name: words.tools.run.run });
    await expect(run).not.toHaveAttribute('aria-disabled', 'true');
    while (!(await run.evaluate((button) => button === document.activeElement))) await keyboard.press('Tab');
    await keyboard.press('Enter');
    await expect(page.getByRole('region', { name: words.result.title })).toContainText('Ada');
  });
}

test('the welcome comes once', async ({ page }) => {
  const user = new User(page);
  await user.enter();
  await page.reload();
  await expect(page.getByRole('navigation', { name: user.words.common.navigation })).toBeVisible();
  await expect(user.button(user.words.welcome.look)).toBeHidden();
});
