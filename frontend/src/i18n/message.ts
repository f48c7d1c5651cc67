// The parts a catalogue is made of: plain strings, functions with numbers or names in them, and sentences with slots
// that the page fills with styled words (a server's name, a tool's name).

/** A whole sentence with named slots. Invariant in S: a translation must have exactly the slots of the original. */
export interface Sentence<S extends string> {
  readonly parts: readonly (string | { readonly slot: S })[];
  readonly accepts: (slot: S) => boolean;
}

type Slots<T extends string> = T extends `${string}{${infer S}}${infer Rest}` ? S | Slots<Rest> : never;

/** sentence('{server} wants to run {tool}') is a Sentence<'server' | 'tool'>. */
export function sentence<const T extends string>(template: T): Sentence<Slots<T>> {
  const parts = template.split(/\{(\w+)\}/).map((text, i) => (i % 2 ? { slot: text as Slots<T> } : text));
  const slots = new Set(parts.flatMap((part) => (typeof part === 'string' ? [] : [part.slot])));
  return { parts: parts.filter((part) => part !== ''), accepts: (slot) => slots.has(slot) };
}

export interface Plural {
  one?: string;
  other: string;
}

/** Numbers and plurals of one language. In a plural form "#" stands for the number. */
export function words(language: string) {
  const rules = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language);
  const number = (n: number) => numbers.format(n);
  const plural = (n: number, forms: Plural) => {
    const form = rules.select(n) === 'one' ? (forms.one ?? forms.other) : forms.other;
    return form.replaceAll('#', () => number(n));
  };
  return { number, plural };
}

/** The shape that every other language must have, derived from the English catalogue. */
export type Translated<T> = {
  [K in keyof T]: T[K] extends string
    ? string
    : T[K] extends (...values: infer A) => string
      ? (...values: A) => string
      : T[K] extends Sentence<infer S>
        ? Sentence<S>
        : Translated<T[K]>;
};
