// This file starts one Gatehouse for one test: the development build on a desktop of its own (screen, session bus,
// unlocked keyring), with an empty data directory. Its page is served on a random loopback port for Chromium.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { alive, descendants, until, type Process } from './processes';

const root = join(import.meta.dirname, '../..');
const binary = process.env['GATEHOUSE_DEV'] ?? join(root, 'build/bin/gatehouse-dev');

/** One answer of the scripted model, in the pieces in which it arrives. */
export interface ModelStep {
  text?: string[];
  uses?: { id: string; name: string; arguments: string[] }[];
}

export interface Options {
  /** The script of its language model (mcphost/llm/scripted); without one the user plays the model. */
  model?: { steps: ModelStep[] } | undefined;
  dataDir?: string;
  /** false: a session without a keyring. */
  keyring?: boolean;
}

export class Gatehouse {
  readonly dir = mkdtempSync(join(tmpdir(), 'gatehouse-e2e-'));
  readonly dataDir: string;
  url = '';
  #pid = 0;
  #log = '';
  #ended: Promise<void> = Promise.resolve();
  #hasEnded = true;

  readonly #options: Options;

  constructor(options: Options = {}) {
    this.#options = options;
    this.dataDir = options.dataDir ?? join(this.dir, 'data');
  }

  /** Starts it, or starts it again on the same data. */
  async start(): Promise<void> {
    if (!existsSync(binary)) throw new Error(`${binary} is missing: run "make test-e2e"`);
    const port = await freePort();
    const desktop = join(this.dir, 'desktop');
    rmSync(desktop, { recursive: true, force: true });
    mkdirSync(desktop);
    const child = spawn(join(root, 'test/desktop'), [binary, '--data-dir', this.dataDir], {
      env: {
        ...process.env,
        PATH: `${this.#browser()}:${process.env['PATH'] ?? ''}`,
        DESKTOP_DIR: desktop,
        LANG: 'C.UTF-8',
        DESKTOP_KEYRING: this.#options.keyring === false ? 'no' : 'yes',
        ...this.#modelEnvironment(),
        assetdir: this.#assets(),
        devserver: `127.0.0.1:${String(port)}`,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const note = (data: Buffer) => (this.#log += data.toString());
    child.stdout.on('data', note);
    child.stderr.on('data', note);
    this.#hasEnded = false;
    this.#ended = new Promise((resolve) => {
      child.on('close', () => {
        this.#hasEnded = true;
        resolve();
      });
    });
    this.url = `http://127.0.0.1:${String(port)}/page/`;
    await until('Gatehouse serves its page', async () => {
      if (this.#hasEnded) throw new Error(`Gatehouse ended:\n${this.#log}`);
      return fetch(this.url).then(
        (r) => r.ok,
        () => false,
      );
    });
    this.#pid = Number(readFileSync(join(desktop, 'pid'), 'utf8'));
  }

  /** What it and its desktop have printed. */
  get log(): string {
    return this.#log;
  }

  /** The addresses that it has opened in the browser, in order. */
  opened(): string[] {
    const file = join(this.dir, 'opened');
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  }

  /** The live processes that it has started. */
  children(): Process[] {
    return descendants(this.#pid);
  }

  /** Ends it as the desktop would, and fails if a process that it has started is left. */
  async stop(): Promise<void> {
    await this.#end('SIGTERM', 0);
  }

  /** Kills it without warning; what it has started must end within six seconds. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL', 6);
  }

  async #end(signal: 'SIGTERM' | 'SIGKILL', grace: number): Promise<void> {
    if (this.#hasEnded) return;
    const children = this.children();
    try {
      process.kill(this.#pid, signal);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'ESRCH') throw cause; // it has ended by itself
    }
    await this.#ended;
    const left = () => children.filter(alive);
    try {
      await until('its processes end', () => left().length === 0, grace);
    } catch {
      const names = left().map((p) => `${p.name} (${String(p.pid)})`);
      for (const p of left()) process.kill(p.pid, 'SIGKILL');
      throw new Error(`Gatehouse has left processes: ${names.join(', ')}`);
    }
  }

  /** Removes what is left of it. */
  remove(): void {
    rmSync(this.dir, { recursive: true, force: true });
  }

  /** Puts a stand-in for the desktop's opener into a folder of its own, which takes down what it is given. */
  #browser(): string {
    const folder = join(this.dir, 'bin');
    mkdirSync(folder, { recursive: true });
    const script = `#!/bin/sh\nprintf '%s\\n' "$*" >>'${join(this.dir, 'opened')}'\n`;
    writeFileSync(join(folder, 'xdg-open'), script, { mode: 0o700 });
    return folder;
  }

  #modelEnvironment(): Record<string, string> {
    const { model } = this.#options;
    if (!model) return {};
    const script = join(this.dir, 'model.json');
    writeFileSync(script, JSON.stringify(model.steps));
    return { GATEHOUSE_SCRIPTED_MODEL: script };
  }

  // The build opens a window of its own beside the browser. That one gets an empty page, so that only the browser's
  // reports what is shown; Wails puts its scripts into the index of every folder.
  #assets(): string {
    const assets = join(this.dir, 'assets');
    if (!existsSync(assets)) {
      cpSync(join(root, 'frontend/dist'), assets, { recursive: true });
      mkdirSync(join(assets, 'page'));
      renameSync(join(assets, 'index.html'), join(assets, 'page/index.html'));
      writeFileSync(join(assets, 'index.html'), '<!doctype html><title>Gatehouse</title>');
    }
    return assets;
  }
}

async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        resolve(typeof address === 'object' && address !== null ? address.port : 0);
      });
    });
  });
}
