// The user's answer in the place of a model: first the request is read, then a text, a use of a tool, or both are written.

import type { PendingItem, ShownSample } from '@/backend/backend';
import { t } from '@/i18n/index.svelte';
import { emptyObject, type Value } from '@/schema/json';
import type { Form } from '@/schema/model';
import { readSchema } from '@/schema/read';
import { compose, initialValue } from '@/schema/values';
import type { Fate, Inbox } from './inbox.svelte';
import { Written } from './written.svelte';

export type Stop = 'endTurn' | 'maxTokens' | 'stopSequence';
export const stops: readonly Stop[] = ['endTurn', 'maxTokens', 'stopSequence'];

export class SampleReply extends Written {
  step = $state<'review' | 'answer'>('review');
  text = $state('');
  /** The tool that is used, '' for none. */
  tool = $state('');
  value = $state.raw<Value>(emptyObject());
  stop = $state<Stop>('endTurn');

  readonly sample: ShownSample;
  readonly #use = `use-${Date.now().toString(36)}`;

  constructor(inbox: Inbox, item: PendingItem) {
    super(inbox);
    this.sample = item.question!.sample!;
    if (this.sample.toolChoice === 'required') this.choose(this.sample.tools[0]?.name ?? '');
  }

  /** The tools that the answer may use. */
  get tools(): ShownSample['tools'] {
    return this.sample.toolChoice === 'none' ? [] : this.sample.tools;
  }

  get form(): Form {
    return readSchema(this.tools.find(({ name }) => name === this.tool)?.inputSchema ?? '');
  }

  choose(tool: string): void {
    this.tool = tool;
    this.value = initialValue(this.form);
    this.write();
  }

  fill(value: Value): void {
    this.value = value;
    this.write();
  }

  /** Exactly what would be sent. */
  write(): void {
    this.touched = true;
    const { text: input, faults } = compose(this.value);
    const blocks: string[] = [];
    if (this.text.trim() !== '') blocks.push(`{"type":"text","text":${JSON.stringify(this.text)}}`);
    if (this.tool)
      blocks.push(
        `{"type":"tool_use","id":${JSON.stringify(this.#use)},"name":${JSON.stringify(this.tool)},"input":${input || '{}'}}`,
      );
    const content = blocks.length === 1 ? blocks[0]! : `[${blocks.join(',')}]`;
    const stop = this.tool ? 'toolUse' : this.stop;
    const found = faults.map((fault) => ({ ...fault, pointer: `${this.inputPointer}${fault.pointer}` }));
    this.put(
      `{"role":"assistant","content":${content},"model":"manual/user","stopReason":"${stop}"}`,
      this.tool ? found : [],
      false,
    );
  }

  /** Where the arguments of the tool stand in what is sent. */
  get inputPointer(): string {
    return this.text.trim() === '' ? '/content/input' : '/content/1/input';
  }

  override off(item: PendingItem, fate: Fate, armed: boolean, answering: boolean): string | null {
    const off = super.off(item, fate, armed, answering);
    if (fate === 'withdrawn' || answering) return off;
    if (this.step === 'review') return t().asks.sample.reviewFirst;
    return this.text.trim() === '' && this.tool === '' ? t().asks.sample.empty : off;
  }
}
