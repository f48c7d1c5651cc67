import { describe, expect, it, vi } from 'vitest';
import type { GatehouseEvent } from '@/backend/backend';
import { Hub } from './hub';
import { Resource } from './resource.svelte';

function hub() {
  let send: (e: GatehouseEvent) => void = () => undefined;
  const stop = vi.fn();
  const made = new Hub({
    onEvent: (listener) => {
      send = listener;
      return stop;
    },
  });
  const emit = (seq: number, kind: GatehouseEvent['kind'], id = '') => send({ seq, kind, id, data: '' });
  return { hub: made, emit, stop };
}

describe('Hub', () => {
  it('passes a hint to those who follow its kind', () => {
    const { hub: events, emit } = hub();
    const tools = vi.fn();
    const servers = vi.fn();
    events.on(['tools'], tools);
    const stop = events.on(['servers'], servers);
    emit(1, 'tools', 'srv-1');
    expect(tools).toHaveBeenCalledWith({ seq: 1, kind: 'tools', id: 'srv-1', data: '' });
    expect(servers).not.toHaveBeenCalled();
    stop();
    emit(2, 'servers');
    expect(servers).not.toHaveBeenCalled();
  });

  it('tells everybody to fetch after a gap, and takes late events as they come', () => {
    const { hub: events, emit } = hub();
    const tools = vi.fn();
    events.on(['tools'], tools);
    emit(1, 'servers');
    emit(4, 'servers');
    expect(tools).toHaveBeenCalledWith(null);
    emit(3, 'tools');
    expect(tools).toHaveBeenCalledTimes(2);
    emit(5, 'servers');
    expect(tools).toHaveBeenCalledTimes(2);
  });
});

describe('Resource', () => {
  it('folds hints during a fetch into one more fetch, so the last answer is never stale', async () => {
    const answers: ((n: number) => void)[] = [];
    const fetch = vi.fn(() => new Promise<number>((resolve) => answers.push(resolve)));
    const resource = new Resource(fetch);
    const done = resource.refresh();
    void resource.refresh();
    void resource.refresh();
    answers[0]!(1);
    await vi.waitFor(() => expect(answers).toHaveLength(2));
    answers[1]!(2);
    await done;
    expect(fetch).toHaveBeenCalledTimes(2);
    expect(resource.value).toBe(2);
  });

  it('keeps the last value beside an error', async () => {
    const fetch = vi.fn(async () => 1);
    const resource = new Resource(fetch);
    await resource.refresh();
    fetch.mockRejectedValueOnce(new Error('gone'));
    await resource.refresh();
    expect(resource.value).toBe(1);
    expect(resource.error?.detail).toBe('gone');
    await resource.refresh();
    expect(resource.error).toBeNull();
  });

  it('follows only its own id when it has one', () => {
    const { hub: events, emit } = hub();
    const fetch = vi.fn(async () => 1);
    new Resource(fetch).follow(events, ['servers'], () => 'srv-1');
    emit(1, 'servers', 'srv-2');
    expect(fetch).not.toHaveBeenCalled();
    emit(2, 'servers', 'srv-1');
    expect(fetch).toHaveBeenCalledTimes(1);
  });
});
