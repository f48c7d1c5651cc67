import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { expect, test } from './fixtures';
import type { User } from './user';

const everything = {
  name: 'Everything',
  command: process.execPath,
  args: [
    join(import.meta.dirname, '../../test/servers/node_modules/@modelcontextprotocol/server-everything/dist/index.js'),
    'stdio',
  ],
};

/** Runs a tool with arguments given as JSON. */
async function call(user: User, tool: string, args?: object): Promise<Locator> {
  const panel = await user.openTool(tool);
  if (args) {
    await panel.getByRole('tab', { name: user.words.tools.run.tabs.json }).click();
    await panel.getByRole('textbox', { name: user.words.form.arguments }).fill(JSON.stringify(args));
  }
  await user.run(panel);
  return panel;
}

/** Allows a call with an address among its arguments; what the server then asks may open in the gate's place. */
async function allows(user: User): Promise<void> {
  await user.readToEnd();
  await user.answer(user.words.consent.allowOnce);
}

/** Goes on from a question for a model to the answer, and writes it. */
async function writes(user: User, text: string): Promise<void> {
  const { sample } = user.words.asks;
  const answer = user.gate.getByRole('textbox', { name: sample.text });
  await user.press(sample.write, () => answer.isVisible());
  await answer.fill(text);
}

test('a real server’s form is sent as filled in, declined, and cancelled', async ({ user }) => {
  const { question } = user.words.consent;
  await user.startServer(everything);
  const panel = await call(user, 'trigger-elicitation-request');
  await expect(user.gate).toContainText('Please provide inputs for the following fields:');
  await expect(user.button(question.submit, user.gate)).toHaveAttribute('aria-disabled', 'true'); // a name is required
  await user.gate.getByRole('textbox', { name: /^String name/ }).fill('Ada Lovelace');
  await user.answer(question.submit);
  await expect(panel).toContainText('- Name: Ada Lovelace');
  await expect(panel).toContainText('- Favorite Integer: 42');

  await user.run(panel);
  await user.answer(question.decline);
  await expect(panel).toContainText('User declined to provide');

  await user.run(panel);
  await user.answer(question.cancel);
  await expect(panel).toContainText('User cancelled the elicitation dialog');
});

test('a real server’s question for a model is answered by hand, and rejected', async ({ user }) => {
  const { sample } = user.words.asks;
  await user.startServer(everything);
  const panel = await call(user, 'trigger-sampling-request', { prompt: 'What is the capital of France?' });
  await expect(user.gate).toContainText('What is the capital of France?');
  await writes(user, 'Paris, says a human.');
  await user.answer(sample.send);
  await expect(panel).toContainText('Paris, says a human.');

  await user.run(panel);
  await user.answer(sample.reject);
  await expect(panel).toContainText('rejected');
});

test('a real server’s address is opened in the browser, and is a reason to call again', async ({ user, gatehouse }) => {
  const { url, visit } = user.words.asks;
  const { question } = user.words.consent;
  await user.startServer(everything);
  const address = 'https://example.com/a?b=c%20d';
  const panel = await call(user, 'trigger-url-elicitation', { url: address });
  await allows(user);
  await expect(user.gate).toContainText(address);
  expect(gatehouse.opened()).toEqual([]);
  await user.answer(url.open);
  await expect(panel).toContainText('User completed the URL elicitation flow');
  expect(gatehouse.opened()).toEqual([address]);
  await user.answer(visit.finished);

  await user.run(panel);
  await allows(user);
  await user.answer(question.decline);
  await expect(panel).toContainText('User declined to open the URL');
  expect(gatehouse.opened()).toEqual([address]);

  await call(user, 'trigger-url-elicitation', { url: address, errorPath: true });
  await allows(user);
  await expect(user.gate).toContainText('https://modelcontextprotocol.io');
  await user.answer(url.open);
  await user.answer(visit.finished); // only now the call is made again
  await expect(user.gate).toContainText(address);
  await user.answer(url.open);
  await user.answer(visit.finished);
  await expect(panel).toContainText('User completed the URL elicitation flow');
  expect(gatehouse.opened()).toEqual([address, 'https://modelcontextprotocol.io', address]);
});

test('a real server’s tasks ask while they run, and ask as tasks of their own', async ({ user }) => {
  const { asks, consent } = user.words;
  await user.startServer(everything);
  const research = await call(user, 'simulate-research-query', { topic: 'python', ambiguous: true });
  await expect(user.gate).toContainText(consent.question.via.task);
  await user.gate.getByRole('combobox').selectOption('Python snake species');
  await user.answer(consent.question.submit);
  await expect(research).toContainText('Research');

  const panel = await call(user, 'trigger-sampling-request-async', { prompt: 'Say something' });
  await writes(user, 'Something.');
  await user.answer(asks.sample.send);
  await expect(panel).toContainText('[COMPLETED]');
  await expect(panel).toContainText('Something.');
});
