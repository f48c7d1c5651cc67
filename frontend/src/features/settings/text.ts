// What the settings do with a text: put it on the clipboard, or into a file that the user names.

import { t } from '@/i18n/index.svelte';
import type { App } from '@/state/app';

export async function copyText(app: App, text: string): Promise<void> {
  if (await app.attempt(() => app.backend.copyText(text))) app.shell.toast(t().common.copied);
}

export async function saveText(app: App, file: string, text: string): Promise<void> {
  await app.attempt(async () => {
    if (await app.backend.saveText(file, text)) app.shell.toast(t().settings.saved);
  });
}
