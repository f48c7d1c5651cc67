// This file is what a person does in the window, in the words of the catalogue of their language.
import { expect, type Locator, type Page } from '@playwright/test';
import { en } from '../src/i18n/en';
import type { Translated } from '../src/i18n/message';
import type { Server } from './server';

/** The words of the page in one language. */
export type Catalogue = Translated<typeof en>;

/** What the tests use of the bindings that Wails puts on the window. */
export interface Bindings {
  go: {
    app: {
      Consent: {
        Pending(): Promise<{ id: string; digest: string }[]>;
        Hidden(id: string): Promise<void>;
        Shown(id: string): Promise<void>;
        Resolve(id: string, digest: string, answer: object): Promise<void>;
      };
    };
  };
}

/** What a local server is started with. */
type Launched = Pick<Server, 'name' | 'command' | 'args'>;

export class User {
  constructor(
    readonly page: Page,
    readonly words: Catalogue = en,
  ) {}

  /** The gate that is open. */
  get gate(): Locator {
    return this.page.getByRole('alertdialog');
  }

  button(name: string, within: Locator | Page = this.page): Locator {
    return within.getByRole('button', { name, exact: true });
  }

  /** Leaves the welcome of a first start, if there is one. */
  async enter(): Promise<void> {
    const { welcome, common } = this.words;
    const look = this.button(welcome.look);
    const rail = this.page.getByRole('navigation', { name: common.navigation });
    await expect(look.or(rail)).toBeVisible();
    if (await look.isVisible()) await look.click();
    await expect(rail).toBeVisible();
  }

  async goTo(page: keyof Catalogue['common']['pages']): Promise<void> {
    const { navigation, pages } = this.words.common;
    await this.page.getByRole('navigation', { name: navigation }).getByTitle(pages[page], { exact: true }).click();
  }

  /** Fills in the form for a server and leaves it to the launch gate. */
  async addServer(server: Launched, args = server.args): Promise<void> {
    const { servers } = this.words;
    await this.goTo('servers');
    await this.button(servers.add).first().click();
    await this.page.getByLabel(servers.form.name).first().fill(server.name);
    await this.page.getByLabel(servers.form.command).first().fill(server.command);
    await this.page.getByLabel(servers.form.args).first().fill(args.join('\n'));
    await this.button(servers.form.submitAdd).click();
  }

  /** Adds a server and lets it start. */
  async startServer(server: Launched): Promise<void> {
    await this.addServer(server);
    await this.allow(this.words.consent.approveAndStart);
    await this.seesState('ready');
  }

  async seesState(state: keyof Catalogue['servers']['states']): Promise<void> {
    await expect(this.page.getByRole('option', { selected: true })).toContainText(this.words.servers.states[state]);
  }

  /** Waits until the gate has been in view for as long as presses are ignored. */
  async armed(): Promise<void> {
    await expect(this.gate).toBeVisible();
    await expect(this.gate.getByTitle(this.words.consent.off.arming)).toHaveCount(0);
  }

  /** Reads the gate to its end, waits until it is armed, and allows. */
  async allow(label = this.words.consent.allowOnce): Promise<void> {
    await this.readToEnd();
    await this.button(label, this.gate).click();
    await expect(this.gate).toBeHidden();
  }

  /** Waits until the gate is armed, and reads it to its end. */
  async readToEnd(): Promise<void> {
    await this.armed();
    await this.gate.getByRole('group', { name: /./ }).first().press('End');
  }

  /** Presses a button of the gate, whose presses do nothing until it has been in view for long enough, to its effect. */
  async press(label: string, effect: () => Promise<boolean>): Promise<void> {
    await expect(async () => {
      if (!(await effect())) await this.button(label, this.gate).click({ timeout: 1000 });
      expect(await effect()).toBe(true);
    }).toPass();
  }

  /** Answers what the gate shows with one of its buttons; the next one that waits may open in its place. */
  async answer(label: string): Promise<void> {
    await expect(this.gate).toBeVisible();
    const before = (await this.pending()).join();
    await this.press(label, async () => (await this.pending()).join() !== before);
  }

  /** Allows if the gate opens for the call that was just run. */
  async allowIfAsked(): Promise<void> {
    const waits = this.page.getByText(this.words.result.states.asking);
    await expect(this.gate.or(this.page.getByRole('region', { name: this.words.result.title })).first()).toBeVisible();
    if ((await this.gate.isVisible()) || (await waits.isVisible())) await this.allow();
  }

  /** Denies the call or launch that the gate shows. */
  async deny(label = this.words.consent.deny, reason = ''): Promise<void> {
    if (reason !== '') await this.gate.getByRole('textbox').fill(reason);
    await this.answer(label);
  }

  /** What waits for a decision, as Go has it. */
  private pending(): Promise<string[]> {
    return this.page.evaluate(async () => {
      const { Consent } = (window as unknown as Bindings).go.app;
      return (await Consent.Pending()).map(({ id }) => id);
    });
  }

  /** Opens a tool on the Tools page. */
  async openTool(name: string): Promise<Locator> {
    const { tools } = this.words;
    await this.goTo('tools');
    await this.page.getByRole('listbox', { name: tools.list }).getByText(name, { exact: true }).click();
    return this.page.getByRole('complementary', { name: tools.run.panel(name) });
  }

  async run(panel: Locator): Promise<void> {
    const run = panel.getByRole('button', { name: this.words.tools.run.run });
    await expect(run).not.toHaveAttribute('aria-disabled', 'true');
    await run.click();
  }

  async say(text: string): Promise<void> {
    await this.goTo('chat');
    await this.page.getByRole('textbox', { name: this.words.chat.composer }).fill(text);
    await this.page.keyboard.press('Enter');
  }

  /** Opens the gate for the call that waits: it never opens by itself while the user is in a field. */
  async review(): Promise<void> {
    await this.button(this.words.chat.card.review).click();
    await expect(this.gate).toBeVisible();
  }

  /** The rows of the history, newest first. */
  async history(): Promise<Locator> {
    await this.goTo('history');
    return this.page.getByRole('listbox', { name: this.words.history.list }).getByRole('option');
  }
}
