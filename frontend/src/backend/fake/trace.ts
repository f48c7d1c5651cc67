// The trace of the fake back end: as in the drawing.

import type {
  Backend,
  TraceBackend,
  TraceDetail,
  TraceExchange,
  TraceQuery,
  TraceRow,
  TraceSchema,
} from '@/backend/backend';
import { BackendFailure } from '@/backend/errors';

export interface Traced extends TraceRow {
  raw: string;
  cut?: number;
  call?: string;
  exchange?: Partial<TraceExchange>;
}

let seq = 0;
const entry = (time: string, changes: Partial<Traced>): Traced => ({
  seq: ++seq,
  serverId: 'srv-pg',
  serverName: 'Postgres (staging)',
  connection: 1,
  at: `2026-11-30T${time}Z`,
  kind: 'message',
  dir: 'in',
  method: '',
  asked: '',
  name: '',
  id: '',
  bytes: changes.raw?.length ?? 0,
  tookMs: 0,
  done: 0,
  total: 0,
  state: '',
  problem: '',
  code: '',
  detail: '',
  request: 0,
  reply: 0,
  raw: '',
  ...changes,
});

const rows = '[{\\"berth\\":7},{\\"berth\\":9}]';
const request = (id: number, method: string, params = '{}') =>
  `{"jsonrpc":"2.0","id":${String(id)},"method":"${method}","params":${params}}`;
const answer = (id: number, result: string) => `{"jsonrpc":"2.0","id":${String(id)},"result":${result}}`;
const progress = (done: number) =>
  `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":3,"progress":${String(done)},"total":100}}`;

export const traceRows: Traced[] = [
  entry('14:03:02.090', { kind: 'mark', dir: '', code: 'open', detail: 'pid 48213', bytes: 0 }),
  entry('14:03:02.114', {
    dir: 'out',
    method: 'initialize',
    id: '0',
    state: 'answered',
    tookMs: 31,
    reply: 3,
    raw: request(0, 'initialize'),
  }),
  entry('14:03:02.145', {
    asked: 'initialize',
    id: '0',
    request: 2,
    tookMs: 31,
    raw: answer(0, '{"protocolVersion":"2025-11-25"}'),
  }),
  entry('14:03:02.146', {
    dir: 'out',
    method: 'notifications/initialized',
    raw: '{"jsonrpc":"2.0","method":"notifications/initialized"}',
  }),
  entry('14:03:02.402', {
    dir: 'out',
    method: 'tools/call',
    name: 'query',
    id: '2',
    state: 'answered',
    tookMs: 84,
    reply: 6,
    call: 'call-1',
    raw: request(2, 'tools/call', '{"name":"query","arguments":{"sql":"select berth from arrivals"}}'),
  }),
  entry('14:03:02.486', {
    asked: 'tools/call',
    name: 'query',
    id: '2',
    request: 5,
    tookMs: 84,
    call: 'call-1',
    raw: answer(
      2,
      `{"content":[{"type":"text","text":"${rows}"}],"structuredContent":{"elapsed_ms":71},"isError":false}`,
    ),
  }),
  entry('14:05:40.007', {
    dir: 'out',
    method: 'tools/call',
    name: 'export_month',
    id: '3',
    state: 'open',
    raw: request(3, 'tools/call', '{"name":"export_month","arguments":{},"_meta":{"progressToken":3}}'),
  }),
  entry('14:05:40.960', {
    method: 'notifications/progress',
    asked: 'tools/call',
    name: 'export_month',
    done: 12,
    total: 100,
    request: 7,
    raw: progress(12),
  }),
  entry('14:05:52.310', {
    method: 'elicitation/create',
    id: '"s1"',
    state: 'open',
    raw: '{"jsonrpc":"2.0","id":"s1","method":"elicitation/create","params":{"message":"Which quay?"}}',
  }),
  entry('14:05:59.001', { problem: 'invalid', raw: '{"jsonrpc":"2.0","id":7,"result":1,"id":8' }),
  entry('14:06:03.118', {
    serverId: 'srv-notes',
    serverName: 'Notes',
    connection: 2,
    dir: 'out',
    method: 'resources/read',
    name: 'notes://files/tide-table.md',
    id: '4',
    state: 'answered',
    tookMs: 1204,
    reply: 14,
    raw: request(4, 'resources/read', '{"uri":"notes://files/tide-table.md"}'),
  }),
  entry('14:06:03.119', {
    serverId: 'srv-notes',
    serverName: 'Notes',
    connection: 2,
    kind: 'http',
    dir: 'out',
    method: 'resources/read',
    detail: 'POST /mcp',
    request: 11,
    reply: 13,
    exchange: {
      method: 'POST',
      url: 'https://notes.example/mcp?key=••••••',
      headers: [
        { name: 'Authorization', value: '••••••' },
        { name: 'Content-Type', value: 'application/json' },
        { name: 'Mcp-Session-Id', value: '••••••' },
      ],
    },
  }),
  entry('14:06:04.280', {
    serverId: 'srv-notes',
    serverName: 'Notes',
    connection: 2,
    kind: 'http',
    method: 'resources/read',
    detail: '200 application/json',
    request: 11,
    bytes: -1,
    exchange: { status: 200, headers: [{ name: 'Content-Type', value: 'application/json' }] },
  }),
  entry('14:06:04.322', {
    serverId: 'srv-notes',
    serverName: 'Notes',
    connection: 2,
    asked: 'resources/read',
    name: 'notes://files/tide-table.md',
    id: '4',
    request: 11,
    tookMs: 1204,
    bytes: 1_204_000,
    cut: 1_138_464,
    raw: '{"jsonrpc":"2.0","id":4,"result":{"contents":[{"uri":"notes://files/tide-table.md","text":"High water 04:12',
  }),
];

