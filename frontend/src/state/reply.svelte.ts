// The user's answer to a server's form, while it is written.

import type { PendingItem } from '@/backend/backend';
import { emptyObject, parseJson, type Value } from '@/schema/json';
import type { Form } from '@/schema/model';
import { readSchema } from '@/schema/read';
import { compose, initialValue } from '@/schema/values';
import type { Inbox } from './inbox.svelte';
import { Written } from './written.svelte';

export class Reply extends Written {
  value = $state.raw<Value>(emptyObject());
  readonly form: Form;

  constructor(inbox: Inbox, item: PendingItem) {
    super(inbox);
    this.form = readSchema(item.question?.schema ?? '');
    // A form that waited in the inbox comes back as it was left.
    const left = parseJson(item.question?.reply ?? '');
    this.value = left.ok ? left.value : initialValue(this.form);
    this.#write(true);
  }

  set(value: Value): void {
    this.value = value;
    this.touched = true;
    this.#write(false);
  }

  #write(soon: boolean): void {
    const { text, faults } = compose(this.value);
    this.put(text || '{}', faults, soon);
  }
}
