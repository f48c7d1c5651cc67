import { expect, test } from './fixtures';

test('what crosses the connection is listed, each message leads to its answer, and all of it can go', async ({
  user,
  page,
}) => {
  const { servers, consent, trace, common } = user.words;
  await user.goTo('servers');
  await user.button(servers.tryDemo).click();
  await user.allow(consent.approveAndStart);
  await user.seesState('ready');

  await user.goTo('trace');
  const list = page.getByRole('listbox', { name: trace.list });
  await expect(list.getByText(/tools\/list/).first()).toBeVisible();
  await expect(page.locator('.totals')).not.toContainText(trace.totals.messages(0));

  await list
    .getByText(/^result$/)
    .first()
    .click();
  const entry = page.getByRole('complementary', { name: trace.detail });
  await expect(entry.getByRole('tabpanel')).toContainText('"jsonrpc"');
  await entry.getByTitle(trace.toRequest).click();
  await expect(entry.getByRole('tabpanel')).toContainText('"method"');
  await user.button(trace.toReply, entry).click();
  await entry.getByRole('tab', { name: trace.tabs.timing }).click();
  await expect(entry.getByRole('listitem')).toHaveCount(2);
  await user.button(common.close, entry).click();

  await user.button(trace.pause).click();
  await user.button(trace.resume).click();
  await user.button(trace.clear).click();
  await user.button(trace.clear, page.getByRole('dialog')).click();
  await expect(page.getByText(trace.empty)).toBeVisible();
});
