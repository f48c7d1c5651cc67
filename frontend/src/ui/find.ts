// Finding a word in a long text: places as marks for CodeBlock.

import type { Mark } from './visible';

/** More places than this are not counted. */
const most = 1000;

/** Where the term stands in the text, without regard to case. */
export function placesOf(text: string, term: string): Mark[] {
  if (term === '') return [];
  const [lowText, lowTerm] = [text.toLowerCase(), term.toLowerCase()];
  // A letter whose lower case is longer shifts what follows; then case counts.
  const [inside, wanted] = lowText.length === text.length ? [lowText, lowTerm] : [text, term];
  const found: Mark[] = [];
  for (
    let at = inside.indexOf(wanted);
    at >= 0 && found.length < most;
    at = inside.indexOf(wanted, at + wanted.length)
  ) {
    found.push({ start: at, end: at + wanted.length, class: 'place', anchor: `place-${found.length}` });
  }
  return found;
}
