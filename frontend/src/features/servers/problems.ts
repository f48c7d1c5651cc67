// The sentence for a problem of the server form.

import { t } from '@/i18n/index.svelte';
import type { FieldProblem } from '@/state/server-form.svelte';
import { shownText } from '@/ui/visible';

export function problemText(problem: FieldProblem | undefined): string | undefined {
  if (!problem) return undefined;
  const words = t().servers.form;
  const codes: Record<string, string> = words.codes;
  const text = (Object.hasOwn(codes, problem.code) && codes[problem.code]) || words.codes.invalid;
  // The folders that were searched are listed elsewhere; a name that is taken is the one just typed.
  const detail = problem.code === 'invalid' ? shownText(problem.detail, 300) : '';
  return detail ? words.withDetail(text, detail) : text;
}
