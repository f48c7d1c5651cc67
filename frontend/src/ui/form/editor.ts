// What the editors of a form have in common.

import type { Field } from '@/schema/model';
import type { Value } from '@/schema/json';

export interface EditorProps {
  field: Field;
  /** Undefined: the member is absent and not sent. */
  value: Value | undefined;
  /** RFC 6901, into the arguments. */
  pointer: string;
  /** What is wrong, by pointer. */
  problems: ReadonlyMap<string, string>;
  /** For the control's label, help and error. */
  id: string;
  describedBy: string | undefined;
  invalid: true | undefined;
  onchange: (value: Value | undefined) => void;
}

/** Server-written titles and labels are cut to this many characters. */
export const longestTitle = 60;
