import { expect, it } from 'vitest';
import { pages } from '@/state/shell.svelte';
import { screens } from './screens';

it.each(pages)('the walk through every screen comes to the page %s, with something on it and empty', (page) => {
  const here = Object.entries(screens).filter(([, { route }]) => route.page === page);
  expect(here.map(([name]) => name)).not.toEqual([]);
  if (page !== 'settings') expect(here.some(([name]) => name.endsWith(', empty'))).toBe(true);
});