const part = (row: Traced) => row.kind === 'event' || (row.kind === 'http' && row.request > 0);

const chosen = (all: readonly Traced[], query: TraceQuery) =>
  all.filter(
    (row) =>
      (query.serverId === '' || row.serverId === query.serverId) &&
      (query.call === '' || row.call === query.call) &&
      (query.until === 0 || row.seq <= query.until) &&
      (query.kind === 'all' || (query.kind === '' ? !part(row) : row.kind === query.kind)) &&
      `${row.method} ${row.id} ${row.name} ${row.raw}`.toLowerCase().includes(query.text.toLowerCase()),
  );

function readTrace(all: readonly Traced[], query: TraceQuery): Awaited<ReturnType<Backend['readTrace']>> {
  const some = chosen(all, query);
  const dirs = { sent: 'out', received: 'in' } as const;
  const shown = some.filter(({ dir, problem }) => {
    if (query.show === 'problems') return problem !== '';
    return query.show === '' || dir === dirs[query.show];
  });
  const messages = some.filter(({ kind }) => kind === 'message');
  return {
    total: shown.length,
    rows: structuredClone(shown.slice(query.offset, query.offset + query.limit)),
    problems: some.filter(({ problem }) => problem !== '').length,
    messages: messages.length,
    bytes: messages.reduce((sum, { bytes }) => sum + bytes, 0),
    gone: 0,
    last: all.at(-1)?.seq ?? 0,
    medianMs: 31,
    slowestMs: 1204,
    peer: query.serverId === 'srv-pg' ? 'pid 48213' : '',
    revision: query.serverId === 'srv-pg' ? '2025-11-25' : '',
  };
}

function traceEntry(all: readonly Traced[], wanted: number): TraceDetail {
  const row = all.find(({ seq }) => seq === wanted);
  if (!row) throw new BackendFailure('trace-gone', 'gone', '');
  const root = row.request || row.seq;
  const family = all.filter(({ seq, request }) => seq === root || request === root);
  const exchanges = family.flatMap(({ exchange, seq, at, dir }) =>
    exchange
      ? [
          {
            seq,
            at,
            dir,
            method: '',
            url: '',
            status: 0,
            error: '',
            headers: [],
            event: '',
            lastId: '',
            retryMs: 0,
            data: '',
            ...exchange,
          },
        ]
      : [],
  );
  const related = family.filter(({ seq }) => seq !== wanted);
  return structuredClone({
    ...row,
    cut: row.cut ?? 0,
    call: row.call ?? '',
    related,
    exchanges,
    schema: schemaOf(row),
  });
}

/** As if all messages fitted, but for an answer to initialize without what it must say. */
function schemaOf({ kind, problem, asked, cut }: Traced): TraceSchema | null {
  if (kind !== 'message' || problem === 'invalid') return null;
  const revision = '2025-11-25';
  if (cut) return { revision, definition: '', missing: 'cut', problems: [] };
  if (asked !== 'initialize') return { revision, definition: 'CallToolResult', missing: '', problems: [] };
  const problems = [{ pointer: '/result', message: "missing properties 'capabilities', 'serverInfo'" }];
  return { revision, definition: 'InitializeResult', missing: '', problems };
}

/** The calls of the Trace page. */
export abstract class FakeTrace implements TraceBackend {
  traced = structuredClone(traceRows);
  abstract log: [method: string, ...values: unknown[]][];
  abstract emit(kind: 'trace'): void;

  readTrace: Backend['readTrace'] = async (query) => readTrace(this.traced, query);
  traceEntry: Backend['traceEntry'] = async (seq) => traceEntry(this.traced, seq);
  clearTrace: Backend['clearTrace'] = async (id) => {
    this.traced = this.traced.filter(({ serverId }) => id !== '' && serverId !== id);
    this.emit('trace');
  };
  exportTrace: Backend['exportTrace'] = async (query) => this.log.push(['exportTrace', query]) > 0;
}
