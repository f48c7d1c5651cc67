// The short hint at the right of a field's label.

import { format, t } from '@/i18n/index.svelte';
import type { Value } from '@/schema/json';
import type { Field, Range } from '@/schema/model';

export function hintOf({ shape }: Field, value: Value | undefined): string {
  const words = t().form;
  switch (shape.kind) {
    case 'text':
      if (shape.format !== '') return words.formats[shape.format];
      return shape.longest > 0 ? words.longest(shape.longest) : '';
    case 'number':
      return rangeOf(shape.range, shape.integer ? words.wholeNumber : words.number);
    case 'choices': {
      const picked = value?.kind === 'array' ? value.items.length : 0;
      return words.picked(picked, shape.options.length);
    }
    case 'list':
      return value?.kind === 'array' ? words.items(value.items.length) : '';
    default:
      return '';
  }
}

function rangeOf({ least, most, exclusive }: Range, kind: string): string {
  const words = t().form;
  if (exclusive && least && most) return words.between(kind, least, most);
  if (exclusive && least) return words.above(kind, least);
  if (exclusive && most) return words.below(kind, most);
  if (least && most) return words.range(kind, shown(least), shown(most));
  if (least) return words.atLeast(kind, shown(least));
  return most ? words.atMost(kind, shown(most)) : kind;
}

/** With separators while a JavaScript number holds it exactly, else as the schema has it. */
function shown(text: string): string {
  const n = Number(text);
  return Number.isSafeInteger(n) && String(n) === text ? format().number(n) : text;
}
