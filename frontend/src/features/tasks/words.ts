// The words and the look of how a task stands.

import type { TaskRow } from '@/backend/backend';
import { format, t } from '@/i18n/index.svelte';
import { isOpen } from '@/state/call.svelte';
import { toneOf } from '@/ui/result/outcome';
import type { IconName } from '@/ui/icons';

interface Stand {
  text: string;
  tone: 'acc' | 'write' | 'ok' | 'destroy' | 'unknown';
  icon: IconName;
}

/** The task in a word or two: while it lives what the server says, then how its call ended. */
export function standOf(task: TaskRow): Stand {
  const words = t().tasks;
  if (!isOpen(task.state)) {
    const { class: tone, icon } = toneOf(task.state);
    return { text: t().result.states[task.state], tone, icon };
  }
  if (task.cancelAsked) return { text: words.cancelling, tone: 'unknown', icon: 'stop' };
  const states: Record<string, string> = words.states;
  const text = Object.hasOwn(states, task.status) ? states[task.status]! : words.states.working;
  return task.status === 'input_required' ? { text, tone: 'write', icon: 'hand' } : { text, tone: 'acc', icon: 'task' };
}

const iso = (ms: number) => new Date(ms).toISOString();

/** What Gatehouse knows of a task that lives, one sentence each. */
export function sentencesOf(task: TaskRow, waits: boolean, now: number): string[] {
  const words = t().tasks;
  const past = (time: string) => format().age(time, now);
  const said = [waits ? words.waits(past(task.since)) : words.runs(past(task.since))];
  if (task.cancelAsked) said[0] = words.cancelAsked(task.serverName, past(task.cancelAsked));
  if (!task.connected) said.push(words.away);
  else if (task.overdue) said.push(words.overdue);
  const { progress } = task;
  if (progress && progress.total > 0) {
    said.push(words.amount(format().number(progress.done), format().number(progress.total)));
  }
  const left = Date.parse(task.expiresAt) - now;
  if (task.expiresAt === '') said.push(words.never);
  else said.push(left > 0 ? words.expires(format().age(iso(0), left)) : words.expired);
  return said;
}

/** For how long the server keeps the task, and until when. */
export function keptOf({ since, expiresAt }: TaskRow, now: number): string {
  const words = t().tasks;
  if (expiresAt === '') return words.keptNever;
  return words.keptUntil(format().moment(expiresAt, now), format().age(since, Date.parse(expiresAt)));
}

/** A time as a server wrote it, if it is one; else its words. */
export const serverTime = (text: string, now: number): string => format().moment(text, now) || text;
