import { expect, test } from './fixtures';
import { echo, removeFiles } from './server';

test('pressing Run is the decision, for exactly the bytes shown', async ({ user, server }) => {
  const files = server('Files', { tools: [echo] });
  await user.startServer(files);
  const panel = await user.openTool('echo');
  await panel.getByRole('textbox', { name: /Message/ }).fill('héllo "wörld"');
  const line = '{"message":"héllo \\"wörld\\""}';
  await expect(panel.getByRole('group', { name: user.words.tools.run.sentExactly })).toContainText(line);
  await user.run(panel);
  await expect(panel.getByText(user.words.result.title, { exact: true })).toBeVisible();
  await expect(user.gate).toBeHidden();

  const calls = files.received('tools/call');
  expect(calls).toHaveLength(1);
  expect(calls[0]).toContain(`"arguments":${line}`);
  const rows = await user.history();
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText(user.words.result.by.composed);
});

test('high risk brings the full gate', async ({ user, server }) => {
  const files = server('Files', { tools: [removeFiles] });
  await user.startServer(files);
  const panel = await user.openTool('remove_files');
  await panel.getByRole('textbox', { name: /path/ }).fill('/tmp/x');
  await expect(panel.getByText(user.words.tools.run.gates['high-risk'])).toBeVisible();
  await user.run(panel);
  await expect(user.gate).toContainText('Files wants to run remove_files');
  expect(files.received('tools/call')).toHaveLength(0);
  await user.deny();
  await expect(panel.getByText(user.words.result.states.denied).first()).toBeVisible();
  expect(files.received('tools/call')).toHaveLength(0);

  await user.run(panel);
  await user.allow();
  await expect(panel.getByText(user.words.result.title, { exact: true })).toBeVisible();
  expect(files.received('tools/call')).toHaveLength(1);
});

test('hidden characters bring the full gate and are visible in it', async ({ user, server }) => {
  const files = server('Files', { tools: [echo] });
  await user.startServer(files);
  const panel = await user.openTool('echo');
  await panel.getByRole('textbox', { name: /Message/ }).fill('left\u202Eright');
  await user.run(panel);
  await expect(user.gate).toContainText('U+202E');
  await expect(user.gate).toContainText(user.words.consent.hiddenCount(1));
  await user.deny();
  await expect(user.gate).toBeHidden();
  expect(files.received('tools/call')).toHaveLength(0);
});

test('arguments that do not fit the schema cannot be run', async ({ user, server, page }) => {
  const files = server('Files', { tools: [echo] });
  await user.startServer(files);
  const panel = await user.openTool('echo');
  await panel.getByRole('tab', { name: user.words.tools.run.tabs.json }).click();
  await panel.getByRole('textbox', { name: user.words.form.arguments }).fill('{"message":1}');
  await expect(panel.getByText(user.words.tools.run.problems(1))).toBeVisible();
  await expect(panel.getByRole('button', { name: user.words.tools.run.run })).toHaveAttribute('aria-disabled', 'true');
  await page.keyboard.press('Control+Enter');
  await expect(user.gate).toBeHidden();
  expect(files.received('tools/call')).toHaveLength(0);
});

test('progress is shown, and Stop tells the server', async ({ user, server }) => {
  const slow = {
    ...echo,
    do: [
      { do: 'progress', n: 3, text: 'third page' },
      { do: 'await', name: 'notifications/cancelled' },
    ],
  };
  const files = server('Files', { tools: [slow] });
  await user.startServer(files);
  const panel = await user.openTool('echo');
  await panel.getByRole('textbox', { name: /Message/ }).fill('x');
  await user.run(panel);
  await expect(panel.getByText('third page')).toBeVisible();
  await user.button(user.words.result.stop, panel).click();
  await expect(panel.getByText(user.words.result.states.stopped, { exact: true })).toBeVisible();
  expect(files.received('notifications/cancelled')).toHaveLength(1);
});

test('every kind of content is shown, and none is active', async ({ user, server, page }) => {
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const content = [
    { type: 'text', text: '<img src=x onerror="window.__pwned=1"><iframe src="http://127.0.0.1:9/"></iframe>' },
    { type: 'image', data: pixel, mimeType: 'image/png' },
    { type: 'resource_link', uri: 'javascript:window.__pwned=1', name: 'a link' },
    { type: 'resource', resource: { uri: 'file:///x', text: 'embedded text' } },
    { type: 'hologram', text: 'of a later revision' },
  ];
  const result = JSON.stringify({ content, structuredContent: { rows: [{ city: 'Chicago', degrees: 36 }] } });
  const files = server('Files', { tools: [{ ...echo, do: [{ do: 'result', text: result }] }] });
  await user.startServer(files);
  const panel = await user.openTool('echo');
  await panel.getByRole('textbox', { name: /Message/ }).fill('x');
  await user.run(panel);
  await expect(panel.getByText(user.words.result.title, { exact: true })).toBeVisible();
  await panel.getByRole('radio', { name: user.words.result.views.text }).click();
  await expect(panel.getByText('<iframe src=')).toBeVisible();
  await expect(panel.getByRole('img', { name: /Files/ })).toBeVisible();
  await expect(panel.getByText('embedded text')).toBeVisible();
  await expect(panel.getByText(user.words.result.linkInert)).toBeVisible();
  await expect(panel.getByText(user.words.result.blocks.unknown)).toBeVisible();
  expect(await page.locator('iframe, object, embed, a[href], base, meta[http-equiv=refresh]').count()).toBe(0);
  expect(await page.evaluate(() => '__pwned' in window)).toBe(false);
});
