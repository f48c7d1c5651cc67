import type { Page } from '@playwright/test';
import { en } from '../src/i18n/en';
import { zhHans } from '../src/i18n/zh-Hans';
import { expect, test } from './fixtures';
import { echo, removeFiles } from './server';
import { User } from './user';

const languages = { en, 'zh-Hans': zhHans };
const sizes = { wide: { width: 1280, height: 820 }, small: { width: 960, height: 640 } };

/** No text is cut by its own box (one pixel is for screen readers) and nothing sticks out of the window, once the page has followed its new size. */
async function fits(page: Page): Promise<void> {
  const faults = () =>
    page.evaluate(() => {
      const found: string[] = [];
      if (document.documentElement.scrollWidth > window.innerWidth) found.push('the page is wider than the window');
      for (const e of document.querySelectorAll<HTMLElement>('button, h1, h2, .chip, .tabs *')) {
        const style = getComputedStyle(e);
        const mayCut = style.textOverflow === 'ellipsis' || e.closest('.ell') !== null;
        if (!mayCut && e.offsetWidth > 2 && e.scrollWidth > e.clientWidth + 1 && style.overflowX !== 'visible') {
          found.push(`cut: ${e.textContent ?? ''}`);
        }
        const box = e.getBoundingClientRect();
        const visible = e.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && box.width > 1;
        if (visible && (box.right > window.innerWidth + 1 || box.left < -1))
          found.push(`outside: ${e.textContent ?? ''}`);
      }
      return found;
    });
  await expect.poll(faults).toEqual([]);
}

// Over the real Go side; src/test/screens.ts has every screen.
const looks = [
  ['en', 'light'],
  ['zh-Hans', 'dark'],
] as const;

for (const [language, theme] of looks) {
  test(`every screen fits: ${language}, ${theme}`, async ({ page, user, server }, info) => {
    const shot = async (name: string) => {
      for (const [size, viewport] of Object.entries(sizes)) {
        await page.setViewportSize(viewport);
        await fits(page);
        await page.screenshot({
          path: info.outputPath(`${name}-${language}-${theme}-${size}.png`),
          animations: 'disabled',
        });
      }
      await page.setViewportSize(sizes.wide);
    };
    await user.goTo('settings');
    await user.button(en.settings.sections.appearance).click();
    await user
      .button(en.settings.themes[theme])
      .or(page.getByRole('radio', { name: en.settings.themes[theme] }))
      .first()
      .click();
    await user.button(en.settings.sections.general).click();
    const own = en.settings.languages[language];
    await user
      .button(own)
      .or(page.getByRole('radio', { name: own }))
      .first()
      .click();
    const person = new User(page, languages[language]);
    await expect(page.locator('html')).toHaveAttribute('lang', language === 'en' ? 'en' : 'zh-CN');
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
    await shot('settings');

    await person.goTo('servers');
    await shot('servers-empty');
    const files = server('Files', { tools: [echo, removeFiles], instructions: 'Ask for a path first.' });
    await person.addServer(files);
    await expect(person.gate).toBeVisible();
    await shot('gate-launch');
    await person.allow(person.words.consent.approveAndStart);
    await person.seesState('ready');
    await shot('servers');

    const panel = await person.openTool('remove_files');
    await panel.getByRole('textbox', { name: /path/ }).fill('/home/user/important');
    await shot('tools');
    await person.run(panel);
    await expect(person.gate).toBeVisible();
    await shot('gate-call');
    await person.deny();
    await expect(person.gate).toBeHidden();
    for (const name of ['inbox', 'chat', 'resources', 'history'] as const) {
      await person.goTo(name);
      await shot(name);
    }
  });
}
