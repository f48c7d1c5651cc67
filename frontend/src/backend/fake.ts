// A Backend in memory, for vitest and for screenshots. It never ships: eslint forbids importing it elsewhere.

import type {
  AppState,
  Backend,
  CallView,
  ChatView,
  GatehouseEvent,
  HistoryDetail,
  LeavingState,
  NetworkSettings,
  PendingItem,
  Profile,
  ProfileChange,
  RunningCall,
  ServerDefaults,
  ServerDraft,
  ServerRow,
  ToolDetail,
} from './backend';
import { BackendFailure } from './errors';
import { Talks } from './fake/talks';
import { callView, historyDetails } from './fake/calls';
import { InstructionsBackend } from './fake/instructions';
import { folders } from './fake/asks';
import type { RootRow } from './roots';
import { amended, requests } from './fake/requests';
import { contentOf, expandTemplate, follow, listOf, resourceLists } from './fake/resources';
import { acceptable, networkOf, usualDefaults } from './fake/settings';
import { checkDraft, detailOf, draft as draftOf, logOf, serverRows } from './fake/servers';
import { taskRows } from './fake/tasks';
import { missing, toolDetails } from './fake/tools';

export class FakeBackend extends InstructionsBackend implements Backend {
  app: AppState = {
    version: '0.1.0',
    dataDir: '/home/you/.local/share/gatehouse',
    theme: 'light',
    textSize: 100,
    language: 'en',
    systemLanguage: 'en-GB',
    firstRun: false,
    seal: { picture: 'sailboat', word: 'Sailboat' },
    armingMs: 700,
    notices: [],
    windowControls: true,
    program: ['/usr/bin/gatehouse'],
    logLevel: 'error',
    goVersion: '1.26.8',
    notify: 'on',
  };
  servers: ServerRow[] = structuredClone(serverRows);
  icons: Record<string, string> = {}; // by server, kind and name
  tools: ToolDetail[] = structuredClone(toolDetails);
  profiles: Profile[] = [{ id: 'first', name: '', servers: serverRows.map(({ id }) => id) }];
  currentProfile = 'first';
  /** What a change of the profile in use would stop. */
  running: RunningCall[] = [];
  folders: RootRow[] = structuredClone(folders);
  requests: PendingItem[] = structuredClone(requests);
  resources = structuredClone(resourceLists);
  tasks = structuredClone(taskRows);
  calls = new Map<string, CallView>([[callView.id, structuredClone(callView)]]);
  readonly talks = new Talks();
  journal: HistoryDetail[] = structuredClone(historyDetails);
  copied = '';
  way: LeavingState = { state: '', work: [] };
  saved: [name: string, text: string][] = [];
  defaults: ServerDefaults = structuredClone(usualDefaults);
  /** What the next calls come to. */
  outcome: Partial<CallView> = {};

  #listeners = new Set<(e: GatehouseEvent) => void>();
  #seq = 0;
  #drafts = new Map<string, ServerDraft>();
  #asked = new Set<string>();
  #removed = new Map<string, [at: number, server: ServerRow]>();
  #panels = new Map<string, { serverId: string; tool: string; args: string }>();

