// What the Trace page exchanges with Go. Methods, names, ids and details may be the server's. Secrets are masked already.

export interface TraceFilter {
  serverId: string; // '' = all
  show: '' | 'sent' | 'received' | 'problems';
  kind: '' | 'all' | 'message' | 'http' | 'event' | 'mark'; // '' = messages and what is no part of one
  text: string;
  call: string; // only what this call has caused
}
export interface TraceQuery extends TraceFilter {
  until: number; // only up to this entry, 0 = no end
  offset: number; // of those that are chosen, oldest first
  limit: number; // at most 500
}
export interface TraceRow {
  seq: number;
  serverId: string;
  serverName: string;
  connection: number;
  at: string;
  kind: 'message' | 'http' | 'event' | 'mark';
  dir: '' | 'out' | 'in';
  method: string;
  asked: string; // the method of the request that this belongs to
  name: string; // what it is about: a tool, a prompt, a URI
  id: string;
  bytes: number; // -1 = not known
  tookMs: number;
  done: number; // of progress
  total: number;
  state: '' | 'answered' | 'open' | 'silent'; // of a request
  problem: string; // '' or a catalogue key
  code: string; // of a mark: 'open', 'ready', 'end'
  detail: string; // of a mark; of HTTP the method and path, or the status
  request: number; // the entry that this belongs to, 0 = none
  reply: number; // the answer, 0 = none
}
export interface TracePage {
  total: number;
  rows: TraceRow[];
  problems: number; // whatever is shown
  messages: number;
  bytes: number; // of the messages
  gone: number; // older ones that are no longer in memory
  last: number; // number of the newest entry of all
  medianMs: number;
  slowestMs: number;
  peer: string; // of one server while it is connected: its process, or its address
  revision: string;
}
export interface TraceExchange {
  seq: number;
  at: string;
  dir: '' | 'out' | 'in';
  method: string;
  url: string;
  status: number; // 0 = none came
  error: string;
  headers: { name: string; value: string }[];
  event: string;
  lastId: string;
  retryMs: number;
  data: string;
}
/** Whether a message fits the official schema. */
export interface TraceSchema {
  revision: string;
  definition: string;
  missing: '' | 'cut' | 'revision' | 'unknown'; // why it was not held against one
  problems: { pointer: string; message: string }[]; // at most 20
}
export interface TraceDetail extends TraceRow {
  raw: string;
  cut: number; // bytes that are not kept
  call: string; // the tool call, '' = none
  related: TraceRow[];
  exchanges: TraceExchange[];
  schema: TraceSchema | null; // of a message
}

export interface TraceBackend {
  readTrace(query: TraceQuery): Promise<TracePage>;
  traceEntry(seq: number): Promise<TraceDetail>; // fails with trace-gone
  clearTrace(serverId: string): Promise<void>; // '' = all
  exportTrace(query: TraceQuery): Promise<boolean>; // to a file that the user names; whether they named one
}
