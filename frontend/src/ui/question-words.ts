// The sentences about what a server asks: whether something about it needs a second look.

import type { PendingItem, ShownQuestion } from '@/backend/backend';
import { t } from '@/i18n/index.svelte';

export interface QuestionWords {
  title: string;
  reason: string;
  tone: 'leave' | 'destroy' | 'unknown';
  /** It takes a second press. */
  doubtful: boolean;
}

/** The root that a server asks to add or to remove, as Go proposes it. */
export const rootOf = ({ question }: PendingItem) =>
  JSON.parse(question!.reply) as { uri: string; name: string; metadata?: { readOnly?: boolean } };

export function questionWords(item: PendingItem): QuestionWords {
  const { question } = item;
  if (item.kind === 'url' && question?.address) return addressWords(item, question.address);
  if (item.kind === 'roots') {
    const words = t().asks.roots;
    return item.server.origin.startsWith('http')
      ? { title: words.leaves, reason: words.means, tone: 'leave', doubtful: false }
      : { title: words.stays, reason: words.means, tone: 'unknown', doubtful: false };
  }
  if (item.kind === 'rootAdd' || item.kind === 'rootRemove') {
    const words = t().asks.rootChange;
    const leaves = item.kind === 'rootAdd' && item.server.origin.startsWith('http');
    return {
      title: leaves ? t().asks.roots.leaves : words.titles[item.kind],
      reason: words.means[item.kind],
      tone: leaves ? 'leave' : 'unknown',
      doubtful: false,
    };
  }
  if (item.kind === 'sample') {
    const words = t().asks.sample;
    return { title: words.risk, reason: words.riskMeans(item.server.alias), tone: 'unknown', doubtful: false };
  }
  return { ...t().risk.question, tone: 'unknown', doubtful: false };
}

function addressWords(item: PendingItem, address: NonNullable<ShownQuestion['address']>): QuestionWords {
  const words = t().asks.url;
  const found = new Map(item.risk.findings.map(({ code, detail }) => [code, detail]));
  const remote = item.server.origin.startsWith('http');
  const server = item.server.alias;
  const grave = { tone: 'destroy', doubtful: true } as const;
  if (address.unicode !== '') return { title: words.imitates, reason: words.imitatesMeans(address.unicode), ...grave };
  if (found.has('odd-host')) return { title: words.odd, reason: words.oddMeans(found.get('odd-host')!), ...grave };
  if (found.has('local-address'))
    return remote
      ? { title: words.here, reason: words.hereRemote(server), ...grave }
      : { title: words.here, reason: words.hereMeans, tone: 'unknown', doubtful: false };
  if (found.has('private-address') && remote)
    return { title: words.inside, reason: words.insideMeans(server), ...grave };
  return { title: words.opens, reason: words.opensMeans(address.registered), tone: 'leave', doubtful: false };
}

/** What it is about, for its title: the domain of an address, the name of a root. */
export const aboutOf = (item: PendingItem): string =>
  item.kind === 'rootAdd' || item.kind === 'rootRemove'
    ? rootOf(item).name
    : (item.question?.address?.registered ?? '');

/** One line for the inbox and for what is spoken. */
export function questionLine(item: PendingItem): string {
  const words = t().asks.lines;
  if (item.visit) return words.visit(item.server.alias, aboutOf(item));
  if (item.kind === 'roots') return words.roots(item.server.alias);
  if (item.kind === 'rootAdd' || item.kind === 'rootRemove') return words[item.kind](item.server.alias, aboutOf(item));
  if (item.kind === 'sample') return words.sample(item.server.alias);
  return item.kind === 'url' ? words.url(item.server.alias, aboutOf(item)) : words.form(item.server.alias);
}
