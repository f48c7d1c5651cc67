// The words of a row and of the steps of an entry.

import { manualModel, type HistoryDetail, type HistoryRow } from '@/backend/backend';
import { t } from '@/i18n/index.svelte';

type Tone = 'ok' | 'acc' | 'destroy' | 'write' | 'unknown';

/** What was decided and what came of it, in one word or two. */
export function decisionText(row: HistoryRow): string {
  const words = t().history;
  if (row.decision === 'denied') return words.decisions.denied;
  const outcome = row.outcome === '' || row.outcome === 'ok' ? '' : t().tools.outcomes[row.outcome];
  const parts = [words.decisions.allowed, row.edited ? words.edited : '', outcome];
  return parts.filter(Boolean).join(words.comma);
}

export function toneOfRow(row: HistoryRow): Tone {
  if (row.decision === 'denied') return 'destroy';
  switch (row.outcome) {
    case '':
    case 'ok':
      return 'ok';
    case 'running':
    case 'task':
    case 'asking':
    case 'queued':
      return 'acc';
    case 'stopped':
      return 'unknown';
    case 'timedOut':
    case 'interrupted':
    case 'lost':
      return 'write';
    default:
      return 'destroy';
  }
}

export interface Step {
  at: string;
  text: string;
  tone: Tone;
}

/** The steps of an entry. A code that is not known is shown as it is. */
export function stepsOf({ events, serverName }: HistoryDetail): Step[] {
  const words = t().history.events;
  return events.map(({ at, code, detail }) => {
    switch (code) {
      case 'decision':
        return detail === 'denied'
          ? { at, text: words.denied, tone: 'destroy' }
          : { at, text: words.allowed, tone: 'ok' };
      case 'callStarted':
        return { at, text: words.callStarted(serverName), tone: 'acc' };
      case 'callEnded': {
        const states: Record<string, string> = t().result.states;
        const text = Object.hasOwn(states, detail) ? states[detail]! : words.callEnded;
        return { at, text, tone: detail === 'ok' || detail === '' ? 'ok' : 'destroy' };
      }
    }
    return { at, text: code, tone: 'unknown' };
  });
}

/** Who asked: "user", "model NAME" or "script NAME". */
export function actorText(actor: string): { who: string; name: string } {
  const known: Record<string, string> = t().history.actors;
  if (actor === `model ${manualModel}`) return { who: t().history.actors.manual, name: '' };
  const [kind = '', ...name] = actor.split(' ');
  return { who: Object.hasOwn(known, kind) ? known[kind]! : kind, name: name.join(' ') };
}
