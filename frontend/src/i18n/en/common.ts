import { words } from '@/i18n/message';

const { number, plural } = words('en');

export const common = {
  app: 'Gatehouse',
  title: (waiting: number) => (waiting > 0 ? `(${number(waiting)}) Gatehouse` : 'Gatehouse'),
  pages: {
    inbox: 'Inbox',
    chat: 'Chat',
    servers: 'Servers',
    tools: 'Tools',
    history: 'History',
    settings: 'Settings',
  },
  navigation: 'Main',
  window: { minimise: 'Minimise', maximise: 'Maximise', close: 'Close' },
  cancel: 'Cancel',
  close: 'Close',
  copy: 'Copy',
  copied: 'Copied',
  copyReport: 'Copy report',
  retry: 'Try again',
  dismiss: 'Dismiss',
  find: 'Find in this text',
  findNext: 'Next place',
  found: (i: number, n: number) => (n === 0 ? 'Not found' : `${number(i)} of ${number(n)}`),
  showAll: 'Show all',
  showMore: 'Show more',
  showLess: 'Show less',
  yes: 'Yes',
  no: 'No',
  loading: 'Loading',
  writtenBy: (server: string) => `Written by ${server}, not checked`,
  writtenByClaiming: (server: string, claimed: string) =>
    `Written by ${server}, which calls itself “${claimed}”, not checked`,
  lines: (n: number) => plural(n, { one: '# line', other: '# lines' }),
  linesWhole: (n: number) => plural(n, { one: '# line, shown whole', other: '# lines, shown whole' }),
  characters: (n: number) => plural(n, { one: '# character', other: '# characters' }),
  hiddenCharacter: (name: string) => `hidden character, ${name}`,
  hiddenCharacters: (n: number, name: string) => `${number(n)} hidden characters, ${name}`,
  times: (what: string, n: number) => `${what} × ${number(n)}`,
  spaces: (n: number) => plural(n, { one: '# space', other: '# spaces' }),
  emptyLines: (n: number) => plural(n, { one: '# empty line', other: '# empty lines' }),
  emptyText: 'empty text',
  notice: 'Something about this window needs your attention',
  notices: {
    'keyring-session': 'No keyring is available. Secrets are kept in memory and are gone when Gatehouse closes.',
    'keyring-keyring':
      'The keyring does not answer. It may be waiting for its password; secrets cannot be used until it has it.',
    'data-read-only': 'The data folder cannot be written. Nothing can be allowed, because no decision can be recorded.',
    'second-window': 'Another window uses this data folder. This one only shows what is stored.',
  },
} as const;
