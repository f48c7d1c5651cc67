// Theme, language and what the Go side says about itself.

import type { AppState, Backend, Language, LogLevel, Seal, Theme } from '@/backend/backend';
import { localeFor, setLocale } from '@/i18n/index.svelte';
import type { Hub } from './hub';
import { Resource } from './resource.svelte';

export class Settings {
  readonly app: Resource<AppState>;

  readonly #backend: Backend;
  readonly #dark = window.matchMedia('(prefers-color-scheme: dark)');

  constructor(backend: Backend, hub: Hub) {
    this.#backend = backend;
    this.app = new Resource(async () => {
      const app = await backend.state();
      this.#apply(app);
      return app;
    });
    this.app.follow(hub, ['app']);
    this.#dark.addEventListener('change', () => this.app.value && this.#apply(this.app.value));
  }

  async setTheme(theme: Theme): Promise<void> {
    await this.#backend.setTheme(theme);
    await this.app.refresh();
  }

  async setLanguage(language: Language): Promise<void> {
    await this.#backend.setLanguage(language);
    await this.app.refresh();
  }

  async setNotify(on: boolean): Promise<void> {
    await this.#backend.setNotify(on);
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
    const dark = app.theme === 'system' ? this.#dark.matches : app.theme === 'dark';
    document.documentElement.dataset['theme'] = dark ? 'dark' : 'light';
    setLocale(localeFor(app.language === 'system' ? app.systemLanguage : app.language));
  }
}
