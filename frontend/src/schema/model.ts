// This file is the form model: what a JSON schema looks like once it can be drawn. Titles, descriptions and option
// labels are the server's words: material to show, never markup.

import type { Value } from './json';

export interface Field {
  key: string; // the raw property name, '' for an item of a list
  title: string; // '' if the schema gives none
  description: string;
  required: boolean;
  nullable: boolean;
  preset: Value | undefined; // the schema's default, if it can be drawn
  shape: Shape;
}

export type TextFormat = '' | 'date' | 'date-time' | 'time' | 'email' | 'uri' | 'uuid';

/** Why a field is edited as JSON. */
export type Fallback = 'any' | 'combined' | 'map' | 'mixed' | 'recursive' | 'reference' | 'deep' | 'large' | 'list';

export interface Option {
  value: Value;
  label: string;
}

export interface Range {
  least: string; // number text, '' = none
  most: string;
  exclusive: boolean;
}

export type Shape =
  | { kind: 'text'; format: TextFormat; multiline: boolean; shortest: number; longest: number } // longest 0 = no limit
  | { kind: 'number'; integer: boolean; range: Range }
  | { kind: 'boolean' }
  | { kind: 'choice'; options: Option[] }
  | { kind: 'choices'; options: Option[] } // any number of the options
  | { kind: 'list'; item: Field }
  | { kind: 'group'; fields: Field[] }
  | { kind: 'json'; why: Fallback };

/** A tool's whole form: a group when it can be drawn, json when the arguments are written as text. */
export type Form = { kind: 'group'; fields: Field[] } | { kind: 'json'; why: Fallback | 'invalid' };

/** What a hostile or careless schema may make the page draw. Beyond it the field is edited as JSON. */
export const limits = {
  text: 1 << 20, // UTF-16 units of the schema
  depth: 4, // groups and lists inside each other, the arguments themselves not counted
  fields: 200, // in the whole form
  options: 500, // of one choice
  references: 64, // $ref steps for one field
};
