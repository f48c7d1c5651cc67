// What the profiles exchange with Go.

import type { CallState } from './backend';

export interface Profile {
  id: string; // '' for a new one
  name: string; // '' = the first one, which the page names
  servers: string[]; // ids
}
export interface ProfileList {
  current: string; // the id of the one in use
  profiles: Profile[]; // oldest first, at least one
}
export interface RunningCall {
  id: string;
  serverName: string;
  tool: string;
  state: CallState;
}
export interface ProfileChange {
  id: string;
  running: RunningCall[]; // what would stop: if there is any, nothing was changed
}
