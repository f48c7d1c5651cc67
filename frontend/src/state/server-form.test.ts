import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Backend, DraftCheck, ServerDraft } from '@/backend/backend';
import { ServerForm } from './server-form.svelte';

const fine: DraftCheck = {
  resolved: '/bin/x',
  argv: ['/bin/x'],
  problems: [],
  findings: [],
  looksSecret: [],
  authorities: [],
};

const backend = () => ({
  checkServer: vi.fn<Backend['checkServer']>(() => Promise.resolve(fine)),
  addServer: vi.fn<Backend['addServer']>(() => Promise.resolve('srv-9')),
  updateServer: vi.fn<Backend['updateServer']>(() => Promise.resolve()),
});

const draft: ServerDraft = {
  id: 'srv-1',
  name: 'Shell',
  transport: 'stdio',
  command: 'npx',
  args: ['-y', 'shell mcp'],
  dir: '/work',
  env: [
    { name: 'TOKEN', value: '', ref: 'keyring:srv-1/env/TOKEN' },
    { name: 'LANG', value: 'C', ref: '' },
  ],
  url: '',
  headers: [],
  era: 'auto',
  inactiveMin: 0,
  totalMin: 0,
  authorities: [],
};

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('arguments', () => {
  it.each([
    ['a\nb c\n', ['a', 'b c']],
    ['', []],
    ['  -x ', ['  -x ']],
    ['a\r\n\nb', ['a', 'b']],
  ])('%j is one argument a line', (text, expected) => {
    const form = new ServerForm(backend());
    form.args = text;
    expect(form.argv).toEqual(expected);
  });

  it.each([[['a\nb']], [['']], [['\r']]])('%j cannot be lines, so it is JSON and comes back unchanged', (args) => {
    const form = new ServerForm(backend(), 'srv-1', { ...draft, args });
    expect(form.argsAsJson).toBe(true);
    expect(form.draft(false).args).toEqual(args);
    form.args = '["x", 1]';
    expect(form.argv).toBeUndefined();
    expect(form.problems.get('args')?.code).toBe('not-a-list');
  });
});

describe('secrets', () => {
  it('a stored one goes back as its reference, never as a value', () => {
    const form = new ServerForm(backend(), 'srv-1', draft);
    expect(form.draft(true).env).toEqual(draft.env);
  });

  it('a new one is sent for saving only', async () => {
    const server = backend();
    const form = new ServerForm(server, 'srv-1', draft);
    const row = form.env[1]!;
    row.value = 's3cret';
    form.keep(row);
    await form.save();
    expect(JSON.stringify(server.checkServer.mock.calls)).not.toContain('s3cret');
    expect(server.updateServer.mock.calls[0]?.[1].env[1]).toEqual({
      name: 'LANG',
      value: '',
      ref: '',
      secret: 's3cret',
    });
  });

  it('must be typed again under another name, and for a copy', async () => {
    const server = backend();
    const form = new ServerForm(server, 'srv-1', draft);
    form.rename(form.env[0]!, 'OTHER');
    expect(form.problems.get('env.OTHER')?.code).toBe('secret-missing');
    expect(await form.save()).toBeUndefined();
    expect(form.problem('env.OTHER')).toBeDefined();
    expect(server.updateServer).not.toHaveBeenCalled();

    const copy = ServerForm.copyOf(server, draft, 'Shell (copy)');
    expect(copy.id).toBe('');
    expect(copy.draft(true).env[0]).toEqual({ name: 'TOKEN', value: '', ref: '', secret: '' });
    expect(copy.problems.get('env.TOKEN')?.code).toBe('secret-missing');
  });
});

describe('saving', () => {
  it('holds nothing of the other kind of server', () => {
    const form = new ServerForm(backend(), 'srv-1', draft);
    form.transport = 'http';
    form.url = 'https://a.example/mcp';
    expect(form.draft(true)).toMatchObject({ command: '', args: [], dir: '', env: [], url: 'https://a.example/mcp' });
  });

  it('asks Go first and shows what is wrong', async () => {
    const server = backend();
    server.checkServer.mockResolvedValue({
      ...fine,
      problems: [{ field: 'cwd', code: 'invalid', detail: 'no folder' }],
    });
    const form = new ServerForm(server);
    expect(form.problem('dir')).toBeUndefined();
    expect(await form.save()).toBeUndefined();
    expect(form.problem('dir')).toEqual({ code: 'invalid', detail: 'no folder' });
    expect(server.addServer).not.toHaveBeenCalled();
    expect(form.saving).toBe(false);
  });

  it('takes a program that is not installed yet', async () => {
    const server = backend();
    server.checkServer.mockResolvedValue({
      ...fine,
      problems: [{ field: 'command', code: 'not-found', detail: '/bin' }],
    });
    expect(await new ServerForm(server).save()).toBe('srv-9');
  });

  it('lets a failure through and can be tried again', async () => {
    const server = backend();
    server.addServer.mockRejectedValueOnce(new Error('disk full'));
    const form = new ServerForm(server);
    await expect(form.save()).rejects.toThrow('disk full');
    expect(await form.save()).toBe('srv-9');
  });
});

it('checks a draft after a pause, and only the newest counts', async () => {
  const server = backend();
  const form = new ServerForm(server);
  const drop = form.checkSoon(form.draft(false));
  drop();
  form.checkSoon(form.draft(false));
  await vi.advanceTimersByTimeAsync(200);
  expect(server.checkServer).toHaveBeenCalledTimes(1);
  expect(form.check).toEqual(fine);
  server.checkServer.mockRejectedValueOnce(new Error('no'));
  form.checkSoon(form.draft(false));
  await vi.advanceTimersByTimeAsync(200);
  expect(form.problems.get('')).toEqual({ code: 'invalid', detail: 'no' });
});

describe('how it is spoken to', () => {
  it('comes back as it was, and empty means as for all', () => {
    const form = new ServerForm(backend(), 'srv-1', { ...draft, era: 'modern', inactiveMin: 9 });
    expect(form).toMatchObject({ era: 'modern', inactiveMin: 9, totalMin: null });
    expect(form.draft(false)).toMatchObject({ era: 'modern', inactiveMin: 9, totalMin: 0, authorities: [] });
  });

  it('believes files for a web address only', () => {
    const form = new ServerForm(backend());
    form.authorities = '/a.pem\n\n  \n/b.pem';
    expect(form.draft(false).authorities).toEqual([]);
    form.transport = 'http';
    expect(form.draft(false).authorities).toEqual(['/a.pem', '/b.pem']);
  });

  it('is not saved with what is no number of minutes', async () => {
    const server = backend();
    const form = new ServerForm(server, 'srv-1', draft);
    form.totalMin = 1.5;
    expect(await form.save()).toBeUndefined();
    expect(form.problem('totalMin')).toEqual({ code: 'range', detail: '' });
    expect(server.updateServer).not.toHaveBeenCalled();
  });
});
