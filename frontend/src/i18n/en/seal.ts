import { words } from '@/i18n/message';

const { number } = words('en');

export const seal = {
  picture: 'Picture',
  word: 'Word',
  length: (n: number, most: number) => `${number(n)} of ${number(most)}`,
  another: 'Another word',
  problems: {
    empty: 'Write a word that you will know again.',
    long: 'That is too long for the gate.',
    hidden: 'A hidden character is in it. Write the word by hand.',
  },
  /** Suggestions, with a space between two. */
  words: 'Harbour Compass Meadow Lantern Copper Juniper Granite Saffron Walnut Heron Orchard Thistle',
} as const;
