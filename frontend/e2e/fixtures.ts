// This file gives every test a running Gatehouse, its page, and a user in front of it.
import { test as base } from '@playwright/test';
import { Gatehouse, type ModelStep } from './gatehouse';
import { Server, type Scenario } from './server';
import { User } from './user';

export { expect } from '@playwright/test';

interface Fixtures {
  /** The model's script; undefined = the user plays the model. */
  model: { steps: ModelStep[] } | undefined;
  gatehouse: Gatehouse;
  user: User;
  /** Whether the user has left the welcome of the first start. */
  entered: boolean;
  server: (name: string, scenario: Scenario) => Server;
}

export const test = base.extend<Fixtures>({
  model: [undefined, { option: true }],
  gatehouse: async ({ model }, use, info) => {
    const gatehouse = new Gatehouse({ model });
    try {
      await gatehouse.start();
      await use(gatehouse);
      await gatehouse.stop();
    } finally {
      if (info.status !== info.expectedStatus) await info.attach('log', { body: gatehouse.log });
      gatehouse.remove();
    }
  },
  entered: [true, { option: true }],
  page: async ({ page, gatehouse, entered }, use) => {
    await page.goto(gatehouse.url);
    if (entered) await new User(page).enter();
    await use(page);
  },
  user: async ({ page }, use) => {
    await use(new User(page));
  },
  server: async ({ gatehouse }, use) => {
    await use((name, scenario) => new Server(gatehouse.dir, name, scenario));
  },
});
