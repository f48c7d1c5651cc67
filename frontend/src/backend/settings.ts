// What the page is told of the window itself, of its data, and what the user sets.

export type Theme = 'system' | 'light' | 'dark';
export type Language = 'system' | 'en' | 'zh-Hans';

export type LogLevel = 'error' | 'warn' | 'info' | 'debug';

export interface Notice {
  code: string; // catalogue key under common.notices
  detail: string;
}

/** The mark that only the gate bears. Its word is the picture's own name until the user writes another. */
export interface Seal {
  picture: string;
  word: string;
}

export interface AppState {
  version: string;
  dataDir: string;
  theme: Theme;
  /** In percent. */
  textSize: number;
  language: Language;
  systemLanguage: string; // BCP 47, from the environment
  firstRun: boolean; // the user has not been welcomed yet
  seal: Seal;
  armingMs: number;
  notices: Notice[];
  windowControls: boolean; // draw minimise, maximise, close
  notify: 'on' | 'off' | ''; // '': nothing can be shown here
  program: string[]; // this program, and the flags that name this data folder
  logLevel: LogLevel; // of the app's own diagnostics on standard error
  goVersion: string; // of the standard library in the program
}

/** What is kept, and to whom something goes. */
export interface DataReport {
  databaseBytes: number;
  backupBytes: number;
  servers: number;
  decisions: number;
  calls: number;
  definitions: number; // trusted definitions of tools
  secrets: number;
  remote: { id: string; name: string; host: string }[];
}

/** What ends with the window. */
export interface Work {
  kind: 'call' | 'request' | 'question' | 'model'; // request: it waits for a decision
  server: string; // the user's name for it
  tool: string; // '' for a launch; the name of a model
  since: string;
}
/** The words of a notification: "{server}" is the user's name of the server, "{n}" the number of requests. */
export interface NoticeWords {
  call: string;
  launch: string;
  form: string;
  many: string;
  body: string;
  open: string;
}
export interface LeavingState {
  state: '' | 'asked' | 'planned'; // asked: the user has closed the window; planned: it closes when work is empty
  work: Work[];
}

/** What the user sets for all servers. */
export interface ServerDefaults {
  inactiveMin: number; // minutes of a call without progress; from the next call on
  totalMin: number; // minutes of a call; from the next call on
  inFlight: number; // calls a server runs at once; from its next start on
  openSec: number; // seconds to open a session; from the next start on
  restart: boolean; // start crashed servers again; from the next crash on
  resume: boolean; // start the enabled servers with the app; from its next start on
}
export interface ServerDefaultsView {
  now: ServerDefaults;
  usual: ServerDefaults;
  least: ServerDefaults; // the numbers' ranges
  most: ServerDefaults;
}

/** How all remote servers are reached, from the next start of each on. */
export interface NetworkSettings {
  proxy: 'system' | 'none' | 'own'; // system: the environment's if it names one, else the desktop's
  address: string; // of own: host:port or a URL
  except: string; // hosts that own is not for, as in NO_PROXY
  authorities: string[]; // files of certificates
}
export interface NetworkView extends NetworkSettings {
  environment: boolean; // it names a proxy
  believed: { subject: string; until: string }[]; // certificates in the files
  problem: string; // why the files cannot be used
}

/** How the decisions of some days came about. */
export interface HistoryNumbers {
  asked: number;
  composed: number;
  byRule: number;
  denied: number;
  edited: number;
}

/** The window itself and its settings: Go's App. */
export interface AppBackend {
  state(): Promise<AppState>;
  setTheme(theme: Theme): Promise<void>;
  setTextSize(percent: number): Promise<void>;
  setLanguage(language: Language): Promise<void>;
  setSeal(picture: string, word: string): Promise<void>; // a word of 1–24 characters, none hidden
  setLogLevel(level: LogLevel): Promise<void>;
  data(): Promise<DataReport>;
  openDataFolder(): Promise<void>; // in the file manager
  report(): Promise<string>; // text about this installation; no server, no name, no secret
  saveText(name: string, text: string): Promise<boolean>; // to a file that the user names; false = they did not
  finishWelcome(): Promise<void>; // firstRun is false from now on
  painted(theme: 'light' | 'dark'): Promise<void>; // what the page shows: the next window begins with it
  dismissNotice(code: string): Promise<void>; // for as long as its state lasts, at later starts too
  setNotify(on: boolean): Promise<void>;
  watching(yes: boolean, words: NoticeWords): Promise<void>; // whether the window is visible and focused
  leaving(): Promise<LeavingState>;
  leave(how: 'now' | 'later' | 'stay'): Promise<void>; // later: minimise, close when nothing runs any more
}