  emit(kind: GatehouseEvent['kind'], id = '', data = ''): void {
    this.#seq++;
    for (const listener of [...this.#listeners]) listener({ seq: this.#seq, kind, id, data });
  }

  onEvent = (listener: (e: GatehouseEvent) => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  state: Backend['state'] = async () => structuredClone(this.app);
  setTheme: Backend['setTheme'] = async (theme) => void (this.app.theme = theme);
  setTextSize: Backend['setTextSize'] = async (percent) => void (this.app.textSize = percent);
  setLanguage: Backend['setLanguage'] = async (language) => void (this.app.language = language);
  setSeal: Backend['setSeal'] = async (picture, word) => void (this.app.seal = { picture, word });
  finishWelcome: Backend['finishWelcome'] = async () => void (this.app.firstRun = false);
  painted: Backend['painted'] = async (theme) => void this.log.push(['painted', theme]);
  dismissNotice: Backend['dismissNotice'] = async (code) =>
    void (this.app.notices = this.app.notices.filter((notice) => notice.code !== code));
  setNotify: Backend['setNotify'] = async (on) => void (this.app.notify = on ? 'on' : 'off');
  watching: Backend['watching'] = async (yes, words) => void this.log.push(['watching', yes, words.call]);
  leaving: Backend['leaving'] = async () => structuredClone(this.way);
  leave: Backend['leave'] = async (how) => {
    this.log.push(['leave', how]);
    this.way.state = how === 'later' ? 'planned' : '';
    this.emit('leaving');
  };
  setLogLevel: Backend['setLogLevel'] = async (level) => void (this.app.logLevel = level);
  data: Backend['data'] = async () => ({
    databaseBytes: 1_240_000,
    backupBytes: 0,
    servers: this.servers.length,
    decisions: this.journal.length,
    calls: 2,
    definitions: this.tools.length,
    secrets: 1,
    remote: this.servers
      .filter(({ transport }) => transport === 'http')
      .map(({ id, name, origin }) => ({ id, name, host: new URL(origin).host })),
  });
  openDataFolder: Backend['openDataFolder'] = async () => void this.log.push(['openDataFolder']);
  report: Backend['report'] = async () => `Gatehouse: ${this.app.version}\nServers: ${this.servers.length}\n`;
  saveText: Backend['saveText'] = async (name, text) => {
    this.saved.push([name, text]);
    return true;
  };
  copyText: Backend['copyText'] = async (text) => void (this.copied = text);
  window = { minimise: () => undefined, toggleMaximise: () => undefined, close: () => undefined };

  listServers: Backend['listServers'] = async () => structuredClone(this.servers);
  server: Backend['server'] = async (id) => ({
    ...detailOf(this.#server(id), this.#drafts.get(id)),
    ...(this.#asked.has(id) && { knownEra: '', knownWire: '', knownSince: '' }),
    ...(this.instructions[id] && { instructions: this.instructions[id], review: this.instructions[id].review }),
  });
  checkServer = checkDraft;
  addServer: Backend['addServer'] = async (draft) => {
    const id = `srv-${this.servers.length + 1}`;
    const origin = draft.transport === 'stdio' ? [draft.command, ...draft.args].join(' ') : draft.url;
    const { name, transport } = draft;
    const row = { ...structuredClone(serverRows[3] as ServerRow), id, name, transport, origin };
    this.servers.push({ ...row, status: 'stopped', tools: 0, revision: '' });
    this.#drafts.set(id, draft);
    this.profiles.find((profile) => profile.id === this.currentProfile)?.servers.push(id);
    this.emit('servers', id);
    this.emit('profiles');
    return id;
  };
  addDemo: Backend['addDemo'] = async () =>
    this.servers.find(({ origin }) => origin.endsWith(' demo-server'))?.id ??
    this.addServer(draftOf({ name: 'Demo', command: '/usr/bin/gatehouse', args: ['demo-server'] }));
  updateServer: Backend['updateServer'] = async (id, draft) => {
    this.#server(id).name = draft.name;
    this.#drafts.set(id, draft);
    this.emit('servers', id);
  };
  askEraAgain: Backend['askEraAgain'] = async (id) => {
    this.#asked.add(id);
    this.emit('servers', id);
  };
  networkSettings: NetworkSettings = { proxy: 'system', address: '', except: '', authorities: [] };
  network: Backend['network'] = async () => networkOf(this.networkSettings);
  setNetwork: Backend['setNetwork'] = async (settings) => {
    this.networkSettings = acceptable(settings);
    this.emit('app');
  };
  removeServer: Backend['removeServer'] = async (id) => {
    const at = this.servers.indexOf(this.#server(id));
    this.#removed.set(id, [at, { ...this.#server(id), status: 'stopped' }]);
    this.servers = this.servers.filter((server) => server.id !== id);
    this.emit('servers', id);
  };
  restoreServer: Backend['restoreServer'] = async (id) => {
    const [at, server] = this.#removed.get(id)!;
    if (this.servers.some(({ name }) => name === server.name)) server.name += ' 2';
    this.servers.splice(at, 0, server);
    this.emit('servers', id);
    return server.name;
  };
  forgetServer: Backend['forgetServer'] = async (id) => {
    this.log.push(['forgetServer', id]);
    this.#removed.delete(id);
  };
  setServerEnabled: Backend['setServerEnabled'] = async (id, enabled) =>
    this.#setStatus(id, enabled ? 'stopped' : 'disabled');
  startServer: Backend['startServer'] = async (id) => this.#setStatus(id, 'ready');
  stopServer: Backend['stopServer'] = async (id) => this.#setStatus(id, 'stopped');
  serverLog: Backend['serverLog'] = async (id, after) =>
    logOf(detailOf(this.#server(id))).filter(({ seq }) => seq > after);
  setServerLogLevel: Backend['setServerLogLevel'] = async (id, level) => {
    this.log.push(['setServerLogLevel', id, level]);
    this.emit('servers', id);
  };
  serverDefaults: Backend['serverDefaults'] = async () => ({
    now: structuredClone(this.defaults),
    usual: usualDefaults,
    least: { inactiveMin: 1, totalMin: 1, inFlight: 1, openSec: 5, restart: false, resume: false },
    most: { inactiveMin: 120, totalMin: 1440, inFlight: 64, openSec: 600, restart: false, resume: false },
  });
  setServerDefaults: Backend['setServerDefaults'] = async (defaults) => {
    this.defaults = defaults;
    this.emit('app');
  };
  serverReport: Backend['serverReport'] = async (id) => `Report for ${this.#server(id).name}`;

  listProfiles: Backend['listProfiles'] = async () =>
    structuredClone({ current: this.currentProfile, profiles: this.profiles });
  switchProfile: Backend['switchProfile'] = async (id, stop) => {
    this.log.push(['switchProfile', id, stop]);
    return this.#change(id, stop, () => (this.currentProfile = id));
  };
  saveProfile: Backend['saveProfile'] = async (profile, stop) => {
    this.log.push(['saveProfile', profile, stop]);
    const id = profile.id || `profile-${this.log.length}`;
    if (this.profiles.some((each) => each.id !== id && each.name.toLowerCase() === profile.name.toLowerCase()))
      throw new BackendFailure('name-taken', 'taken', profile.name);
    return this.#change(id, stop || id !== this.currentProfile, () => {
      const at = this.profiles.findIndex((each) => each.id === id);
      this.profiles.splice(at < 0 ? this.profiles.length : at, at < 0 ? 0 : 1, structuredClone({ ...profile, id }));
    });
  };
  removeProfile: Backend['removeProfile'] = async (id) => {
    this.profiles = this.profiles.filter((profile) => profile.id !== id);
    this.emit('profiles');
  };

  listTools: Backend['listTools'] = async ({ text, serverId, offset, limit }) => {
    const rows = this.tools.filter(
      (tool) => (!serverId || tool.serverId === serverId) && tool.name.includes(text.toLowerCase()),
    );
    const servers = new Set(rows.map((tool) => tool.serverId)).size;
    return { total: rows.length, servers, rows: rows.slice(offset, offset + limit) };
  };
  tool: Backend['tool'] = async (serverId, name) => {
    const tool = this.tools.find((each) => each.serverId === serverId && each.name === name);
    if (!tool) throw new BackendFailure('unknown-tool', 'unknown tool', name);
    return structuredClone(tool);
  };
  icon: Backend['icon'] = async (serverId, kind, name) => this.icons[[serverId, kind, name].join(' ')] ?? '';
  setToolTimes: Backend['setToolTimes'] = async (serverId, name, times) => {
    this.log.push(['setToolTimes', serverId, name, times]);
    const tool = this.tools.find((each) => each.serverId === serverId && each.name === name);
    if (tool) tool.times = times;
  };
  refreshTools: Backend['refreshTools'] = async () => this.emit('tools');
  draftCall: Backend['draftCall'] = async (panel, serverId, tool, args) => {
    this.#panels.set(panel, { serverId, tool, args });
    const { risk, inputSchema } = await this.tool(serverId, tool);
    const line = args.replaceAll('\n', '');
    return {
      line,
      bytes: new TextEncoder().encode(line).length,
      digest: `${line.length.toString(16)}ab`.padStart(64, '0'),
      problems: missing(inputSchema, args),
      risk: { class: risk, classes: [risk], high: risk === 'destroy', findings: [] },
      gate: risk === 'destroy' ? ('high-risk' as const) : ('' as const),
    };
  };
  runCall: Backend['runCall'] = async (panel, digest, asTask) => {
    this.log.push(['runCall', panel, digest, asTask]);
    const composed = this.#panels.get(panel);
    const id = `call-${this.calls.size + 1}`;
    this.calls.set(id, {
      ...structuredClone(callView),
      id,
      serverId: composed?.serverId ?? '',
      serverName: this.servers.find((server) => server.id === composed?.serverId)?.name ?? '',
      tool: composed?.tool ?? '',
      startedAt: new Date().toISOString(),
      by: 'composed by you',
      ...this.outcome,
    });
    this.emit('call', id);
    return id;
  };
  call: Backend['call'] = async (id) => structuredClone(this.calls.get(id) ?? { ...callView, id });
  listTasks: Backend['listTasks'] = async () => structuredClone(this.tasks);
  stopCall: Backend['stopCall'] = async (id) => {
    this.log.push(['stopCall', id]);
    const call = this.calls.get(id);
    if (call) call.state = 'stopped';
    this.emit('call', id);
  };

  listResources: Backend['listResources'] = async (serverId, fresh) => {
    this.log.push(['listResources', serverId, fresh]);
    return listOf(this.resources, serverId);
  };
  readResource: Backend['readResource'] = async (serverId, uri, live) => {
    this.log.push(['readResource', serverId, uri, live]);
    return contentOf(this.resources[serverId], uri);
  };
  watchResource: Backend['watchResource'] = async (serverId, uri, on) => {
    this.log.push(['watchResource', serverId, uri, on]);
    follow(this.resources[serverId]!, uri, on);
    this.emit('lists', serverId);
  };
  searchResources: Backend['searchResources'] = async (serverId, query) => {
    this.log.push(['searchResources', serverId, query]);
    return { resources: this.resources[serverId]!.resources.slice(0, 1), warning: '' };
  };
  expandTemplate = expandTemplate;

  pending: Backend['pending'] = async () => structuredClone(this.requests);
  shown: Backend['shown'] = async (id) => void this.log.push(['shown', id]);
  hidden: Backend['hidden'] = async (id) => void this.log.push(['hidden', id]);
  amend: Backend['amend'] = async (id, args) => {
    this.log.push(['amend', id, args]);
    const item = amended(this.#request(id), args);
    this.emit('pending', id);
    return structuredClone(item);
  };
  resolve: Backend['resolve'] = async (id, digest, answer) => {
    this.log.push(['resolve', id, digest, answer]);
    if (this.#request(id).digest !== digest) throw new BackendFailure('consent-mismatch', 'digest', '');
    this.withdraw(id);
  };

  roots: Backend['roots'] = async () => structuredClone(this.folders);
  pickRoot: Backend['pickRoot'] = async (file) => {
    this.log.push(['pickRoot', file]);
    return '';
  };
  showRoot: Backend['showRoot'] = async (id, serverId, visibility) => {
    this.log.push(['showRoot', id, serverId, visibility]);
    this.folders.find((root) => root.id === id)!.servers[serverId] = visibility;
    this.emit('roots');
  };
  removeRoot: Backend['removeRoot'] = async (id) => {
    this.folders = this.folders.filter((root) => root.id !== id);
    this.emit('roots');
  };
  openAgain: Backend['openAgain'] = async (id) => void this.log.push(['openAgain', id]);

  chats: Backend['chats'] = async () =>
    this.talks.all.map(({ id, title, busy, waiting }) => ({ id, title, busy, waiting }));
  newChat: Backend['newChat'] = async () => this.talks.begin();
  removeChat: Backend['removeChat'] = async (id) => this.talks.remove(id);
  chat: Backend['chat'] = async (id) => structuredClone(this.talks.find(id));
  chatSend: Backend['chatSend'] = async (id, text) => {
    this.emit('chat', this.talks.say(id, 'user', text, this.take()).id);
  };
  chatReply: Backend['chatReply'] = async (id, text) => this.emit('chat', this.talks.say(id, 'model', text).id);
  chatRun: Backend['chatRun'] = async (_, panel, digest) => void (await this.runCall(panel, digest, false));
  chatStop: Backend['chatStop'] = async (id) => {
    this.talks.find(id).busy = false;
    this.emit('chat', id);
  };

  history: Backend['history'] = async ({ before: from, limit, serverId, text, decision }) => {
    const rows = this.journal.filter(
      (row) =>
        (!serverId || row.serverId === serverId) &&
        (!decision || row.decision === decision) &&
        row.what.toLowerCase().includes(text.toLowerCase()),
    );
    const start = from ? rows.findIndex(({ id }) => id === from) + 1 : 0;
    const page = rows.slice(start, start + limit);
    return { total: rows.length, rows: page, next: start + limit < rows.length ? (page.at(-1)?.id ?? '') : '' };
  };
  historyEntry: Backend['historyEntry'] = async (id) => {
    const entry = this.journal.find((row) => row.id === id);
    if (!entry) throw new BackendFailure('not-found', 'unknown entry', id);
    return structuredClone(entry);
  };

  historyNumbers: Backend['historyNumbers'] = async () => {
    const count = (is: (row: HistoryDetail) => boolean) => this.journal.filter(is).length;
    return {
      asked: count(({ by }) => by === 'user'),
      composed: count(({ by }) => by === 'composed by you'),
      byRule: count(({ by }) => by === 'standing launch consent'),
      denied: count(({ decision }) => decision === 'denied'),
      edited: count(({ edited }) => edited),
    };
  };

  /** The other side gave up: the request is gone without an answer. */
  withdraw(id: string): void {
    this.requests = this.requests.filter((item) => item.id !== id);
    this.emit('pending', id);
  }

  #change(id: string, stop: boolean, change: () => void): ProfileChange {
    if (this.running.length > 0 && !stop) return { id, running: this.running };
    change();
    const { servers } = this.profiles.find((profile) => profile.id === this.currentProfile)!;
    for (const server of this.servers) {
      const aside = !servers.includes(server.id);
      if (aside !== server.aside) Object.assign(server, { aside, status: aside ? 'stopped' : 'ready' });
    }
    this.emit('profiles');
    this.emit('servers');
    return { id, running: [] };
  }

  #server(id: string): ServerRow {
    const server = this.servers.find((each) => each.id === id);
    if (!server) throw new BackendFailure('unknown-server', 'unknown server', id);
    return server;
  }

  #request(id: string): PendingItem {
    const item = this.requests.find((each) => each.id === id);
    if (!item) throw new BackendFailure('withdrawn', 'withdrawn', id);
    return item;
  }

  #setStatus(id: string, status: ServerRow['status']): void {
    Object.assign(this.#server(id), { status, since: new Date().toISOString() });
    this.emit('servers', id);
  }

  /** The newest conversation. */
  get talk(): ChatView {
    return this.talks.find('');
  }
}
