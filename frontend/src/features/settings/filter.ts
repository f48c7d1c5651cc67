// What is typed into the search of the settings, for the rows to see. '' shows all rows.

import { createContext } from 'svelte';

export const [useFilter, provideFilter] = createContext<() => string>();

export const fits = (filter: string, ...texts: string[]): boolean =>
  texts.some((text) => text.toLowerCase().includes(filter.trim().toLowerCase()));
