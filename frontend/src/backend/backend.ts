// The whole surface between the page and the Go side. wails.ts implements it over the generated bindings,
// fake.ts for vitest. Nothing else in the page imports bindings. Times are RFC 3339, raw JSON is a string,
// ids are strings. Events are hints: the page fetches the truth again.

import type { ChatRow, ChatView } from './chat';
import type { HistoryDetail, HistoryPage, HistoryQuery } from './history';
import type { Profile, ProfileChange, ProfileList } from './profiles';
import type {
  Attachment,
  AttachmentContent,
  CompletionList,
  CompletionQuery,
  PromptList,
  PromptPreview,
} from './prompts';
import type { FoundResources, ResourceContent, ResourceList } from './resources';
import type { RootsBackend } from './roots';
import type { AnswerInput, ShownCall, ShownQuestion, ShownSample, ShownVisit } from './question';
import type {
  AppBackend,
  HistoryNumbers,
  NetworkSettings,
  NetworkView,
  ServerDefaults,
  ServerDefaultsView,
} from './settings';
import type { TaskRow } from './tasks';
import type { TraceBackend } from './trace';

export type * from './chat';
export type * from './history';
export type * from './profiles';
export type * from './prompts';
export type * from './resources';
export type * from './settings';
export type * from './tasks';
export type * from './trace';

// ---- servers
export type ServerStatus = 'stopped' | 'starting' | 'ready' | 'degraded' | 'crashed' | 'disabled';
export interface Variable {
  name: string;
  value: string;
  ref: string;
  secret?: string;
} // secret: write-only, goes to the keyring
export interface ServerDraft {
  id?: string; // absent for a new server
  name: string;
  transport: 'stdio' | 'http';
  command: string;
  args: string[];
  dir: string;
  env: Variable[];
  url: string;
  headers: Variable[];
  era: 'auto' | Era;
  inactiveMin: number; // minutes of a call without progress; 0 = as for all servers
  totalMin: number; // minutes of a call; 0 = as for all servers
  authorities: string[]; // of a remote server: files of certificates
}
/** How the conversation with a server is opened. */
export type Era = 'legacy' | 'modern';
/** One certificate of a file. Its name is what the file says. */
export interface Authority {
  subject: string;
  until: string;
}
/** Where the instructions of a server stand; '' = there are none. */
export type Review = '' | 'new' | 'changed' | 'reviewed' | 'tooLong';
/** What a server wants models to know. They get it once exactly this text is reviewed. */
export interface Instructions {
  text: string;
  digest: string;
  review: Review;
  off: boolean; // models get none of this server, whatever the review
  previous: string; // the text that was reviewed, when it is another one
  reviewedAt: string;
  findings: Finding[]; // in text
}
export interface ServerRow {
  id: string;
  name: string;
  transport: 'stdio' | 'http';
  origin: string; // command line or URL
  status: ServerStatus;
  since: string;
  crashes: number;
  revision: string;
  tools: number;
  changedTools: number;
  review: Review; // of its instructions
  latencyMs: number;
  aside: boolean; // not in the profile in use, so it does not start
}
export interface Failure {
  // why the last start or connection ended
  code: string;
  message: string;
  exitCode: number;
  signal: string;
  stderr: { first: string[]; leftOut: number; last: string[] }; // first is empty if no line is left out
  searched: string[];
  hint: string;
  at: string;
}
export interface ServerDetail extends ServerRow {
  draft: ServerDraft;
  command: string; // resolved absolute path, '' if not found
  claimedName: string;
  claimedTitle: string;
  claimedVersion: string;
  instructions: Instructions;
  inherited: string[]; // names of the base environment passed on
  approvedAt: string;
  approvedDigest: string; // '' = the launch is not approved in this form
  failure: Failure | null;
  noise: number;
  /** What the list of tools lacks, and why; '' if nothing. */
  toolsWarning: string;
  logs: boolean; // it says that it sends log messages
  logLevel: string; // the least severe that it is asked for, '' = as it likes
  knownEra: Era | ''; // remembered from an earlier start
  knownWire: '' | 'streamable-http' | 'http+sse';
  knownSince: string;
}
export interface DraftCheck {
  resolved: string;
  argv: string[];
  problems: { field: string; code: string; detail: string }[];
  findings: Finding[];
  looksSecret: string[]; // pointers as in Finding: 'env/NAME', 'headers/NAME', 'args/2'
  authorities: Authority[]; // in the files that the draft names
}
export interface LogLine {
  seq: number;
  at: string;
  stream: 'stderr' | 'log' | 'noise' | 'gatehouse'; // log: notifications/message
  text: string;
  level: string; // of log
  logger: string;
  data: string; // of log: JSON, '' if the text says it all
}

