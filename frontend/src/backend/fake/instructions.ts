// The calls about the instructions of servers.

import type { Backend, Instructions } from '@/backend/backend';
import { BackendFailure } from '@/backend/errors';
import { PromptsBackend } from './prompts';

export abstract class InstructionsBackend extends PromptsBackend {
  /** What was reviewed or switched, by server. */
  instructions: Record<string, Instructions> = {};

  abstract server: Backend['server'];

  reviewInstructions: Backend['reviewInstructions'] = async (id, panel, digest) => {
    this.log.push(['reviewInstructions', id, panel, digest]);
    const { instructions } = await this.server(id);
    if (instructions.digest !== digest) throw new BackendFailure('instructions-changed', '', '');
    this.instructions[id] = { ...instructions, review: 'reviewed', previous: '', reviewedAt: new Date().toISOString() };
    this.emit('servers', id);
  };
  tellInstructions: Backend['tellInstructions'] = async (id, on) => {
    this.instructions[id] = { ...(await this.server(id)).instructions, off: !on };
    this.emit('servers', id);
  };
}
