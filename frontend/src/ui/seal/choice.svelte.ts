// The seal while the user chooses it. Its word is the picture's own name, in the user's language, until they write one.

import { t } from '@/i18n/index.svelte';
import { hiddenName } from '@/ui/hidden';
import { isSeal, type SealName } from './pictures';

interface Seal {
  picture: string;
  word: string;
}

/** What the band of the gate has room for, in characters. */
export const longestWord = 24;

export const pictureOf = ({ picture }: Seal): SealName => (isSeal(picture) ? picture : 'sailboat');

const isOwnName = ({ picture, word }: Seal) => word.toLowerCase() === picture;

/** The word as it is shown: a picture's name is translated, a word that the user wrote stays. */
export const wordOf = (seal: Seal): string =>
  isSeal(seal.picture) && isOwnName(seal) ? t().consent.seals[seal.picture] : seal.word;

export class SealChoice {
  picture = $state<SealName>('sailboat');
  /** What the user wrote; null while the word is the picture's name. */
  #written = $state<string | null>(null);

  constructor(seal: Seal) {
    this.picture = pictureOf(seal);
    this.#written = isOwnName(seal) ? null : seal.word;
  }

  get word(): string {
    return this.#written ?? t().consent.seals[this.picture];
  }

  set word(word: string) {
    this.#written = word === t().consent.seals[this.picture] ? null : word;
  }

  get length(): number {
    return [...this.word.trim()].length;
  }

  /** Why the word cannot be used; '' if it can. */
  get problem(): '' | 'empty' | 'long' | 'hidden' {
    if (this.length === 0) return 'empty';
    if (this.length > longestWord) return 'long';
    return [...this.word.trim()].some((char) => hiddenName(char, '', false)) ? 'hidden' : '';
  }

  /** As the gate would show it now. */
  get shown(): Seal {
    return { picture: this.picture, word: this.word.trim() };
  }

  /** As it is kept. */
  get seal(): Seal {
    return { picture: this.picture, word: this.#written?.trim() ?? this.picture };
  }

  /** Writes another word of the catalogue's list, the one after the present. */
  another(): void {
    const list = t().seal.words.split(' ');
    this.word = list[(list.indexOf(this.word) + 1) % list.length]!;
  }
}
