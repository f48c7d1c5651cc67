import { expect, test } from './fixtures';
import type { ModelStep } from './gatehouse';
import { until } from './processes';
import { echo } from './server';
import type { Bindings } from './user';

const asksOnce: ModelStep[] = [
  { uses: [{ id: 'use', name: 'Files__echo', arguments: ['{"message":"hello"}'] }] },
  { text: ['That is all.'] },
];

test.describe('the gate', () => {
  test.use({ model: { steps: asksOnce } });

  test('it waits while the user types, and keys pressed when it appears do nothing', async ({ user, server, page }) => {
    const files = server('Files', { tools: [echo] });
    await user.startServer(files);
    await user.say('Say something');
    await expect(user.button(user.words.chat.card.review)).toBeVisible();
    await page.keyboard.type('still typing');
    await expect(user.gate).toBeHidden();
    await user.review();
    for (const key of ['Enter', 'Space', 'd', 'Escape', 'Control+Enter']) await page.keyboard.press(key);
    await expect(user.gate).toBeVisible();
    await expect(user.gate.getByRole('button', { name: user.words.consent.deny }).first()).toBeFocused();
    expect(files.received('tools/call')).toHaveLength(0);
  });

  test('Escape and a click outside never close it; the window says that it asks', async ({ user, server, page }) => {
    const files = server('Files', { tools: [echo] });
    await user.startServer(files);
    await user.say('Say something');
    await user.review();
    const allow = user.button(user.words.consent.allowOnce, user.gate);
    await expect(allow).not.toHaveAttribute('aria-disabled', 'true');
    await page.keyboard.press('Escape');
    await page.mouse.click(20, 400);
    await expect(user.gate).toBeVisible();
    await expect(user.gate).toContainText(user.words.consent.windowAsks);
    await user.deny();
    await expect(user.gate).toBeHidden();
  });

  test('the page cannot allow before Go has armed it', async ({ user, server, page }) => {
    const files = server('Files', { tools: [echo] });
    await user.startServer(files);
    await user.say('Say something');
    await user.review();
    const refused = await page.evaluate(async () => {
      const consent = (window as unknown as Bindings).go.app.Consent;
      const item = (await consent.Pending())[0];
      if (!item) return 'nothing is pending';
      await consent.Hidden(item.id);
      await consent.Shown(item.id);
      return consent.Resolve(item.id, item.digest, { allow: true, reason: '', stop: false }).then(
        () => 'it was allowed',
        (error: unknown) => String(error),
      );
    });
    expect(refused).toContain('not-armed');
    expect(files.received('tools/call')).toHaveLength(0);
  });

  test('closing the window refuses what is open', async ({ user, server, gatehouse, page }) => {
    const files = server('Files', { tools: [echo] });
    await user.startServer(files);
    await user.say('Say something');
    await user.review();
    await gatehouse.stop();
    expect(files.received('tools/call')).toHaveLength(0);

    await gatehouse.start();
    await page.goto(gatehouse.url);
    const rows = await user.history();
    await expect(rows.filter({ hasText: user.words.history.kinds.toolCall })).toContainText('Denied');
    expect(files.received('tools/call')).toHaveLength(0);
  });
});

test('SIGKILL leaves no process, and the unfinished call reads as interrupted', async ({
  user,
  server,
  gatehouse,
  page,
}) => {
  const files = server('Files', {
    tools: [{ ...echo, do: [{ do: 'silence' }] }],
    start: [{ do: 'grandchild' }],
    stubborn: true,
  });
  await user.startServer(files);
  const panel = await user.openTool('echo');
  await panel.getByRole('textbox', { name: /Message/ }).fill('x');
  await user.run(panel);
  await until('the call is under way', () => files.received('tools/call').length === 1);
  expect(gatehouse.children().filter(({ name }) => name === 'scripted')).toHaveLength(2);
  await gatehouse.kill();

  await gatehouse.start();
  await page.goto(gatehouse.url);
  const rows = await user.history();
  await expect(rows.filter({ hasText: user.words.history.kinds.toolCall })).toContainText('interrupted');
});
