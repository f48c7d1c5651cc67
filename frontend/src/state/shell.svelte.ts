// What the frame around the pages knows: which page is open, short-lived messages, and the live region.

import { Toasts } from './toasts.svelte';

export type Route =
  | { page: 'inbox' }
  | { page: 'chat' }
  | { page: 'servers'; id?: string; add?: boolean; edit?: boolean }
  | { page: 'tools'; serverId?: string; name?: string; focus?: boolean }
  | { page: 'resources' }
  | { page: 'prompts'; serverId?: string; name?: string }
  | { page: 'tasks'; call?: string }
  | { page: 'history'; id?: string }
  | { page: 'trace'; serverId?: string; call?: string }
  | { page: 'settings'; section?: SettingsSection };

export const settingsSections = [
  'general',
  'appearance',
  'consent',
  'privacy',
  'models',
  'servers',
  'advanced',
  'about',
] as const;
export type SettingsSection = (typeof settingsSections)[number];

export type PageName = Route['page'];

/** In the order of the rail, which is the order of Ctrl 1–9. */
export const pages: readonly PageName[] = [
  'inbox',
  'chat',
  'servers',
  'tools',
  'resources',
  'prompts',
  'tasks',
  'history',
  'trace',
  'settings',
];

/** What lies over the pages: the search that jumps, the list of shortcuts, or the profiles. */
export type Overlay = '' | 'jump' | 'shortcuts' | 'profiles';

export class Shell {
  route = $state.raw<Route>({ page: 'servers' });
  overlay = $state<Overlay>('');
  readonly toasts = new Toasts();
  /** Read aloud once by the live region. */
  announcement = $state('');

  go(route: Route): void {
    this.route = route;
  }

  toast(text: string): void {
    this.toasts.add(text);
  }

  /** Says what has been done and offers to undo it for a while; kept is called when it was not undone. Never for consent. */
  undoable(text: string, undo: () => unknown, kept?: () => unknown): void {
    this.toasts.add(text, { undo, ...(kept && { kept }) });
  }

  announce(text: string): void {
    this.announcement = text;
  }
}
