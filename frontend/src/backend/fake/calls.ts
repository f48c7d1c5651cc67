// Calls, a conversation and a journal of the fake back end.

import type { CallView, ChatView, HistoryDetail } from '@/backend/backend';
import { before } from './servers';

export const callView: CallView = {
  id: 'call-1',
  serverId: 'srv-pg',
  serverName: 'Postgres (staging)',
  tool: 'query',
  arguments: '{"sql":"select berth, count(*) as late from arrivals group by berth"}',
  unrecorded: false,
  state: 'ok',
  startedAt: before(120),
  durationMs: 84,
  progress: null,
  blocks: [
    {
      kind: 'text',
      text: 'berth  late\nA1       14\nA2        9\nB3       47',
      mimeType: '',
      data: '',
      uri: '',
      name: '',
      bytes: 41,
      note: '',
      audience: [],
    },
  ],
  structured: '{"rows":[{"berth":"A1","late":14},{"berth":"B3","late":47}]}',
  structuredProblem: '',
  raw: '{"content":[{"type":"text","text":"berth  late\\nA1       14\\nA2        9\\nB3       47"}]}',
  error: '',
  errorCode: 0,
  decision: 'dec-2',
  by: 'user',
  reason: '',
  edited: false,
  truncated: 0,
};

export const chatView: ChatView = {
  id: 'chat-1',
  title: 'October berth delays',
  model: 'manual',
  manual: true,
  busy: false,
  waiting: 'user',
  items: [
    {
      id: 'item-1',
      role: 'user',
      text: 'Which berths ran late in October? Chart it, and save reports/october.csv.',
      streaming: false,
      at: before(180),
      call: null,
      note: '',
    },
    {
      id: 'item-2',
      role: 'model',
      text: 'I’ll count late arrivals per berth in the staging database.',
      streaming: false,
      at: before(150),
      call: null,
      note: '',
    },
    { id: 'item-3', role: 'tool', text: '', streaming: false, at: before(120), call: callView, note: '' },
  ],
};

const entry = (changes: Partial<HistoryDetail> & Pick<HistoryDetail, 'id' | 'what'>): HistoryDetail => ({
  at: before(120),
  serverId: 'srv-pg',
  serverName: 'Postgres (staging)',
  kind: 'toolCall',
  risk: 'read',
  decision: 'allowed',
  edited: false,
  by: 'user',
  outcome: 'ok',
  durationMs: 84,
  digest: '5c'.repeat(32),
  actor: 'model',
  reason: '',
  original: '',
  shown: '{"sql":"select berth, count(*) from arrivals group by 1"}',
  asked: '',
  result: '{"content":[]}',
  error: '',
  events: [
    { at: before(120), code: 'decision', detail: 'allowed' },
    { at: before(120), code: 'callStarted', detail: '' },
    { at: before(119), code: 'callEnded', detail: 'ok' },
  ],
  ...changes,
});

export const historyDetails: HistoryDetail[] = [
  entry({
    id: 'dec-3',
    what: 'run_script',
    serverId: 'srv-shell',
    serverName: 'Shell',
    risk: 'destroy',
    decision: 'denied',
    outcome: '',
    durationMs: 0,
    reason: 'Use the archive folder instead.',
    result: '',
    events: [{ at: before(120), code: 'decision', detail: 'denied' }],
  }),
  entry({ id: 'dec-2', what: 'query' }),
  entry({
    id: 'dec-1',
    what: 'uvx pg-mcp==0.9.2',
    kind: 'launch',
    risk: 'unknown',
    at: before(5400),
    actor: 'user',
    outcome: '',
    result: '',
  }),
];
