import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test as base } from './fixtures';
import { Gatehouse } from './gatehouse';
import { User } from './user';

const test = base.extend<{ damaged: string }>({
  damaged: 'This is no database, but it is all there is.'.repeat(100),
  gatehouse: async ({ damaged }, use) => {
    const gatehouse = new Gatehouse();
    mkdirSync(gatehouse.dataDir, { mode: 0o700 });
    writeFileSync(join(gatehouse.dataDir, 'gatehouse.db'), damaged, { mode: 0o600 });
    await gatehouse.start();
    await use(gatehouse);
    await gatehouse.stop();
    gatehouse.remove();
  },
});

test.use({ entered: false });

test('damaged data is named and left as it is', async ({ user, page, gatehouse, damaged }) => {
  await expect(page.getByRole('main')).toContainText(user.words.errors.codes['data-corrupt']);
  await gatehouse.stop();
  expect(readFileSync(join(gatehouse.dataDir, 'gatehouse.db'), 'utf8')).toBe(damaged);
});

base(
  'a second window on the same data says that there is one, and opens when it is gone',
  async ({ gatehouse, browser }) => {
    const second = new Gatehouse({ dataDir: gatehouse.dataDir });
    try {
      await second.start();
      const page = await browser.newPage();
      await page.goto(second.url);
      const user = new User(page);
      await expect(page.getByRole('main')).toContainText(user.words.errors.codes['second-window']);
      await gatehouse.stop();
      await user.button(user.words.common.retry).click();
      await user.enter();
      await page.close();
      await second.stop();
    } finally {
      second.remove();
    }
  },
);

base('without a keyring the window says that secrets are for this session', async ({ browser }) => {
  const gatehouse = new Gatehouse({ keyring: false });
  try {
    await gatehouse.start();
    const page = await browser.newPage();
    await page.goto(gatehouse.url);
    await expect(page.getByRole('main')).toContainText(new User(page).words.common.notices['keyring-session']);
    await page.close();
    await gatehouse.stop();
  } finally {
    gatehouse.remove();
  }
});
