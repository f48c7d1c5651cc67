// The look and the words of how a call stands.

import type { CallState } from '@/backend/backend';
import { t } from '@/i18n/index.svelte';
import type { IconName } from '@/ui/icons';

export interface Tone {
  class: 'ok' | 'destroy' | 'write' | 'acc' | 'unknown';
  icon: IconName;
}

const tones: Record<CallState, Tone> = {
  asking: { class: 'acc', icon: 'gate' },
  queued: { class: 'acc', icon: 'clock' },
  running: { class: 'acc', icon: 'clock' },
  task: { class: 'acc', icon: 'clock' },
  ok: { class: 'ok', icon: 'check' },
  toolError: { class: 'destroy', icon: 'warn' },
  failed: { class: 'destroy', icon: 'warn' },
  denied: { class: 'destroy', icon: 'quar' },
  stopped: { class: 'unknown', icon: 'stop' },
  timedOut: { class: 'write', icon: 'clock' },
  interrupted: { class: 'write', icon: 'warn' },
  lost: { class: 'write', icon: 'warn' },
};

export const toneOf = (state: CallState): Tone => tones[state];

/** Who decided; Decision.By of the engine. A policy's name is data. */
export function byText(by: string): string {
  const words = t().result.by;
  const known: Record<string, string> = {
    user: words.user,
    'composed by you': words.composed,
    'standing launch consent': words.standing,
    'live subscription': words.live,
    gatehouse: words.host,
  };
  return Object.hasOwn(known, by) ? (known[by] ?? by) : by;
}
