// Forms drawn from a server's schema.

import { words } from '@/i18n/message';

const { number, plural } = words('en');

export const form = {
  arguments: 'Arguments as JSON',
  noArguments: 'This tool takes no arguments.',
  required: 'Required',
  needsValue: 'Needs a value.',
  notSent: 'Not sent',
  choose: 'Choose…',
  preset: 'Default from the server.',
  extra: 'Not in the schema. It is sent as it stands here.',
  doesNotFit: 'The value is not what the schema describes, so it is shown as JSON.',
  sendNull: 'Send null',
  emptyList: 'An empty list is sent.',
  item: (n: number) => `Item ${number(n)}`,
  addItem: 'Add item',
  removeItem: (n: number) => `Remove item ${number(n)}`,
  addGroup: 'Add',
  removeGroup: 'Remove',
  picked: (n: number, all: number) => `${number(n)} of ${number(all)} chosen`,
  items: (n: number) => plural(n, { one: '# item', other: '# items' }),
  longest: (n: number) => plural(n, { one: 'up to # character', other: 'up to # characters' }),
  number: 'number',
  wholeNumber: 'whole number',
  range: (kind: string, least: string, most: string) => `${kind}, ${least} to ${most}`,
  between: (kind: string, least: string, most: string) => `${kind} between ${least} and ${most}`,
  atLeast: (kind: string, least: string) => `${kind}, at least ${least}`,
  atMost: (kind: string, most: string) => `${kind}, at most ${most}`,
  above: (kind: string, least: string) => `${kind} above ${least}`,
  below: (kind: string, most: string) => `${kind} below ${most}`,
  formats: {
    date: 'YYYY-MM-DD',
    'date-time': '2026-11-30T14:05:00Z',
    time: '14:05:00Z',
    email: 'e-mail address',
    uri: 'address with its scheme',
    uuid: 'UUID',
  },
  faults: {
    number: 'Not a number. Write it with digits, a point and perhaps an exponent.',
    json: 'Not JSON yet.',
  },
  jsonFaults: {
    syntax: (line: number, column: number) => `Not JSON at line ${number(line)}, column ${number(column)}.`,
    duplicate: (line: number, column: number) =>
      `The same name twice in one object, at line ${number(line)}, column ${number(column)}.`,
    depth: (line: number, column: number) => `Nested too deeply at line ${number(line)}, column ${number(column)}.`,
  },
  completion: {
    ask: (server: string) =>
      `${server} can propose values while you type. It then sees what you type here and the other values; never what looks like a secret.`,
    allow: 'Let it see',
    refuse: 'Don’t',
    secret: (server: string) => `This looks like a secret: ${server} does not see it before you send it.`,
    values: (server: string) => `Values proposed by ${server}`,
    saw: (server: string, value: string) => `From ${server}, not checked. It saw “${value}”.`,
    sawWith: (server: string, value: string, names: string) =>
      `From ${server}, not checked. It saw “${value}” and ${names}.`,
    more: (n: number) => plural(n, { one: '# more: type on.', other: '# more: type on.' }),
    moreUnknown: 'There are more: type on.',
    label: 'Proposals',
    setting: (server: string) => `Proposals of ${server}`,
    settingHelp: 'Whether the server sees what you type, so that it can propose values',
    settings: { ask: 'Ask', on: 'On', off: 'Off' },
  },
  fallbacks: {
    any: 'The schema allows any value here. Write it as JSON.',
    combined: 'The schema combines several shapes here. Write it as JSON.',
    map: 'The schema leaves the names open here. Write it as JSON.',
    mixed: 'The schema allows several types here. Write it as JSON.',
    recursive: 'The schema refers to itself here. Write it as JSON.',
    reference: 'The schema refers to something that is not in it, and nothing is fetched. Write it as JSON.',
    deep: 'The schema nests too deeply for a form. Write it as JSON.',
    large: 'The schema is too large for a form. Write it as JSON.',
    list: 'The schema does not say what the items are. Write them as JSON.',
    invalid: 'The schema cannot be read. Write the arguments as JSON.',
  },
} as const;
