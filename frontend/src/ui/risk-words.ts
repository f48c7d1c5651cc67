// The sentences of the risk line.

import type { PendingItem } from '@/backend/backend';
import { t } from '@/i18n/index.svelte';
import { questionWords } from './question-words';
import { parseJson, type Value } from '@/schema/json';

export interface RiskWords {
  title: string;
  reason: string;
}

export function riskWords(item: PendingItem): RiskWords {
  if (item.question) return questionWords(item);
  return item.toolCall ? callWords(item, item.toolCall.definition) : launchWords(item);
}

function callWords({ risk }: PendingItem, definition: string): RiskWords {
  const words = t().risk;
  const key = risk.classes.join('+');
  const calls: Record<string, string> = words.calls;
  const title = Object.hasOwn(calls, key) ? calls[key]! : words.calls[risk.class];
  if (risk.class === 'unknown') return { title, reason: words.treatedAsWrite };
  const despite = risk.class !== 'read' && saysReadOnly(definition);
  return { title, reason: despite ? words.judgedDespite : words.judged };
}

function launchWords({ risk, launch }: PendingItem): RiskWords {
  const words = t().risk;
  const weighty = new Set(risk.findings.filter((finding) => finding.class !== 'read').map(({ code }) => code)).size;
  if (weighty === 0 && risk.findings.some(({ code }) => code === 'own-demo')) {
    return { title: words.launchDemo, reason: words.launchDemoJudged };
  }
  return {
    title: weighty > 0 ? words.launchFound(weighty) : words.launchNothing,
    reason: launch?.transport === 'http' ? words.launchJudgedRemote : words.launchJudged,
  };
}

function saysReadOnly(definition: string): boolean {
  const parsed = parseJson(definition);
  const hint = parsed.ok ? member(member(parsed.value, 'annotations'), 'readOnlyHint') : undefined;
  return hint?.kind === 'boolean' && hint.on;
}

const member = (value: Value | undefined, name: string) =>
  value?.kind === 'object' ? value.members.get(name) : undefined;
