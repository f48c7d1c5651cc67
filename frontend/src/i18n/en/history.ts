// The journal of decisions and of what came of them.

import { words } from '@/i18n/message';

const { number, plural } = words('en');

export const history = {
  title: 'History',
  count: (n: number) => plural(n, { one: '# entry, kept on this computer', other: '# entries, kept on this computer' }),
  shown: (n: number) => `${number(n)} shown`,
  search: 'Search server, tool or command',
  server: 'Server',
  allServers: 'All servers',
  decision: 'Decision',
  allDecisions: 'All decisions',
  list: 'Decisions, newest first',
  empty: 'Nothing has been decided yet. Every decision appears here, with what was shown and what came of it.',
  noMatch: 'No entry matches.',
  columns: { time: 'Time', server: 'Server', what: 'What', risk: 'Risk', decision: 'Decision', by: 'By' },
  kinds: { launch: 'Server launch', toolCall: 'Tool call' },
  decisions: { allowed: 'Allowed', denied: 'Denied' },
  edited: 'edited',
  comma: ', ',
  pick: 'Pick an entry to see what was shown and what came of it.',
  headline: {
    launch: (who: string, server: string) => `${who} wanted to start ${server}`,
    toolCall: (who: string, server: string) => `${who} wanted to call ${server}`,
  },
  actors: { user: 'You', model: 'The model', script: 'The command line' },
  actorNamed: (who: string, name: string) => `${who}, ${name}`,
  rows: {
    decision: 'Decision',
    by: 'By',
    actor: 'Asked by',
    outcome: 'Outcome',
    took: 'Took',
    reason: 'Reason',
    digest: 'Shown as',
    original: 'Rests on',
  },
  digest: (short: string) => `sha-256 ${short}`,
  copyDigest: 'Copy the whole digest',
  openOriginal: 'the original decision',
  whatWasShown: 'What was shown',
  beforeEdit: 'Asked for, before your edit',
  result: 'What came back',
  error: 'Error',
  timeline: 'What happened',
  resultFrom: (server: string) => `Answer of ${server}, not checked`,
  events: {
    allowed: 'Allowed',
    denied: 'Denied',
    callStarted: (server: string) => `Sent to ${server}`,
    callEnded: 'Finished',
  },
  copy: 'Copy',
} as const;
