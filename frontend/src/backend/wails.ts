// The Backend over the bindings that Wails puts on the window: window.go.app.<Service>.<Method>, one service a feature.

import type { Backend, GatehouseEvent } from './backend';
import { failureFrom } from './errors';

type Bound = Exclude<keyof Backend, 'onEvent' | 'window'>;

/** Which Go service answers each call. The method there has the same name, capitalised. */
export const services: Record<
  Bound,
  | 'App'
  | 'Servers'
  | 'Tools'
  | 'Resources'
  | 'Prompts'
  | 'Completion'
  | 'Attachments'
  | 'Tasks'
  | 'Consent'
  | 'Chat'
  | 'History'
  | 'Profiles'
  | 'Roots'
  | 'Trace'
> = {
  state: 'App',
  setTheme: 'App',
  setTextSize: 'App',
  setLanguage: 'App',
  setSeal: 'App',
  finishWelcome: 'App',
  painted: 'App',
  dismissNotice: 'App',
  setNotify: 'App',
  watching: 'App',
  leaving: 'App',
  leave: 'App',
  copyText: 'App',
  setLogLevel: 'App',
  data: 'App',
  openDataFolder: 'App',
  report: 'App',
  saveText: 'App',
  listServers: 'Servers',
  server: 'Servers',
  checkServer: 'Servers',
  addServer: 'Servers',
  addDemo: 'Servers',
  updateServer: 'Servers',
  askEraAgain: 'Servers',
  reviewInstructions: 'Servers',
  tellInstructions: 'Servers',
  network: 'Servers',
  setNetwork: 'Servers',
  removeServer: 'Servers',
  restoreServer: 'Servers',
  forgetServer: 'Servers',
  setServerEnabled: 'Servers',
  startServer: 'Servers',
  stopServer: 'Servers',
  serverLog: 'Servers',
  setServerLogLevel: 'Servers',
  serverReport: 'Servers',
  listProfiles: 'Profiles',
  switchProfile: 'Profiles',
  saveProfile: 'Profiles',
  removeProfile: 'Profiles',
  serverDefaults: 'Servers',
  setServerDefaults: 'Servers',
  listTools: 'Tools',
  tool: 'Tools',
  icon: 'Servers',
  setToolTimes: 'Tools',
  refreshTools: 'Tools',
  draftCall: 'Tools',
  runCall: 'Tools',
  call: 'Tools',
  stopCall: 'Tools',
  listTasks: 'Tasks',
  listResources: 'Resources',
  readResource: 'Resources',
  watchResource: 'Resources',
  searchResources: 'Resources',
  expandTemplate: 'Resources',
  listPrompts: 'Prompts',
  getPrompt: 'Prompts',
  complete: 'Completion',
  setCompletion: 'Completion',
  attachments: 'Attachments',
  attachResource: 'Attachments',
  attachPrompt: 'Attachments',
  detach: 'Attachments',
  attached: 'Attachments',
  pending: 'Consent',
  shown: 'Consent',
  hidden: 'Consent',
  amend: 'Consent',
  resolve: 'Consent',
  openAgain: 'Consent',
  roots: 'Roots',
  pickRoot: 'Roots',
  showRoot: 'Roots',
  removeRoot: 'Roots',
  chats: 'Chat',
  newChat: 'Chat',
  removeChat: 'Chat',
  chat: 'Chat',
  chatSend: 'Chat',
  chatReply: 'Chat',
  chatRun: 'Chat',
  chatStop: 'Chat',
  history: 'History',
  historyEntry: 'History',
  historyNumbers: 'History',
  readTrace: 'Trace',
  traceEntry: 'Trace',
  clearTrace: 'Trace',
  exportTrace: 'Trace',
};

export const methodName = (call: string) => call.charAt(0).toUpperCase() + call.slice(1);

type Binding = (...values: unknown[]) => Promise<unknown>;

interface Runtime {
  EventsOn(name: string, listener: (e: GatehouseEvent) => void): () => void;
  WindowMinimise(): void;
  WindowToggleMaximise(): void;
  Quit(): void;
}

/** The one Wails event there is. */
const eventName = 'gatehouse';

declare global {
  interface Window {
    go?: { app: Record<string, Record<string, Binding>> };
    runtime?: Runtime;
  }
}

/** Fails at once, rather than at the first call, when the page does not run inside the window. */
export function wailsBackend(): Backend {
  const { go, runtime } = window;
  if (!go || !runtime) throw new Error('This page works only inside the Gatehouse window.');
  const bound = Object.fromEntries(
    Object.entries(services).map(([call, service]) => [
      call,
      async (...values: unknown[]) => {
        try {
          const method = go.app[service]?.[methodName(call)];
          if (!method) throw new Error(`${service}.${methodName(call)} is not bound`);
          return await method(...values);
        } catch (cause) {
          throw failureFrom(cause);
        }
      },
    ]),
  ) as unknown as Pick<Backend, Bound>;
  // Go serves every call in a goroutine of its own: what must keep its order waits for the call before.
  let previous = Promise.resolve();
  const inOrder =
    <A extends unknown[]>(call: (...values: A) => Promise<void>) =>
    (...values: A) => {
      const next = () => call(...values);
      return (previous = previous.then(next, next));
    };
  return {
    ...bound,
    shown: inOrder(bound.shown),
    hidden: inOrder(bound.hidden),
    watching: inOrder(bound.watching),
    onEvent: (listener) => runtime.EventsOn(eventName, listener),
    window: {
      minimise: () => runtime.WindowMinimise(),
      toggleMaximise: () => runtime.WindowToggleMaximise(),
      close: () => runtime.Quit(),
    },
  };
}
