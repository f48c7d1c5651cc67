// What the frame around the pages knows: which page is open, short-lived messages, and the live region.

import { Toasts, type Offer } from './toasts.svelte';

export type Route =
  | { page: 'inbox' }
  | { page: 'chat' }
  | { page: 'servers'; id?: string; add?: boolean; edit?: boolean }
  | { page: 'tools'; serverId?: string; name?: string; focus?: boolean }
  | { page: 'resources' }
  | { page: 'prompts'; serverId?: string; name?: string }
  | { page: 'tasks'; call?: string }
  | { page: 'roots' }
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
  'roots',
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

  #beforeInbox: Route = { page: 'chat' };

  go(route: Route): void {
    if (route.page === 'inbox' && this.route.page !== 'inbox') this.#beforeInbox = this.route;
    this.route = route;
  }

  /** Back to where the inbox was opened from. */
  leaveInbox(): void {
    this.go(this.#beforeInbox);
  }

  toast(text: string): void {
    this.toasts.add(text);
  }

  /** Says what has been done and offers to undo it for a while. Never for consent. */
  undoable(text: string, undo: () => unknown, more: Pick<Offer, 'about' | 'kept'> = {}): void {
    this.toasts.add(text, { undo, ...more });
  }

  announce(text: string): void {
    this.announcement = text;
  }
}
