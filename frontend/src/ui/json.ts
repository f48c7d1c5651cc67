// Colours for JSON text, as marks for CodeBlock.

import type { Mark } from './visible';

const token = /"(?:[^"\\]|\\.)*"(\s*:)?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g;

export function jsonMarks(text: string): Mark[] {
  return [...text.matchAll(token)].map((found) => {
    const length = found[0].length - (found[1]?.length ?? 0);
    const kind = found[1] ? 'jk' : found[0].startsWith('"') ? 'js' : 'jn';
    return { start: found.index, end: found.index + length, class: kind };
  });
}
