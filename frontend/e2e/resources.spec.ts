import { expect, test } from './fixtures';

test('the demo server’s notes are listed, read and reached by a template, each with its row', async ({
  user,
  page,
}) => {
  const { servers, consent, resources, history, common } = user.words;
  await user.goTo('servers');
  await user.button(servers.tryDemo).click();
  await user.allow(consent.approveAndStart);
  await user.seesState('ready');

  await user.goTo('resources');
  const list = page.getByRole('listbox', { name: resources.list });
  await list.getByText('Note: welcome', { exact: true }).click();
  const pane = page.getByRole('region', { name: resources.details('Note: welcome') });
  await pane.getByRole('button', { name: /^Read / }).click();
  await expect(pane.getByRole('blockquote', { name: resources.content('Demo') })).not.toBeEmpty();

  await list.getByText('{motif}').click();
  const template = page.getByRole('region', { name: resources.details('A picture') });
  await template.getByLabel('motif').fill('no such motif');
  await user.button(resources.open, template).click();
  await expect(template.getByRole('alert')).toContainText(user.words.errors.codes['server-error']);
  await user.button(common.close, template).click();

  const rows = await user.history();
  await expect(rows.nth(0)).toContainText(history.kinds.resourceRead);
  await expect(rows.nth(0)).toContainText('no%20such%20motif');
  await expect(rows.nth(1)).toContainText(history.kinds.resourceRead);
});
