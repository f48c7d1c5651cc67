// Hidden characters in JSON text as \u escapes: they can only stand inside strings, so the value stays the same.

import { hiddenName } from '@/ui/hidden';

export function escapeHidden(json: string): string {
  let text = '';
  let previous = '';
  for (const char of json) {
    text += hiddenName(char, previous, true) === undefined ? char : escaped(char);
    previous = char;
  }
  return text;
}

const escaped = (char: string) =>
  char.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
