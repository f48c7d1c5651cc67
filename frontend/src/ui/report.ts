// How an error card copies its report: the frame knows the clipboard and the version, the kit does not.

import { createContext } from 'svelte';
import type { BackendError } from '@/backend/backend';

export const [useReport, provideReport] = createContext<(error: BackendError) => void>();
