// The Run panel of the Tools page: the call being composed, and the last call made of each tool.

import type { Backend } from '@/backend/backend';
import { CallWatch } from './call.svelte';
import { Composition } from './composition.svelte';
import type { Hub } from './hub';

export class ToolRun {
  readonly composition: Composition;
  readonly watch: CallWatch;

  readonly #calls = new Map<string, string>(); // tool → its last call
  #stop: () => void = () => undefined;

  constructor(backend: Backend, hub: Hub) {
    this.watch = new CallWatch(backend, hub);
    this.composition = new Composition({
      backend,
      hub,
      panel: 'panel:tools',
      tasks: true,
      run: async (panel, digest) => {
        const tool = this.composition.key;
        const id = await backend.runCall(panel, digest, this.composition.asTask);
        this.#calls.set(tool, id);
        if (tool === this.composition.key) this.#follow(id);
      },
    });
  }

  async open(serverId: string, name: string): Promise<void> {
    const opened = this.composition.open(serverId, name);
    const call = this.#calls.get(this.composition.key);
    if (call === undefined) this.#leave();
    else if (call !== this.watch.view?.id) this.#follow(call);
    await opened;
  }

  close(): void {
    this.#leave();
    this.composition.close();
  }

  #follow(id: string): void {
    this.#leave();
    this.#stop = this.watch.follow(id);
  }

  #leave(): void {
    this.#stop();
    this.watch.view = null;
  }
}
