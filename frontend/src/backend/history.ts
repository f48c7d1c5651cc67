// What the History page exchanges with Go.

import type { CallState, RiskClass } from './backend';

export interface HistoryRow {
  id: string;
  at: string;
  serverId: string;
  serverName: string;
  kind:
    | 'launch'
    | 'toolCall'
    | 'form'
    | 'url'
    | 'urlAgain'
    | 'roots'
    | 'rootAdd'
    | 'rootRemove'
    | 'rootsTold'
    | 'sample'
    | 'resourceRead'
    | 'resourceSubscribe'
    | 'resourceSearch'
    | 'promptGet'
    | 'instructions';
  what: string;
  risk: RiskClass;
  decision: 'allowed' | 'denied';
  edited: boolean;
  by: string;
  outcome: CallState | '';
  durationMs: number;
}
export interface HistoryPage {
  total: number;
  rows: HistoryRow[];
  next: string;
} // next: pass as before, '' = end
export interface HistoryQuery {
  before: string;
  limit: number;
  serverId: string;
  text: string;
  decision: '' | 'allowed' | 'denied';
}
export interface HistoryDetail extends HistoryRow {
  call: string; // the call that was made, '' = none
  digest: string;
  actor: string;
  reason: string;
  original: string;
  shown: string /* raw JSON that was shown */;
  asked: string;
  result: string;
  error: string;
  events: { at: string; code: string; detail: string }[];
}