// ---- risk
export type RiskClass = 'read' | 'write' | 'destroy' | 'leave' | 'unknown';
export interface Finding {
  code: string; // catalogue key: 'deletes-files', 'leaves-computer', 'hidden-character', 'runs-shell', …
  class: RiskClass;
  pointer: string; // RFC 6901 into the arguments, or 'args/4', 'env/NAME', 'url' of a launch
  line: number; // 1-based line in that string, 0 = whole
  start: number;
  end: number; // UTF-16 offsets in that string, 0,0 = whole
  detail: string; // host, command or character name: data, never a sentence
}
export interface Risk {
  class: RiskClass;
  classes: RiskClass[];
  high: boolean;
  findings: Finding[];
}

// ---- tools
export interface ToolRow {
  serverId: string;
  serverName: string;
  name: string;
  title: string;
  risk: RiskClass;
  changed: boolean;
  tokens: number;
  lastUse: string;
  lastOutcome: string;
  taskSupport: '' | 'optional' | 'required'; // whether a call can become a task
}
export interface ToolPage {
  total: number;
  servers: number;
  rows: ToolRow[];
}
export interface ToolQuery {
  text: string;
  serverId: string;
  offset: number;
  limit: number;
}
export interface ToolDetail extends ToolRow {
  origin: string;
  description: string;
  inputSchema: string;
  outputSchema: string;
  definition: string;
  previous: string;
  pinnedAt: string;
  annotations: string; // raw JSON, '' if absent
  times: ToolTimes; // of its own
  usualTimes: ToolTimes; // in their place where it has none
}
export interface ToolTimes {
  // seconds; 0 = as for its server
  inactiveSec: number;
  totalSec: number;
}
export interface Problem {
  pointer: string;
  message: string;
}
export interface Draft {
  // what the Run panel shows of the composed call
  line: string;
  bytes: number;
  digest: string;
  problems: Problem[];
  risk: Risk;
  gate: '' | 'invalid' | 'high-risk' | 'hidden' | 'changed'; // why Run brings the full gate, or cannot run at all
}
type CallEnd = 'ok' | 'toolError' | 'failed' | 'denied' | 'stopped' | 'timedOut' | 'interrupted' | 'lost';
export type CallState = 'asking' | 'queued' | 'running' | 'task' | CallEnd;
export interface Block {
  // one content block, ready to show
  kind: 'text' | 'image' | 'audio' | 'link' | 'resource' | 'unknown';
  text: string;
  mimeType: string;
  data: string /* base64 */;
  uri: string;
  name: string;
  bytes: number;
  note: '' | 'invalid' | 'too-large';
  detail: string; // of an invalid block: what is wrong with it
  audience: string[];
}
export interface Progress {
  done: number;
  total: number; // 0 = unknown
  message: string;
}
export interface CallView {
  id: string;
  serverId: string;
  serverName: string;
  tool: string;
  state: CallState;
  startedAt: string;
  durationMs: number;
  progress: Progress | null;
  blocks: Block[];
  structured: string;
  structuredProblem: string;
  raw: string;
  error: string;
  errorCode: number;
  decision: string;
  by: string;
  reason: string;
  edited: boolean; // the arguments, by the user
  arguments: string; // one line, exactly as sent or asked
  fault: string; // why nothing was sent although it was allowed, a code of the catalogue
  unrecorded: boolean; // it was made, but its end is not in the history
  truncated: number;
}

