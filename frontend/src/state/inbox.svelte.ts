// The requests that wait for a decision, oldest first.

import type { Backend, PendingItem } from '@/backend/backend';
import type { Hub } from './hub';
import { Resource } from './resource.svelte';

export class Inbox {
  readonly #pending: Resource<PendingItem[]>;

  constructor(backend: Backend, hub: Hub) {
    this.#pending = new Resource(() => backend.pending());
    this.#pending.follow(hub, ['pending']);
  }

  get items(): readonly PendingItem[] {
    return this.#pending.value ?? [];
  }

  get error() {
    return this.#pending.error;
  }

  refresh(): Promise<void> {
    return this.#pending.refresh();
  }
}
