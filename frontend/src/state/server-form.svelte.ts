// The form for a new or an existing server: what is typed, what Go says about it, and saving it.

import type { Backend, DraftCheck, ServerDraft, Variable } from '@/backend/backend';
import { failureFrom } from '@/backend/errors';
import { parseJson } from '@/schema/json';

/** An environment variable or header. At most one of value, ref and secret holds its content. */
export interface VariableRow {
  key: number;
  name: string;
  value: string;
  /** Where the value is kept; '' if it is literal. */
  ref: string;
  /** The name under which ref was stored: another name is another secret. */
  storedAs: string;
  /** Typed now, goes to the keyring when saved; null if there is none. */
  secret: string | null;
}

export type VariableList = 'env' | 'headers';

export interface FieldProblem {
  code: string;
  detail: string;
}

let nextKey = 0;

const rowOf = ({ name, value, ref }: Variable): VariableRow => ({
  key: nextKey++,
  name,
  value,
  ref,
  storedAs: name,
  secret: null,
});

export class ServerForm {
  /** '' for a new server. */
  readonly id: string;
  name = $state('');
  transport = $state<'stdio' | 'http'>('stdio');
  command = $state('');
  args = $state('');
  /** Arguments with line breaks cannot be written one per line: then they are a JSON array. */
  argsAsJson = $state(false);
  dir = $state('');
  url = $state('');
  env = $state<VariableRow[]>([]);
  headers = $state<VariableRow[]>([]);
  era = $state<ServerDraft['era']>('auto');
  /** Minutes; null = as for all servers. */
  inactiveMin = $state<number | null>(null);
  totalMin = $state<number | null>(null);
  /** Files, one a line. */
  authorities = $state('');
  check = $state.raw<DraftCheck | null>(null);
  saving = $state(false);

  readonly #backend: Pick<Backend, 'checkServer' | 'addServer' | 'updateServer'>;
  #touched = $state.raw<ReadonlySet<string>>(new Set());
  #checks = 0;

  constructor(backend: Pick<Backend, 'checkServer' | 'addServer' | 'updateServer'>, id = '', draft?: ServerDraft) {
    this.#backend = backend;
    this.id = id;
    if (!draft) return;
    this.name = draft.name;
    this.transport = draft.transport;
    this.command = draft.command;
    this.argsAsJson = draft.args.some((arg) => arg === '' || /[\r\n]/.test(arg));
    this.args = this.argsAsJson ? JSON.stringify(draft.args, null, 2) : draft.args.join('\n');
    this.dir = draft.dir;
    this.url = draft.url;
    this.env = draft.env.map(rowOf);
    this.headers = draft.headers.map(rowOf);
    this.era = draft.era;
    this.inactiveMin = draft.inactiveMin || null;
    this.totalMin = draft.totalMin || null;
    this.authorities = draft.authorities.join('\n');
  }

  /** A copy of another server: a keyring entry belongs to one server, so its value has to be given again. */
  static copyOf(
    backend: Pick<Backend, 'checkServer' | 'addServer' | 'updateServer'>,
    draft: ServerDraft,
    name: string,
  ): ServerForm {
    const form = new ServerForm(backend, '', { ...draft, name });
    for (const row of [...form.env, ...form.headers]) {
      if (row.ref.startsWith('keyring:')) Object.assign(row, { ref: '', secret: '' });
    }
    return form;
  }

  /** The arguments, or undefined while the JSON text is no array of strings. */
  get argv(): string[] | undefined {
    if (!this.argsAsJson) return this.args.split(/\r?\n/).filter((line) => line !== '');
    const parsed = parseJson(this.args);
    if (!parsed.ok || parsed.value.kind !== 'array') return undefined;
    const texts = parsed.value.items.map((item) => (item.kind === 'string' ? item.text : undefined));
    return texts.every((text) => text !== undefined) ? texts : undefined;
  }

  /** What is in the form. Secrets are in it only for saving. */
  draft(withSecrets: boolean): ServerDraft {
    const variables = (rows: VariableRow[]) =>
      rows.map(({ name, value, ref, secret }): Variable => {
        if (secret === null) return { name, value: ref ? '' : value, ref };
        return { name, value: '', ref: '', ...(withSecrets && { secret }) };
      });
    const local = this.transport === 'stdio';
    return {
      ...(this.id && { id: this.id }),
      name: this.name,
      transport: this.transport,
      command: local ? this.command : '',
      args: local ? (this.argv ?? []) : [],
      dir: local ? this.dir : '',
      env: local ? variables(this.env) : [],
      url: local ? '' : this.url,
      headers: local ? [] : variables(this.headers),
      era: this.era,
      inactiveMin: Math.trunc(this.inactiveMin ?? 0),
      totalMin: Math.trunc(this.totalMin ?? 0),
      authorities: local ? [] : this.authorities.split(/\r?\n/).filter((line) => line.trim() !== ''),
    };
  }

