// The Tasks page: calls that have become tasks of their server, by what they need.

import type { Backend, TaskRow } from '@/backend/backend';
import { isOpen } from './call.svelte';
import type { Hub } from './hub';
import type { Inbox } from './inbox.svelte';
import { Resource } from './resource.svelte';

const leastGap = 250; // milliseconds between two fetches

export class TaskBrowser {
  readonly list: Resource<TaskRow[]>;
  view = $state<'current' | 'finished'>('current');
  /** The call of the open task, '' for none. */
  call = $state('');

  readonly #inbox: Inbox;

  constructor(backend: Pick<Backend, 'listTasks'>, hub: Hub, inbox: Inbox) {
    this.#inbox = inbox;
    this.list = new Resource(() => backend.listTasks());
    let timer: ReturnType<typeof setTimeout> | undefined;
    hub.on(['call'], () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void this.list.refresh();
      }, leastGap);
    });
  }

  /** The request at the gate that a task waits for, '' if none. */
  question(task: TaskRow): string {
    return this.#inbox.items.find(({ call }) => call !== '' && call === task.call)?.id ?? '';
  }

  get current(): TaskRow[] {
    return (this.list.value ?? []).filter(({ state }) => isOpen(state));
  }

  get needsYou(): TaskRow[] {
    return this.current.filter((task) => this.question(task) !== '');
  }

  get working(): TaskRow[] {
    return this.current.filter((task) => this.question(task) === '');
  }

  get finished(): TaskRow[] {
    return (this.list.value ?? []).filter(({ state }) => !isOpen(state));
  }

  /** The open task; undefined if it is gone. */
  get open(): TaskRow | undefined {
    return this.list.value?.find(({ call }) => call === this.call);
  }
}
