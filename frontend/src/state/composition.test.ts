import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Draft, ToolDetail } from '@/backend/backend';
import { FakeBackend } from '@/backend/fake';
import { oneLine } from '@/schema/json';
import { withMember } from '@/schema/values';
import { Composition } from './composition.svelte';
import { Hub } from './hub';

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(document, 'hasFocus').mockReturnValue(true);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const armingMs = 700;

function open() {
  const backend = new FakeBackend();
  const run = vi.fn<(panel: string, digest: string) => Promise<void>>(() => Promise.resolve());
  const draftCall = vi.spyOn(backend, 'draftCall');
  const composition = new Composition({ backend, hub: new Hub(backend), panel: 'panel:test', run });
  const pass = async (ms = 0) => void (await vi.advanceTimersByTimeAsync(ms));
  const fill = (key: string, text: string) => {
    const { form, value } = composition;
    const fields = form.kind === 'group' ? form.fields : [];
    composition.set(withMember(value, fields, key, { kind: 'string', text }));
  };
  return { backend, composition, run, draftCall, pass, fill };
}

describe('Composition', () => {
  it('starts with the defaults and says at once what would be sent', async () => {
    const { composition, draftCall, pass } = open();
    void composition.open('srv-pg', 'query');
    await pass(1);
    expect(draftCall).toHaveBeenLastCalledWith('panel:test', 'srv-pg', 'query', '{"limit":100}');
    expect(composition.draft?.line).toBe('{"limit":100}');
    expect(composition.draft?.problems).toHaveLength(1);
  });

  it('asks Go once after a pause in typing, and what is shown is out of date until the answer is there', async () => {
    const { composition, draftCall, pass, fill } = open();
    void composition.open('srv-pg', 'query');
    await pass(1);
    draftCall.mockClear();
    for (const text of ['s', 'se', 'sel']) {
      fill('sql', text);
      await pass(100);
      expect(composition.current).toBe(false);
    }
    expect(draftCall).not.toHaveBeenCalled();
    await pass(50);
    expect(draftCall).toHaveBeenCalledTimes(1);
    expect(composition.current).toBe(true);
    expect(composition.draft?.line).toBe('{"sql":"sel","limit":100}');
  });

  it('ignores an answer for what was typed before', async () => {
    const { composition, draftCall, pass, fill } = open();
    void composition.open('srv-pg', 'query');
    await pass(1);
    let answer: (draft: Draft) => void = () => undefined;
    draftCall.mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)));
    fill('sql', 'old');
    await pass(150);
    fill('sql', 'new');
    answer({ ...composition.draft!, line: 'old' });
    await pass(150);
    expect(composition.draft?.line).toBe('{"sql":"new","limit":100}');
  });

  it('runs exactly what is shown, once, and only when armed', async () => {
    const { backend, composition, run, pass, fill } = open();
    void composition.open('srv-pg', 'query');
    await pass(1);
    fill('sql', 'select 1');
    await pass(150);
    await composition.run();
    expect(run).not.toHaveBeenCalled();

    const stop = composition.arming.watch('panel:test', armingMs);
    await pass(armingMs);
    expect(composition.ready).toBe(true);
    let done: () => void = () => undefined;
    run.mockImplementationOnce(() => new Promise((resolve) => (done = resolve)));
    void composition.run();
    void composition.run();
    expect(run.mock.calls).toEqual([['panel:test', composition.draft?.digest]]);
    done();
    await pass();
    expect(composition.ready).toBe(false); // the clock has started again, as it has in Go
    await pass(armingMs);
    expect(composition.ready).toBe(true);

    window.dispatchEvent(new Event('blur'));
    expect(composition.ready).toBe(false);
    stop();
    expect(backend.log).toEqual([
      ['shown', 'panel:test'],
      ['hidden', 'panel:test'],
      ['shown', 'panel:test'],
      ['hidden', 'panel:test'],
    ]);
  });

  it('does not run what is being changed, or what has problems', async () => {
    const { composition, run, pass, fill } = open();
    void composition.open('srv-pg', 'query');
    composition.arming.watch('panel:test', armingMs);
    await pass(armingMs);
    await composition.run();
    fill('sql', 'select 1');
    await composition.run();
    composition.set({ kind: 'raw', text: '{"sql":' });
    await pass(1000);
    await composition.run();
    expect(composition.faults).toEqual([{ pointer: '', code: 'json' }]);
    expect(run).not.toHaveBeenCalled();
  });

  it('says why Run did nothing, and asks again what would be sent', async () => {
    const { composition, run, draftCall, pass, fill } = open();
    void composition.open('srv-pg', 'query');
    composition.arming.watch('panel:test', armingMs);
    await pass(1);
    fill('sql', 'select 1');
    await pass(armingMs);
    run.mockRejectedValueOnce(new Error('{"code":"not-armed","message":"too soon","detail":""}'));
    draftCall.mockClear();
    await composition.run();
    await pass();
    expect(composition.refusal?.code).toBe('not-armed');
    expect(draftCall).toHaveBeenCalledTimes(1);
    fill('sql', 'select 2');
    expect(composition.refusal).toBeNull();
  });

  it('keeps a half-filled form while another tool is open', async () => {
    const { composition, pass, fill } = open();
    void composition.open('srv-pg', 'query');
    await pass(1);
    fill('sql', 'select 1');
    void composition.open('srv-pg', 'export_month');
    await pass(1);
    expect(oneLine(composition.value)).toBe('{"format":"csv"}');
    void composition.open('srv-pg', 'query');
    await pass(1);
    expect(oneLine(composition.value)).toBe('{"sql":"select 1","limit":100}');
    composition.reset();
    expect(oneLine(composition.value)).toBe('{"limit":100}');
  });

  it('keeps the values and asks again when the definition changes under it', async () => {
    const { backend, composition, draftCall, pass, fill } = open();
    void composition.open('srv-pg', 'query');
    await pass(1);
    fill('sql', 'select 1');
    await pass(150);
    draftCall.mockClear();
    backend.emit('tools', 'srv-pg');
    await pass(1);
    expect(draftCall).not.toHaveBeenCalled();
    const tool = backend.tools.find(({ name }) => name === 'query') as ToolDetail;
    tool.definition = tool.definition.replace('read-only', 'any');
    backend.emit('tools', 'srv-pg');
    await pass(1);
    expect(draftCall).toHaveBeenCalledTimes(1);
    expect(oneLine(composition.value)).toBe('{"sql":"select 1","limit":100}');
  });

  it('turns the text of the JSON tab into values only if it is JSON', async () => {
    const { composition, pass } = open();
    void composition.open('srv-pg', 'query');
    await pass(1);
    composition.set({ kind: 'raw', text: '{"limit": 9007199254740993}' });
    composition.toForm();
    expect(oneLine(composition.value)).toBe('{"limit":9007199254740993}');
    composition.set({ kind: 'raw', text: '{"limit"' });
    composition.toForm();
    expect(composition.value.kind).toBe('raw');
  });
});
