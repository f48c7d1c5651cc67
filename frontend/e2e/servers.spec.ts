import { expect, test } from './fixtures';
import { echo } from './server';

test('nothing starts before consent, and a refusal is kept', async ({ user, server, gatehouse }) => {
  const files = server('Files', { tools: [echo] });
  await user.addServer(files);
  await expect(user.gate).toContainText('Let Files run programs on this computer?');
  await expect(user.gate).toContainText(files.command);
  await expect(user.gate).toContainText(files.args[0] ?? '');
  expect(files.started).toBe(false);

  await user.deny(user.words.consent.dontStart);
  await user.seesState('stopped');
  expect(files.started).toBe(false);
  expect(gatehouse.children().map(({ name }) => name)).not.toContain('scripted');

  const rows = await user.history();
  await expect(rows).toHaveCount(1);
  await expect(rows.first()).toContainText('Denied');
});

test('a launch consent stands for exactly this launch', async ({ user, server, page }) => {
  const files = server('Files', { tools: [echo] });
  await user.startServer(files);
  expect(files.started).toBe(true);

  await user.button(user.words.servers.stop).click();
  await user.seesState('stopped');
  await user.button(user.words.servers.start).click();
  await user.seesState('ready');
  await expect(user.gate).toBeHidden();

  await page.getByRole('button', { name: user.words.servers.more }).click();
  await page.getByRole('menuitem', { name: user.words.servers.edit }).click();
  await page
    .getByLabel(user.words.servers.form.args)
    .first()
    .fill(`${files.args[0] ?? ''}\n`);
  await page.getByLabel(user.words.servers.form.dir).fill('/tmp');
  await user.button(user.words.servers.form.submitEdit).click();
  await expect(user.gate).toContainText(user.words.consent.beforeTitle);
  await user.deny(user.words.consent.dontStart);

  const rows = await user.history();
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(0)).toContainText('Denied');
  await expect(rows.nth(1)).toContainText(user.words.result.by.standing);
  await expect(rows.nth(2)).toContainText(user.words.result.by.user);
});

test('a server that ends tells why', async ({ user, server, page }) => {
  const broken = server('Broken', {
    start: [
      { do: 'stderr', n: 1, text: 'no such database' },
      { do: 'exit', n: 3 },
    ],
  });
  await user.addServer(broken);
  await user.allow(user.words.consent.approveAndStart);
  await user.seesState('crashed');
  await expect(page.getByText(user.words.servers.crash.exit(3))).toBeVisible();
  await expect(page.getByText('no such database')).toBeVisible();
});

test('a program that is not there is said to be not there', async ({ user, page }) => {
  await user.goTo('servers');
  await user.button(user.words.servers.add).first().click();
  await page.getByLabel(user.words.servers.form.name).first().fill('Nowhere');
  await page.getByLabel(user.words.servers.form.command).first().fill('gatehouse-no-such-program');
  await user.button(user.words.servers.form.submitAdd).click();
  await expect(page.getByText(user.words.servers.crash.notFound('gatehouse-no-such-program'))).toBeVisible();
  await expect(user.gate).toBeHidden();
});

test('a removal is undone exactly, and otherwise it is for good', async ({ user, server, page }) => {
  const { servers, common } = user.words;
  const files = server('Files', { tools: [echo] });
  const remove = async () => {
    await page.getByRole('button', { name: servers.more }).click();
    await page.getByRole('menuitem', { name: servers.removeAsk }).click();
    await user.button(servers.removing.confirm).click();
    await expect(page.getByText(servers.removed('Files'))).toBeVisible();
    await expect(page.getByRole('option')).toHaveCount(0);
  };
  await user.startServer(files);
  await remove();
  await page.keyboard.press('Control+z');
  await user.seesState('ready'); // it ran, and its launch is still approved
  await expect(user.gate).toBeHidden();

  await remove();
  await user.button(common.dismiss).click();
  await page.keyboard.press('Control+z');
  await expect(page.getByRole('option')).toHaveCount(0);
  const rows = await user.history();
  await expect(rows).toHaveCount(2);
});

test('what is set for all servers acts on the next call and stays', async ({ user, server, page }) => {
  const { settings, common } = user.words;
  await user.goTo('settings');
  await user
    .button(settings.sections.servers, page.getByRole('navigation', { name: common.pages.settings, exact: true }))
    .click();
  const once = page.getByRole('spinbutton', { name: settings.servers.numbers.inFlight.title });
  await once.fill('65');
  await once.blur();
  await expect(page.getByRole('alert')).toHaveText(settings.range(1, 64));
  await once.fill('3');
  await once.blur();
  const restart = page.getByRole('switch', { name: settings.servers.switches.restart.title });
  await restart.click();
  await expect(restart).not.toBeChecked();
  await page.reload();
  await user.goTo('settings');
  await user
    .button(settings.sections.servers, page.getByRole('navigation', { name: common.pages.settings, exact: true }))
    .click();
  await expect(once).toHaveValue('3');

  const broken = server('Broken', { start: [{ do: 'exit', n: 3 }] });
  await user.addServer(broken);
  await user.allow(user.words.consent.approveAndStart);
  await user.seesState('crashed');
  await expect(page.getByRole('option', { selected: true })).toContainText(user.words.servers.crashedTimes(1));
});