// ---- consent
export interface ShownVariable {
  name: string;
  value: string;
  ref: string;
  danger: boolean;
}
export interface PendingItem {
  id: string;
  kind: 'launch' | 'toolCall' | 'form' | 'url' | 'sample' | 'roots' | 'rootAdd' | 'rootRemove';
  call: string; // the call that waits for it, '' for a launch
  digest: string;
  at: string;
  server: { id: string; alias: string; claimed: string; origin: string };
  actor: { kind: 'user' | 'model' | 'script' | 'server'; name: string; chat: string };
  risk: Risk;
  problems: Problem[];
  hidden: number; // hidden characters in what is shown
  launch: null | {
    transport: string;
    command: string;
    args: string[];
    dir: string;
    env: ShownVariable[];
    url: string;
    headers: ShownVariable[];
    inherited: string[];
  };
  before: PendingItem['launch']; // approved last, when it differs
  toolCall: ShownCall | null;
  question: ShownQuestion | null;
  visit?: ShownVisit | null; // an address that was opened: there is nothing left to allow
}
export type { AnswerInput, ShownQuestion, ShownSample, ShownVisit };

/** The name of the model that the user plays. */
export const manualModel = 'manual';

/** What of a server has an icon; the name is its name, URI or URI template, '' for the server. */
export type IconKind = 'server' | 'tool' | 'resource' | 'template' | 'prompt';
export interface GatehouseEvent {
  seq: number;
  kind:
    | 'servers'
    | 'tools'
    | 'roots'
    | 'pending'
    | 'call'
    | 'chat'
    | 'chatDelta'
    | 'history'
    | 'app'
    | 'log'
    | 'leaving'
    | 'inbox' // open it
    | 'profiles'
    | 'trace'
    | 'attached' // what goes with the next message
    | 'lists' // what a server lists beside its tools
    | 'resource'; // one that is subscribed to has changed: id is the server's, a space and the URI
  id: string; // server, call, conversation or request id, '' = all
  data: string; // only chatDelta: the text
}
export interface BackendError {
  code: string;
  message: string;
  detail: string;
} // code: catalogue key under errors.*

export interface Backend extends AppBackend, RootsBackend, TraceBackend {
  listServers(): Promise<ServerRow[]>;
  server(id: string): Promise<ServerDetail>;
  checkServer(draft: ServerDraft): Promise<DraftCheck>;
  addServer(draft: ServerDraft): Promise<string>; // the id; nothing starts
  addDemo(): Promise<string>; // the id of the built-in demo server, which is added if it is not there; nothing starts
  updateServer(id: string, draft: ServerDraft): Promise<void>;
  askEraAgain(id: string): Promise<void>; // the next start asks
  reviewInstructions(id: string, panel: string, digest: string): Promise<void>; // the press is the decision
  tellInstructions(id: string, on: boolean): Promise<void>;
  network(): Promise<NetworkView>;
  setNetwork(settings: NetworkSettings): Promise<void>;
  removeServer(id: string): Promise<void>; // it can come back until forgetServer, or until the app ends
  restoreServer(id: string): Promise<string>; // its name, another one if its own is taken by now // as it was; nothing starts
  forgetServer(id: string): Promise<void>; // with its secrets
  setServerEnabled(id: string, enabled: boolean): Promise<void>;
  startServer(id: string): Promise<void>; // returns at once; the launch gate comes as a pending item
  stopServer(id: string): Promise<void>;
  icon(serverId: string, kind: IconKind, name: string, theme: 'light' | 'dark'): Promise<string>; // a URL of our own picture, '' = none
  serverLog(id: string, after: number): Promise<LogLine[]>;
  setServerLogLevel(id: string, level: string): Promise<void>; // '' = as it likes
  serverDefaults(): Promise<ServerDefaultsView>;
  setServerDefaults(defaults: ServerDefaults): Promise<void>;
  serverReport(id: string): Promise<string>; // text for Copy report, secrets masked

