// This file sets up scripted servers (mcphost/mcphosttest/scenario.go) and reads what they have received.
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const program = join(import.meta.dirname, '../../build/bin/scripted');

/** One thing a server does; see Action in scenario.go. */
export interface Action {
  do: string;
  text?: string;
  name?: string;
  n?: number;
}

export interface Tool {
  definition: Record<string, unknown>;
  do?: Action[];
}

export interface Scenario {
  tools?: Tool[];
  start?: Action[];
  on?: Record<string, Action[]>;
  instructions?: string;
  info?: Record<string, unknown>;
  stubborn?: boolean;
}

/** A scripted server that has not been started. */
export class Server {
  readonly command = program;
  readonly args: string[];
  /** The file that it creates as soon as it runs. */
  readonly marker: string;
  readonly #record: string;

  constructor(
    dir: string,
    readonly name: string,
    scenario: Scenario,
  ) {
    const files = mkdtempSync(join(dir, 'server-'));
    this.marker = join(files, 'started');
    this.#record = join(files, 'received.jsonl');
    const script = join(files, 'scenario.json');
    const start = [{ do: 'touch', name: this.marker }, ...(scenario.start ?? [])];
    writeFileSync(script, JSON.stringify({ ...scenario, start, record: this.#record }));
    this.args = [script];
  }

  get started(): boolean {
    return existsSync(this.marker);
  }

  /** The frames with this method, exactly as received. */
  received(method: string): string[] {
    if (!existsSync(this.#record)) return [];
    const frames = readFileSync(this.#record, 'utf8').split('\n').filter(Boolean);
    return frames.filter((frame) => (JSON.parse(frame) as { method?: string }).method === method);
  }
}

export const echo: Tool = {
  definition: {
    name: 'echo',
    title: 'Echo',
    description: 'Reads its message back.',
    inputSchema: {
      type: 'object',
      properties: { message: { type: 'string', title: 'Message' } },
      required: ['message'],
    },
    annotations: { readOnlyHint: true },
  },
};

export const removeFiles: Tool = {
  definition: {
    name: 'remove_files',
    description: 'Deletes files for good.',
    inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    annotations: { destructiveHint: true },
  },
};
