// Theme, text size, language and what the Go side says about itself.

import type { AppState, Backend, Language, LogLevel, Seal, Theme } from '@/backend/backend';
import { localeFor, setLocale } from '@/i18n/index.svelte';
import type { Hub } from './hub';
import { Resource } from './resource.svelte';
import { scale, textSizes } from './view';

export class Settings {
  readonly app: Resource<AppState>;

  readonly #backend: Backend;
  readonly #dark = window.matchMedia('(prefers-color-scheme: dark)');

  /** The theme that Go knows of. */
  #painted = '';
  /** In percent: what was asked for last, or else what the page has. */
  #textSize = 100;

  constructor(backend: Backend, hub: Hub) {
    this.#backend = backend;
    this.app = new Resource(async () => {
      const app = await backend.state();
      this.#apply(app);
      return app;
    });
    this.app.follow(hub, ['app']);
    // Go has written the theme of the last window into the document, unless this is the first.
    const first = document.documentElement.dataset['theme'];
    this.#show(first === 'light' || first === 'dark' ? first === 'dark' : this.#dark.matches, navigator.language);
    this.#dark.addEventListener('change', () => this.app.value && this.#apply(this.app.value));
  }

  async setTheme(theme: Theme): Promise<void> {
    await this.#backend.setTheme(theme);
    await this.app.refresh();
  }

  async setTextSize(percent: number): Promise<void> {
    this.#textSize = percent; // the next step may come before Go's answer
    try {
      await this.#backend.setTextSize(percent);
    } finally {
      await this.app.refresh();
    }
  }

  /** One step larger or smaller; 0 = as it comes. */
  async stepTextSize(step: -1 | 0 | 1): Promise<void> {
    const now = textSizes.indexOf(this.#textSize);
    const next = step === 0 ? 100 : textSizes[Math.max(0, now) + step];
    if (next !== undefined) await this.setTextSize(next);
  }

  async setLanguage(language: Language): Promise<void> {
    await this.#backend.setLanguage(language);
    await this.app.refresh();
  }

  async setNotify(on: boolean): Promise<void> {
    await this.#backend.setNotify(on);
    await this.app.refresh();
  }

  async dismiss(notice: string): Promise<void> {
    await this.#backend.dismissNotice(notice);
    await this.app.refresh();
  }

  async setSeal({ picture, word }: Seal): Promise<void> {
    await this.#backend.setSeal(picture, word);
    await this.app.refresh();
  }

  async setLogLevel(level: LogLevel): Promise<void> {
    await this.#backend.setLogLevel(level);
    await this.app.refresh();
  }

  async finishWelcome(): Promise<void> {
    await this.#backend.finishWelcome();
    await this.app.refresh();
  }

  #apply(app: AppState): void {
    this.#textSize = app.textSize;
    scale(app.textSize / 100);
    document.documentElement.toggleAttribute('data-cjk', /^(zh|ja|ko)\b/.test(app.systemLanguage));
    const dark = app.theme === 'system' ? this.#dark.matches : app.theme === 'dark';
    const theme = dark ? 'dark' : 'light';
    if (this.#painted !== theme) void this.#backend.painted((this.#painted = theme)).catch(() => undefined);
    this.#show(dark, app.language === 'system' ? app.systemLanguage : app.language);
  }

  /** What the page looks like now. */
  get look(): 'light' | 'dark' {
    const theme = this.app.value?.theme ?? 'system';
    return (theme === 'system' ? this.#dark.matches : theme === 'dark') ? 'dark' : 'light';
  }

  #show(dark: boolean, language: string): void {
    document.documentElement.dataset['theme'] = dark ? 'dark' : 'light';
    setLocale(localeFor(language));
  }
}
