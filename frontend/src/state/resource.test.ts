import { expect, it } from 'vitest';
import { Resource } from './resource.svelte';

it('fetches again for a call that comes at any moment of a fetch, its very end included', async () => {
  for (let moment = 0; moment < 12; moment++) {
    let truth = 'old';
    const resource = new Resource(async () => truth);
    const first = resource.refresh();
    for (let i = 0; i < moment; i++) await null;
    truth = 'new';
    await resource.refresh();
    await first;
    expect(resource.value, `after ${moment} steps`).toBe('new');
    expect(resource.loading).toBe(false);
  }
});

it('goes on after a fetch that failed at once', async () => {
  let broken = true;
  const resource = new Resource(() => {
    if (broken) throw new Error('no');
    return Promise.resolve('yes');
  });
  await resource.refresh();
  expect(resource.error?.code).toBe('unknown');
  broken = false;
  await resource.refresh();
  expect(resource.value).toBe('yes');
  expect(resource.error).toBeNull();
});
