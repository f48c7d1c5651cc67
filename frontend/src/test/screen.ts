// What a screen of the walks is.

import type { FakeBackend } from '@/backend/fake';
import type { App } from '@/state/app';
import type { Route } from '@/state/shell.svelte';
import type { Mood } from './moods';

export interface Screen {
  route: Route;
  prepare?: (backend: FakeBackend) => void;
  /** What its user does then. */
  then?: (app: App, backend: FakeBackend) => unknown;
  mood?: Mood;
  /** What is there when the screen is; the page's heading unless given. */
  shows?: string;
}

export const errorCard = '.errorcard';
export const loading = '[role=progressbar]';
