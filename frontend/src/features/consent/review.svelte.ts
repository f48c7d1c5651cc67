// What the user has done with one request so far, and why it cannot be allowed yet. A changed digest is a new Review.

import type { PendingItem } from '@/backend/backend';
import { t } from '@/i18n/index.svelte';
import type { Fate } from '@/state/inbox.svelte';
import { fieldsOf, type ShownField } from './fields';
import { questionWords } from '@/ui/question-words';
import { group, type Found } from '@/ui/findings';

export type Tab = 'fields' | 'json' | 'definition';
export const tabs: readonly Tab[] = ['fields', 'json', 'definition'];

export class Review {
  tab = $state<Tab>('fields');
  editing = $state(false);
  /** The anchor of the finding that was pressed last. */
  reach = $state('');
  /** The end of the body has been in view, with everything unfolded. */
  endSeen = $state(false);
  /** The same of the definition, when it is not the one trusted before. */
  definitionSeen = $state(false);
  #unfolded = $state.raw<ReadonlySet<string>>(new Set());

  /** The user knows of the warning and wants it all the same. */
  sure = $state(false);

  readonly item: PendingItem;
  /** Null: not an object, shown as JSON only. */
  readonly fields: readonly ShownField[] | null;

  constructor(item: PendingItem) {
    this.item = item;
    const call = item.toolCall;
    this.fields = call ? fieldsOf(call.arguments, call.inputSchema, item.risk.findings, item.problems) : null;
    if (call && !this.fields) this.tab = 'json';
  }

  get found(): Found[] {
    const many = new Set(this.fields?.filter(({ lines }) => lines > 1).map(({ pointer }) => pointer));
    return group(this.item.risk.findings, (pointer) => many.has(pointer));
  }

  isFolded(field: ShownField): boolean {
    return field.long && !this.#unfolded.has(field.pointer);
  }

  unfold(pointer: string): void {
    this.#unfolded = new Set([...this.#unfolded, pointer]);
    this.endSeen = false;
  }

  unfoldAll(): void {
    for (const { pointer, long } of this.fields ?? []) if (long) this.unfold(pointer);
  }

  get folded(): number {
    return this.fields?.filter((field) => this.isFolded(field)).length ?? 0;
  }

  /** Whether all of it must have been in view before it can be allowed. */
  get mustSeeEnd(): boolean {
    return this.item.risk.high || this.item.hidden > 0 || (this.fields?.some(({ long }) => long) ?? false);
  }

  /** The end of the body is in view. */
  reachedEnd(): void {
    if (this.editing) return;
    if (this.tab === 'definition') this.definitionSeen = true;
    else if (this.folded === 0) this.endSeen = true;
  }

  /** Why Allow is off, in words; null when it works. */
  off(fate: Fate, armed: boolean, answering: boolean): string | null {
    const words = t().consent.off;
    if (fate === 'withdrawn') return words.gone;
    if (answering) return words.answering;
    if (this.editing) return words.editing;
    if (this.item.problems.length > 0) return words.problems;
    if (this.folded > 0) return words.folded(this.folded);
    if (this.mustSeeEnd && !this.endSeen) return words.unseen;
    if (this.item.question && questionWords(this.item).doubtful && !this.sure) return t().asks.url.doubt;
    if (this.item.toolCall?.previous && !this.definitionSeen) return words.definition;
    return armed ? null : words.arming;
  }
}
