import { expect, test } from './fixtures';
import type { ModelStep } from './gatehouse';
import { echo } from './server';

/** The model calls echo in pieces, and afterwards repeats what it was told. */
function asks(...messages: string[]): ModelStep[] {
  return [
    ...messages.map((message, i) => ({
      uses: [{ id: `use-${String(i)}`, name: 'Files__echo', arguments: ['{"mess', `age":"${message}"}`] }],
    })),
    { text: ['That ', 'is all.'] },
  ];
}

test.describe('a model asks for a tool', () => {
  test.use({ model: { steps: asks('from the model') } });

  test('allow: exactly what was shown goes out, and the answer comes back', async ({ user, server, page }) => {
    const files = server('Files', { tools: [echo] });
    await user.startServer(files);
    await user.say('Say something');
    await user.review();
    await expect(user.gate).toContainText('Files wants to run echo');
    await expect(user.gate).toContainText('from the model');
    expect(files.received('tools/call')).toHaveLength(0);
    await user.allow();
    await expect(page.getByText('That is all.')).toBeVisible();
    const calls = files.received('tools/call');
    expect(calls).toHaveLength(1);
    expect(calls[0]).toContain('"arguments":{"message":"from the model"}');
    const rows = await user.history();
    await expect(rows).toHaveCount(2);
    await expect(rows.first()).toContainText(user.words.result.by.user);
  });

  test('deny with a reason: nothing goes out, and the turn goes on', async ({ user, server, page }) => {
    const files = server('Files', { tools: [echo] });
    await user.startServer(files);
    await user.say('Say something');
    await user.review();
    await user.deny(user.words.consent.deny, 'not today');
    await expect(page.getByText('That is all.')).toBeVisible();
    expect(files.received('tools/call')).toHaveLength(0);
    const rows = await user.history();
    await rows.first().click();
    await expect(page.getByText('not today')).toBeVisible();
  });

  test('deny and stop: the turn ends', async ({ user, server, page }) => {
    const files = server('Files', { tools: [echo] });
    await user.startServer(files);
    await user.say('Say something');
    await user.review();
    await user.deny(user.words.consent.denyAndStop);
    await expect(page.getByPlaceholder(user.words.chat.placeholder, { exact: true })).toBeVisible();
    await expect(page.getByText('That is all.')).toBeHidden();
    expect(files.received('tools/call')).toHaveLength(0);
  });

  test('edit: the edited bytes go out, and the history keeps both', async ({ user, server, page }) => {
    const files = server('Files', { tools: [echo] });
    await user.startServer(files);
    await user.say('Say something');
    await user.review();
    await user.armed();
    await user.gate.getByRole('button', { name: user.words.consent.edit }).first().click();
    await user.gate.getByLabel(user.words.consent.editTitle).fill('{ "message": "from the user" }');
    await user.button(user.words.consent.editUse, user.gate).click();
    await expect(user.gate).toContainText(user.words.consent.editedByYou);
    await user.allow();
    await expect(page.getByText('That is all.')).toBeVisible();
    expect(files.received('tools/call')[0]).toContain('"arguments":{"message":"from the user"}');
    const rows = await user.history();
    await expect(rows.first()).toContainText(user.words.history.edited);
    await rows.first().click();
    await expect(page.getByText(user.words.history.beforeEdit)).toBeVisible();
    await expect(page.getByText('from the model')).toBeVisible();
  });
});

test.describe('a model asks again', () => {
  test.use({ model: { steps: asks('once', 'once') } });

  test('the gate says that the same call was refused before', async ({ user, server }) => {
    const files = server('Files', { tools: [echo] });
    await user.startServer(files);
    await user.say('Say something');
    await user.review();
    await user.deny();
    await expect(user.gate).toContainText(user.words.consent.refusedBefore);
    await user.deny();
    await expect(user.gate).toBeHidden();
    expect(files.received('tools/call')).toHaveLength(0);
  });
});

test('the user plays the model', async ({ user, server, page }) => {
  const files = server('Files', { tools: [echo] });
  await user.startServer(files);
  await user.say('Say something');
  await user.button(user.words.chat.manualPanel.pick).click();
  await page.getByRole('option', { name: /echo/ }).click();
  const panel = page.getByRole('region', { name: user.words.chat.manualPanel.call });
  await panel.getByRole('textbox', { name: /Message/ }).fill('by hand');
  await user.run(panel);
  await expect(page.getByText(user.words.chat.card.ranByYou)).toBeVisible();
  expect(files.received('tools/call')[0]).toContain('"arguments":{"message":"by hand"}');
  await page.getByRole('textbox', { name: user.words.chat.actsAsModel }).fill('Done.');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('log').getByText('Done.')).toBeVisible();
});