  /** Asks Go about a draft after a pause in typing; returns how to drop the question. */
  checkSoon(draft: ServerDraft, pause = 200): () => void {
    const mine = ++this.#checks;
    const timer = setTimeout(() => {
      this.#backend.checkServer(draft).then(
        (check) => {
          if (mine === this.#checks) this.check = check;
        },
        (cause: unknown) => {
          if (mine === this.#checks) this.check = faultyCheck(failureFrom(cause).message);
        },
      );
    }, pause);
    return () => clearTimeout(timer);
  }

  touch(field: string): void {
    this.#touched = new Set([...this.#touched, field]);
  }

  /** Every problem, by field: "name", "command", "args", "dir", "url", "env", "env.NAME", "headers.NAME", "inactiveMin", "totalMin", "authorities", "". */
  get problems(): ReadonlyMap<string, FieldProblem> {
    const found = new Map<string, FieldProblem>();
    if (this.argv === undefined) found.set('args', { code: 'not-a-list', detail: '' });
    for (const list of ['env', 'headers'] as const) {
      for (const { name, secret } of this.#listed(list)) {
        if (secret === '') found.set(`${list}.${name}`, { code: 'secret-missing', detail: '' });
      }
    }
    // What is no whole number never reaches Go.
    for (const field of ['inactiveMin', 'totalMin'] as const) {
      if (!Number.isSafeInteger(this[field] ?? 0)) found.set(field, { code: 'range', detail: '' });
    }
    for (const { field, code, detail } of this.check?.problems ?? []) {
      const place = field === 'cwd' ? 'dir' : field;
      if (!found.has(place)) found.set(place, { code, detail });
    }
    return found;
  }

  /** The fields that keep the form from being saved. A program may be installed later. */
  get blocking(): string[] {
    return [...this.problems].filter(([, { code }]) => code !== 'not-found').map(([field]) => field);
  }

  /** The problem of a field that the user has left already. */
  problem(field: string): FieldProblem | undefined {
    return this.#touched.has(field) ? this.problems.get(field) : undefined;
  }

  looksSecret(list: VariableList, row: VariableRow): boolean {
    return row.ref === '' && row.secret === null && (this.check?.looksSecret.includes(`${list}.${row.name}`) ?? false);
  }

  add(list: VariableList): void {
    this[list].push({ key: nextKey++, name: '', value: '', ref: '', storedAs: '', secret: null });
  }

  drop(list: VariableList, key: number): void {
    this[list] = this[list].filter((row) => row.key !== key);
  }

  /** Turns a literal into a secret that goes to the keyring when saved. */
  keep(row: VariableRow): void {
    row.secret = row.value;
    row.value = '';
    row.ref = '';
  }

  rename(row: VariableRow, name: string): void {
    row.name = name;
    if (row.ref.startsWith('keyring:') && name !== row.storedAs) Object.assign(row, { ref: '', secret: '' });
  }

  /** Saves; returns the server's id, or undefined if the form has problems, which are then shown. */
  async save(): Promise<string | undefined> {
    this.saving = true;
    try {
      this.#checks++; // an earlier question is out of date
      this.check = await this.#backend.checkServer(this.draft(false));
      const blocking = this.blocking;
      if (blocking.length > 0) {
        this.#touched = new Set([...this.#touched, ...blocking]);
        return undefined;
      }
      const draft = this.draft(true);
      if (this.id === '') return await this.#backend.addServer(draft);
      await this.#backend.updateServer(this.id, draft);
      return this.id;
    } finally {
      this.saving = false;
    }
  }

  #listed(list: VariableList): VariableRow[] {
    return (list === 'env') === (this.transport === 'stdio') ? this[list] : [];
  }
}

const faultyCheck = (detail: string): DraftCheck => ({
  resolved: '',
  argv: [],
  problems: [{ field: '', code: 'invalid', detail }],
  findings: [],
  looksSecret: [],
  authorities: [],
});
