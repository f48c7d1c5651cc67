// Which of the proposed roots a server is told: exactly the bytes that Go holds.

import type { PendingItem } from '@/backend/backend';
import type { Inbox } from './inbox.svelte';
import { Written } from './written.svelte';

export interface ProposedRoot {
  uri: string;
  name: string;
}

export class RootsReply extends Written {
  /** Those that are told, by their place in the proposal. */
  chosen = $state.raw<readonly number[]>([]);
  readonly proposed: readonly ProposedRoot[];

  constructor(inbox: Inbox, item: PendingItem) {
    super(inbox);
    this.proposed = (JSON.parse(item.question!.reply) as { roots: ProposedRoot[] }).roots;
    this.chosen = this.proposed.map((_, i) => i);
    this.current = true; // Go has proposed them
  }

  toggle(i: number): void {
    this.chosen = this.proposed.flatMap((_, j) => (this.chosen.includes(j) !== (j === i) ? [j] : []));
    this.touched = true;
    this.put(JSON.stringify({ roots: this.chosen.map((j) => this.proposed[j]) }), [], true);
  }
}
