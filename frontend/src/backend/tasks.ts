// What the Tasks page exchanges with Go. Messages, results and errors of a task are its server's words.

import type { CallState, Progress } from './backend';

export interface TaskEvent {
  at: string;
  status: string;
  message: string;
}
export interface TaskRow {
  call: string; // id of the call
  task: string; // its id at the server
  serverId: string;
  serverName: string;
  tool: string;
  arguments: string;
  state: CallState;
  status: string; // 'working', 'input_required', 'completed', 'failed' or 'cancelled', by the server
  message: string;
  createdAt: string; // by the server's clock, as received
  updatedAt: string;
  since: string;
  endedAt: string;
  expiresAt: string; // '' = never
  pollMs: number;
  progress: Progress | null;
  overdue: boolean;
  connected: boolean;
  kept: boolean; // it is followed on after a restart
  resumed: boolean; // an earlier run has left it
  cancelAsked: string;
  revision: string;
  extension: boolean; // a task of the extension, not of 2025-11-25
  decision: string;
  by: string;
  decidedAt: string;
  result: string; // the first line of what came back
  error: string;
  events: TaskEvent[];
}
