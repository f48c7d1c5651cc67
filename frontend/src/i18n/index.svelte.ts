// The language of the page. Everything visible comes from t(); numbers, sizes and times from format().

import type { BackendError } from '@/backend/backend';
import { en } from './en';
import { formatsFor, type Formats } from './format';
import type { Translated } from './message';
import { zhHans } from './zh-Hans';

export type Catalogue = Translated<typeof en>;
export type Locale = 'en' | 'zh-Hans';

/** By language; tests put another one in its place. */
export const catalogues: Record<Locale, Catalogue> = { en, 'zh-Hans': zhHans };
export const formats: Record<Locale, Formats> = { en: formatsFor('en-GB'), 'zh-Hans': formatsFor('zh-Hans') };

let current = $state<Locale>('en');

/** The catalogue of the current language; reactive where it is read. */
export const t = (): Catalogue => catalogues[current];
export const format = () => formats[current];
export const locale = (): Locale => current;

export function setLocale(next: Locale): void {
  current = next;
  document.documentElement.lang = next === 'zh-Hans' ? 'zh-CN' : next;
}

/** The catalogue for a BCP 47 tag from the environment. */
export const localeFor = (tag: string): Locale => (/^zh(?![a-z])/i.test(tag) ? 'zh-Hans' : 'en');

/** What a person reads for a failed call: the catalogue's sentence for its code, with the data that came along. */
export function errorText({ code, detail }: Pick<BackendError, 'code' | 'detail'>): string {
  const codes: Record<string, string> = t().errors.codes;
  const known = Object.hasOwn(codes, code) ? codes[code] : undefined;
  return t().errors.withDetail(known ?? t().errors.codes.unknown, detail);
}
