import { flushSync } from 'svelte';
import { expect, it, vi } from 'vitest';
import { FakeBackend } from '@/backend/fake';
import { dot } from '@/backend/fake/resources';
import { buttonOf, openPage, optionsOf } from '@/test/page';
import { Hub } from './hub';
import { Icons } from './icons.svelte';

const settle = () => new Promise((resolve) => setTimeout(resolve));

it('asks once for what is shown, again after a hint about its server, and keeps the picture meanwhile', async () => {
  const backend = new FakeBackend();
  const asked = vi.spyOn(backend, 'icon').mockResolvedValue('data:image/png;base64,AA==');
  const icons = new Icons(backend, new Hub(backend), () => 'light');
  const seen: string[] = [];
  const stop = $effect.root(() => {
    $effect(() => void seen.push(icons.of('srv-pg', 'tool', 'query')));
  });
  flushSync();
  await settle();
  flushSync();
  expect(seen).toEqual(['', 'data:image/png;base64,AA==']);
  expect(asked.mock.calls).toEqual([['srv-pg', 'tool', 'query', 'light']]);
  backend.emit('tools', 'srv-notes');
  flushSync();
  await settle();
  expect(asked).toHaveBeenCalledTimes(1);
  asked.mockRejectedValue(new Error('not connected'));
  backend.emit('tools', 'srv-pg');
  flushSync();
  expect(seen.at(-1)).toBe('data:image/png;base64,AA==');
  await settle();
  flushSync();
  expect(asked).toHaveBeenCalledTimes(2);
  expect(seen.at(-1)).toBe('');
  stop();
});

it('is drawn in the frame of the letter', async () => {
  const icon = `data:image/png;base64,${dot}`;
  const { pass, press } = await openPage({ page: 'tools' }, (fake) => {
    fake.icons = { 'srv-notes server ': icon, 'srv-pg tool query': icon };
  });
  const pictures = () => [...document.querySelectorAll<HTMLImageElement>('.av img')].map(({ src }) => src);
  await pass();
  expect(pictures()).toEqual([icon]);
  expect(optionsOf()[2]?.querySelector('.av')).toHaveTextContent('');
  expect(optionsOf()[1]?.querySelector('.av')).toHaveTextContent('S');
  await press(buttonOf(/^Servers/));
  await pass();
  expect(pictures()).toContain(icon);
});
