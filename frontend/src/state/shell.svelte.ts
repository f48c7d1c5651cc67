// What the frame around the pages knows: which page is open, short-lived messages, and the live region.

export type Route =
  | { page: 'inbox' }
  | { page: 'chat' }
  | { page: 'servers'; id?: string; add?: boolean; edit?: boolean }
  | { page: 'tools'; serverId?: string; name?: string; focus?: boolean }
  | { page: 'history'; id?: string }
  | { page: 'settings'; section?: SettingsSection };

export const settingsSections = ['general', 'appearance', 'consent', 'about'] as const;
export type SettingsSection = (typeof settingsSections)[number];

export type PageName = Route['page'];

/** In the order of the rail, which is the order of Ctrl 1–9. */
export const pages: readonly PageName[] = ['inbox', 'chat', 'servers', 'tools', 'history', 'settings'];

/** What lies over the pages: the search that jumps, or the list of shortcuts. */
export type Overlay = '' | 'jump' | 'shortcuts';

export interface Toast {
  id: number;
  text: string;
  action?: { label: string; run: () => void };
}

/** How long a toast stays; one with an action stays longer. */
const toastMs = { plain: 5_000, action: 10_000 };

export class Shell {
  route = $state.raw<Route>({ page: 'servers' });
  overlay = $state<Overlay>('');
  toasts = $state.raw<readonly Toast[]>([]);
  /** Read aloud once by the live region. */
  announcement = $state('');

  #nextToast = 1;

  go(route: Route): void {
    this.route = route;
  }

  toast(text: string, action?: Toast['action']): void {
    const toast: Toast = { id: this.#nextToast++, text, ...(action && { action }) };
    this.toasts = [...this.toasts, toast];
    setTimeout(() => this.dismiss(toast.id), action ? toastMs.action : toastMs.plain);
  }

  dismiss(id: number): void {
    this.toasts = this.toasts.filter((toast) => toast.id !== id);
  }

  announce(text: string): void {
    this.announcement = text;
  }
}
