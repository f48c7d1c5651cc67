// The conversation and the manual model.

import { words } from '@/i18n/message';

const { plural } = words('en');

export const chat = {
  newTitle: 'New chat',
  begin: 'New chat',
  list: (title: string) => `Chats, now “${title}”`,
  remove: 'Remove this chat…',
  removeTitle: 'Remove this chat?',
  removeText:
    'Its messages are kept only while Gatehouse runs, and are gone at once. The history keeps every decision.',
  removeBusy:
    'It is still at work: what it runs is stopped, and what waits for your decision is refused. The history keeps every decision.',
  removeDo: 'Remove',
  yourMove: 'Your move',
  working: 'At work',
  log: 'Conversation',
  you: 'You',
  model: 'Model',
  manual: 'You (manual)',
  actsAsModel: 'You, as the model',
  empty: 'What do you want to find out?',
  emptyExplain: 'You see every call before it runs. Nothing has been sent yet.',
  noServers: 'No server is ready. Start one, and its tools can be called here.',
  openServers: 'Open Servers',
  placeholder: 'Write a message',
  placeholderModel: 'Write the model’s answer, or pick a tool above',
  placeholderDecision: 'A call waits for your decision',
  placeholderBusy: 'The model is working',
  composer: 'Message',
  send: 'Send',
  stop: 'Stop the turn',
  keys: 'Enter sends, Shift Enter starts a new line',
  side: {
    acts: 'Who acts in this chat',
    mayUse: 'What it may use',
    tools: (n: number) => plural(n, { one: '# tool', other: '# tools' }),
    none: 'Nothing: no server is ready.',
    noModel: 'No model is set up. You play it: pick a tool, or write its answer.',
  },
  manualPanel: {
    call: 'You act as the model. Call',
    pick: 'Pick a tool…',
    find: 'Find a tool',
    noTools: 'No tool matches.',
    hint: 'Pick a tool to call, or write the model’s answer below.',
  },
  notes: {
    stopped: 'The turn was stopped by you.',
    modelError: 'The model could not be reached or answered with an error. Try again, or act as the model yourself.',
    tooManyRounds: 'The turn was ended: the model kept calling tools. Write a message to go on.',
    unknownTool: 'The model asked for a tool that is not offered. Nothing was run.',
    badArguments: 'The model’s arguments are not JSON. Nothing was run.',
  },
  card: {
    expand: 'Show the result',
    collapse: 'Hide the result',
    waiting: 'Waits for you',
    review: 'Review',
    allowed: 'Allowed',
    ranByYou: 'Run by you',
    denied: 'Denied',
    edited: 'Arguments changed by you',
    unknownTool: 'A tool',
  },
} as const;
