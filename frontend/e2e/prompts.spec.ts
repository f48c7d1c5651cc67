import { expect, test } from './fixtures';

test('a prompt of the demo server is completed with leave, shown whole, used and sent as yourself', async ({
  user,
  page,
}) => {
  const { servers, consent, prompts, form, history, chat } = user.words;
  await user.goTo('servers');
  await user.button(servers.tryDemo).click();
  await user.allow(consent.approveAndStart);
  await user.seesState('ready');

  await user.goTo('prompts');
  await page.getByRole('listbox', { name: prompts.list }).getByText('/summarise_note').click();
  const pane = page.getByRole('region', { name: prompts.details('Summarise a note') });
  const field = pane.getByRole('combobox', { name: /Note/ });
  await expect(user.button(prompts.preview, pane)).toHaveAttribute('aria-disabled', 'true');
  await field.pressSequentially('we');
  await user.button(form.completion.allow, pane).click();
  const proposed = pane.getByRole('listbox', { name: form.completion.values('Demo') });
  await expect(proposed.getByRole('option')).toHaveText(['welcome']);
  await field.press('ArrowDown');
  await field.press('Enter');
  await expect(field).toHaveValue('welcome');
  await user.button(prompts.preview, pane).click();
  await expect(pane.getByRole('blockquote', { name: prompts.filledBy('Demo') })).toContainText('# Welcome');
  await user.button(prompts.use, pane).click();

  const composer = page.getByRole('textbox', { name: chat.composer });
  await expect(page.getByRole('list', { name: prompts.attach.list })).toContainText('summarise_note');
  await expect(page.getByRole('article')).toHaveCount(0);
  await composer.fill('/plan');
  await expect(page.getByRole('listbox', { name: prompts.menu.commands })).toContainText('/plan_a_day');
  await composer.press('Escape');
  await composer.fill('look at @welcome');
  await expect(page.getByRole('listbox', { name: prompts.menu.resources })).toContainText('Note: welcome');
  await composer.press('Enter');
  await expect(page.getByRole('list', { name: prompts.attach.list }).getByRole('listitem')).toHaveCount(2);
  await composer.press('Enter');
  await expect(page.getByRole('article').getByRole('listitem')).toHaveCount(2);

  const rows = await user.history();
  await expect(rows.nth(0)).toContainText(history.kinds.resourceRead);
  await expect(rows.nth(1)).toContainText(history.kinds.promptGet);
  await expect(rows).toHaveCount(3);
});
