// This file gives every test a running Gatehouse and its page.
import { test as base } from '@playwright/test';
import { Gatehouse } from './gatehouse';

export { expect } from '@playwright/test';

export const test = base.extend<{ gatehouse: Gatehouse }>({
  // Playwright wants the braces.
  // eslint-disable-next-line no-empty-pattern
  gatehouse: async ({}, use, info) => {
    const gatehouse = new Gatehouse();
    await gatehouse.start();
    await use(gatehouse);
    try {
      await gatehouse.stop();
    } finally {
      if (info.status !== info.expectedStatus) await info.attach('log', { body: gatehouse.log });
      gatehouse.remove();
    }
  },
  page: async ({ page, gatehouse }, use) => {
    await page.goto(gatehouse.url);
    await use(page);
  },
});
