import { sentence, words } from '@/i18n/message';

const { number, plural } = words('en');

export const consent = {
  windowAsks: 'Gatehouse needs your decision',
  asksYou: 'Gatehouse asks you',
  kinds: {
    toolCall: 'Tool call',
    launch: 'Server launch',
    connect: 'Connection',
    form: 'Form',
    url: 'Open an address',
    sample: 'Model request',
    roots: 'Folders',
  },
  position: (i: number, n: number) => `${number(i)} of ${number(n)}`,
  previous: 'Previous request',
  next: 'Next request',
  later: 'Decide later: leave it in the inbox',
  sealTitle: 'Your seal. Only Gatehouse can show it.',
  sealSpoken: (word: string) => `Verified by Gatehouse, seal ${word}`,
  /** Words for the seals; a word that the user chose stays as it is. */
  seals: {
    sailboat: 'Sailboat',
    lighthouse: 'Lighthouse',
    anchor: 'Anchor',
    mountain: 'Mountain',
    tree: 'Tree',
    key: 'Key',
    bell: 'Bell',
    leaf: 'Leaf',
    moon: 'Moon',
    fish: 'Fish',
    umbrella: 'Umbrella',
    lantern: 'Lantern',
  },

  callTitle: sentence('{server} wants to run {tool}'),
  launchTitle: sentence('Let {server} run programs on this computer?'),
  connectTitle: sentence('Let Gatehouse connect to {server}?'),
  launchMeans: 'A local server can do whatever you can do. Nothing has been downloaded or started yet.',
  connectMeans: 'A remote server sees what is sent to it. Nothing has been sent yet.',

  askedByModel: sentence('Asked for by {name}'),
  askedByModelIn: sentence('Asked for by {name} in “{chat}”'),
  askedAsModel: 'Asked for by you, acting as the model',
  askedAsModelIn: sentence('Asked for by you, acting as the model, in “{chat}”'),
  askedByUser: 'Asked for by you',
  askedByScript: sentence('Asked for by the command line, {name}'),
  origin: 'Where it comes from',
  refusedBefore: 'You refused the same call before.',
  editedByYou: 'Arguments changed by you',
  hiddenCount: (n: number) => plural(n, { one: '# hidden character', other: '# hidden characters' }),

  tabs: { fields: 'Fields', json: 'JSON', definition: 'Definition' },
  tabsLabel: 'Views of the request',
  noArguments: 'The call has no arguments.',
  notAnObject: 'The arguments cannot be read as fields. The JSON view shows them as they are.',
  insideField: (key: string) => `inside ${key}`,
  unnamed: 'Without a name',
  definitionOf: 'Definition as received',
  definitionChanged: 'The definition has changed since you last trusted it.',
  definitionShow: 'Show the changes',
  definitionDiff: 'Changes of the definition',

  edit: 'Edit',
  editTitle: 'Arguments as JSON',
  editHelp:
    'What you write here is what will be asked, checked and sent. Hidden characters are written as \\u escapes.',
  editUse: 'Use these arguments',
  editCancel: 'Keep the arguments as they were',
  editSyntax: (line: number, column: number) => `Not JSON: line ${number(line)}, column ${number(column)}`,
  editDuplicate: (line: number) => `The same name twice in one object, line ${number(line)}`,
  editDepth: 'Nested too deeply',

  problems: (n: number) =>
    plural(n, {
      one: '# problem with the arguments. The call can be edited or denied, not allowed.',
      other: '# problems with the arguments. The call can be edited or denied, not allowed.',
    }),
  problemWhole: 'The arguments as a whole',

  reason: 'Tell the model why (optional)',
  reasonAlone: 'Note why (optional)',
  deny: 'Deny',
  denyAndStop: 'Deny and stop',
  denyAndStopTitle: 'Deny this call and end the model’s turn',
  allowOnce: 'Allow once',
  nothingYet: 'Nothing has run yet',
  dontStart: 'Don’t start',
  approveAndStart: 'Approve and start',
  dontConnect: 'Don’t connect',
  approveAndConnect: 'Approve and connect',
  editServer: 'Edit server',

  question: {
    needed: sentence('Needed to continue {tool}'),
    via: {
      request: 'Asked by a request of its own',
      input: 'Asked before it gives a result',
      task: 'Asked for a task',
      error: 'Asked because a call could not be made without it',
    },
    fieldsBy: (server: string) => `Questions and choices written by ${server}, not checked`,
    trust: (server: string) => `Only give information you trust ${server} with.`,
    noPasswords: 'Never enter passwords here.',
    asksSecrets: (n: number) =>
      plural(n, {
        one: '# field seems to ask for a secret. Servers must not ask for secrets in a form; the history will not keep what you enter there.',
        other:
          '# fields seem to ask for secrets. Servers must not ask for secrets in a form; the history will not keep what you enter there.',
      }),
    cancel: 'Cancel',
    cancelTitle: 'Tell the server that you did not decide',
    decline: 'Decline',
    declineTitle: 'Tell the server no',
    submit: 'Submit',
    withdrawn: 'This question was withdrawn. Nothing was sent.',
  },

  off: {
    answers: (n: number) => plural(n, { one: '# answer to fix', other: '# answers to fix' }),
    arming: 'Read it first: this works in a moment',
    answering: 'Answered',
    gone: 'The request is gone',
    problems: 'The arguments have problems',
    editing: 'Finish editing first',
    folded: (n: number) =>
      plural(n, { one: '# value is not shown whole yet', other: '# values are not shown whole yet' }),
    unseen: 'Scroll to the end first',
    definition: 'Look at the changed definition first',
  },
  withdrawn: 'This request was withdrawn. Nothing has run.',
  changed: 'The request changed while it was open. Read it again.',

  command: 'Full command',
  argumentsWhole: (n: number) => plural(n, { one: '# argument, shown whole', other: '# arguments, shown whole' }),
  argumentNote: (n: number) => plural(n, { one: '# character', other: '# characters' }),
  blankRun: 'contains a long run of blanks',
  url: 'Address',
  dir: 'Working folder',
  environment: 'Environment',
  headers: 'Headers',
  noVariables: 'None beyond the basic ones.',
  kept: { keyring: 'keyring', env: 'environment' },
  dangerous: 'Changes how programs run',
  inherited: (n: number) =>
    plural(n, {
      one: 'Only these and # basic variable are passed. The rest of your environment stays here.',
      other: 'Only these and # basic variables are passed. The rest of your environment stays here.',
    }),
  inheritedShow: 'Show their names',
  beforeTitle: 'Changed since you last approved it',

  diffAdded: 'added',
  diffRemoved: 'removed',

  arrived: {
    call: (server: string, tool: string, risk: string) => `${server} wants to run ${tool}. ${risk}.`,
    launch: (server: string, risk: string) => `${server} wants to start. ${risk}.`,
    waiting: 'It waits in the inbox.',
  },

  inbox: {
    waiting: (n: number) =>
      plural(n, {
        one: '# request waits, nothing of it runs meanwhile',
        other: '# requests wait, nothing of them runs meanwhile',
      }),
    nothing: 'Nothing waits for you. Requests of models and servers appear here before anything runs.',
    review: 'Review…',
    reviewOf: (server: string) => `Review the request of ${server}`,
    denyAll: 'Deny all…',
    denyAllTitle: (n: number) => plural(n, { one: 'Deny # request?', other: 'Deny # requests?' }),
    denyAllText: 'Each is answered with no. Nothing of it runs, and the history keeps it.',
    denyAllDo: 'Deny all',
    byYou: 'Asked for by you',
    byScript: 'Asked for by the command line',
    callRow: sentence('{server} wants to run {tool}'),
    launchRow: sentence('{server} wants to run programs on this computer'),
    connectRow: sentence('Gatehouse wants to connect to {server}'),
    move: 'move',
    open: 'review',
    back: 'go back',
    hint: 'Each request opens in the gate. Nothing can be allowed from this list.',
  },
} as const;
