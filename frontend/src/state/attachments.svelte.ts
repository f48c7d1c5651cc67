// What goes with the next message. Go keeps the bytes.

import type { Attachment, AttachmentContent, Backend } from '@/backend/backend';
import type { Hub } from './hub';
import { Resource } from './resource.svelte';

export class Attachments {
  readonly list: Resource<Attachment[]>;
  /** The one that is looked at, '' for none. */
  id = $state('');
  readonly content: Resource<AttachmentContent>;

  constructor(backend: Pick<Backend, 'attachments' | 'attached'>, hub: Hub) {
    this.list = new Resource(() => backend.attachments());
    this.list.follow(hub, ['attached']);
    this.content = new Resource(() => backend.attached(this.id));
  }

  get waiting(): readonly Attachment[] {
    return this.list.value ?? [];
  }

  /** Looks at one, or no longer. */
  look(id: string): void {
    this.id = id;
    this.content.value = undefined;
    this.content.error = null;
    if (id !== '') void this.content.refresh();
  }
}
