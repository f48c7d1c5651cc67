import { expect, test } from './fixtures';

test('a call of the demo server runs as a task, is followed, cancelled, and found in the history', async ({
  user,
  page,
}) => {
  const { servers, consent, tasks, tools, result } = user.words;
  await user.goTo('servers');
  await user.button(servers.tryDemo).click();
  await user.allow(consent.approveAndStart);
  await user.seesState('ready');

  const panel = await user.openTool('count_slowly');
  await panel.getByRole('switch', { name: tools.run.asTask }).click();
  await user.run(panel);
  await expect(panel.getByText(result.states.task)).toBeVisible();

  await user.goTo('tasks');
  const open = user.button(tasks.openOf('count_slowly', 'Demo'));
  await open.click();
  const pane = page.getByRole('complementary', { name: tasks.pane('count_slowly') });
  await expect(pane).toContainText(tasks.forms.core('2025-11-25'));
  await expect(pane).toContainText('demo-1');
  await expect(page.getByRole('progressbar', { name: result.progressLabel('count_slowly') })).toBeVisible();
  await user.button(tasks.cancelTask, pane).click();
  await expect(pane).toContainText(result.states.stopped);
  await user.button(tasks.openCall, pane).click();
  await expect(page.getByRole('complementary')).toContainText(result.states.stopped);
});