  listProfiles(): Promise<ProfileList>;
  switchProfile(id: string, stop: boolean): Promise<ProfileChange>; // stop: even if calls stop by it
  saveProfile(profile: Profile, stop: boolean): Promise<ProfileChange>; // adds, replaces or brings back
  removeProfile(id: string): Promise<void>; // never the one in use

  listTools(query: ToolQuery): Promise<ToolPage>;
  tool(serverId: string, name: string): Promise<ToolDetail>;
  setToolTimes(serverId: string, name: string, times: ToolTimes): Promise<void>;
  refreshTools(serverId: string): Promise<void>; // '' = all
  draftCall(panel: string, serverId: string, tool: string, args: string): Promise<Draft>; // the page's Run panel shows this
  runCall(panel: string, digest: string, asTask: boolean): Promise<string>; // the call's id; not-armed error inside the delay
  call(id: string): Promise<CallView>;
  stopCall(id: string): Promise<void>; // a task is asked to be cancelled; the second time it ends here
  listTasks(): Promise<TaskRow[]>; // newest first

  listResources(serverId: string, fresh: boolean): Promise<ResourceList>; // fresh: the server is asked anew
  readResource(serverId: string, uri: string, live: boolean): Promise<ResourceContent>; // live: because it has changed
  watchResource(serverId: string, uri: string, on: boolean): Promise<void>;
  searchResources(serverId: string, query: string): Promise<FoundResources>; // the server sees what is searched for
  expandTemplate(serverId: string, template: string, values: Record<string, string>): Promise<string>; // sends nothing

  listPrompts(serverId: string, fresh: boolean): Promise<PromptList>;
  getPrompt(serverId: string, name: string, args: Record<string, string>): Promise<PromptPreview>; // goes to no model
  complete(query: CompletionQuery): Promise<CompletionList>; // the one before is given up
  setCompletion(serverId: string, leave: 'ask' | 'on' | 'off'): Promise<void>;

  attachments(): Promise<Attachment[]>; // of the next message
  attachResource(serverId: string, uri: string): Promise<void>; // reads it
  attachPrompt(preview: string): Promise<void>; // as its preview has shown it
  detach(id: string): Promise<void>;
  attached(id: string): Promise<AttachmentContent>; // sent or not

  pending(): Promise<PendingItem[]>;
  shown(id: string): Promise<void>; // a pending item or a Run panel is visible and focused
  hidden(id: string): Promise<void>; // blurred, moved, resized or closed
  amend(id: string, args: string): Promise<PendingItem>; // edited arguments are new bytes
  resolve(id: string, digest: string, answer: AnswerInput): Promise<void>; // of a visit: whether it is finished
  openAgain(id: string): Promise<void>; // the address of a visit

  chats(): Promise<ChatRow[]>; // the newest first, never none
  newChat(): Promise<string>; // its id; one in which nothing was said yet is as good
  removeChat(id: string): Promise<void>; // with all that it waits for and runs
  chat(id: string): Promise<ChatView>; // '' = the newest
  chatSend(id: string, text: string): Promise<void>; // as the user
  chatReply(id: string, text: string): Promise<void>; // as the model, manual mode
  chatRun(id: string, panel: string, digest: string): Promise<void>; // as the model: call the composed tool
  chatStop(id: string): Promise<void>;

  history(query: HistoryQuery): Promise<HistoryPage>;
  historyEntry(id: string): Promise<HistoryDetail>;
  historyNumbers(days: number): Promise<HistoryNumbers>; // of the last 1–366 days

  onEvent(listener: (e: GatehouseEvent) => void): () => void;
  copyText(text: string): Promise<void>;
  window: { minimise(): void; toggleMaximise(): void; close(): void };
}
