import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { CallView } from '@/backend/backend';
import { FakeBackend } from '@/backend/fake';
import { CallWatch } from './call.svelte';
import { Hub } from './hub';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function watchCall() {
  const backend = new FakeBackend();
  const call = vi.spyOn(backend, 'call');
  const watch = new CallWatch(backend, new Hub(backend));
  const progress = (done: number) => {
    backend.calls.set('call-1', { ...backend.calls.get('call-1')!, durationMs: done });
    backend.emit('call', 'call-1');
  };
  return { backend, call, watch, progress, pass: async (ms = 0) => void (await vi.advanceTimersByTimeAsync(ms)) };
}

it('fetches at once, then ten times a second at most, and ends with the newest state', async () => {
  const { call, watch, progress, pass } = watchCall();
  watch.follow('call-1');
  await pass();
  expect(watch.view?.id).toBe('call-1');
  for (let i = 1; i <= 100; i++) {
    progress(i);
    await pass(10);
  }
  await pass(100);
  expect(call.mock.calls.length).toBeLessThanOrEqual(13);
  expect(watch.view?.durationMs).toBe(100);
});

it('heeds the hints of its own call only', async () => {
  const { backend, call, watch, pass } = watchCall();
  watch.follow('call-1');
  await pass(200);
  backend.emit('call', 'call-2');
  await pass(200);
  expect(call).toHaveBeenCalledTimes(1);
});

it('never shows an earlier call after another is followed', async () => {
  const { call, watch, pass } = watchCall();
  let late: (view: CallView) => void = () => undefined;
  call.mockImplementationOnce(() => new Promise((resolve) => (late = resolve)));
  watch.follow('call-0');
  watch.follow('call-1');
  await pass();
  late({ ...watch.view!, id: 'call-0' });
  await pass();
  expect(watch.view?.id).toBe('call-1');
});

it('stops when told', async () => {
  const { call, watch, progress, pass } = watchCall();
  const stop = watch.follow('call-1');
  await pass(200);
  stop();
  progress(5);
  await pass(200);
  expect(call).toHaveBeenCalledTimes(1);
});
