// The look of each class of risk. Colour never stands alone: every class has an icon and a word as well.

import type { Risk, RiskClass } from '@/backend/backend';
import { t } from '@/i18n/index.svelte';
import { parseJson, type Value } from '@/schema/json';
import type { IconName } from './icons';

export const riskIcons: Record<RiskClass, IconName> = {
  read: 'eye',
  write: 'pen',
  destroy: 'trash',
  leave: 'out',
  unknown: 'info',
};

export interface RiskWords {
  title: string;
  reason: string;
}

/** The sentences of a call's risk line. */
export function callWords(risk: Risk, definition: string): RiskWords {
  const words = t().risk;
  const key = risk.classes.join('+');
  const calls: Record<string, string> = words.calls;
  const title = Object.hasOwn(calls, key) ? calls[key]! : words.calls[risk.class];
  if (risk.class === 'unknown') return { title, reason: words.treatedAsWrite };
  const despite = risk.class !== 'read' && saysReadOnly(definition);
  return { title, reason: despite ? words.judgedDespite : words.judged };
}

function saysReadOnly(definition: string): boolean {
  const parsed = parseJson(definition);
  const hint = parsed.ok ? member(member(parsed.value, 'annotations'), 'readOnlyHint') : undefined;
  return hint?.kind === 'boolean' && hint.on;
}

const member = (value: Value | undefined, name: string) =>
  value?.kind === 'object' ? value.members.get(name) : undefined;
