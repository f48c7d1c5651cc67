// What servers ask of the user.

import { sentence, words } from '@/i18n/message';

const { plural } = words('en');

export const asks = {
  titles: {
    form: sentence('{server} asks you for details'),
    url: sentence('{server} wants to open {about}'),
  },
  /** Spoken when a question comes, and shown in the inbox. */
  lines: {
    form: (server: string) => `${server} asks you for details`,
    url: (server: string, about: string) => `${server} wants to open ${about}`,
    visit: (server: string, about: string) => `${server} waits for you to finish at ${about}`,
  },

  url: {
    opens: 'Opens a page in your browser',
    opensMeans: (domain: string) => `Whatever you type there goes to ${domain}, not to Gatehouse or the model.`,
    imitates: 'This address may imitate another one',
    imitatesMeans: (shown: string) => `It displays as ${shown}, but not all of that is plain Latin letters.`,
    odd: 'This address is not what it seems at first sight',
    oddMeans: (host: string) => `${host} is a number in an unusual form.`,
    inside: 'This address leads into your own network',
    insideMeans: (server: string) => `${server} is a remote server and cannot reach it itself; your browser can.`,
    here: 'This address leads to a program on this computer',
    hereMeans: 'Your browser opens it as if you had typed it.',
    hereRemote: (server: string) => `${server} is a remote server and cannot reach it itself; your browser can.`,
    lookAlike: 'Look-alike',
    letter: (letter: string, code: string, script: string) => `“${letter}” is ${script}, ${code}`,
    full: 'Full address',
    copy: 'Copy',
    domain: 'Domain',
    connection: 'Connection',
    secure: 'HTTPS',
    plain: 'Not encrypted',
    seen: 'Opened before',
    never: 'Never',
    times: (n: number, last: string) => plural(n, { one: `Once, on ${last}`, other: `# times, last on ${last}` }),
    notAgreeing: 'You agree to opening it, nothing more.',
    open: 'Open in browser',
    anyway: 'Open anyway…',
    doubt: 'Look at the warning first',
  },

  visit: {
    kind: 'In your browser',
    waiting: 'Waiting for you to finish in the browser',
    knows: (time: string, server: string) =>
      `Opened at ${time}. ${server} knows that you agreed to open it, nothing more. Gatehouse can’t see that page.`,
    goes: (time: string, tool: string) =>
      `Opened at ${time}. ${tool} is asked for again when you have finished. Gatehouse can’t see that page.`,
    goesOn: (time: string) =>
      `Opened at ${time}. What needed it is asked for again when you have finished. Gatehouse can’t see that page.`,
    done: (server: string) => `${server} says that it is done`,
    doneText: 'You decide whether to go on.',
    doneClose: 'Nothing more is needed here.',
    failed: 'The browser could not be opened',
    failedText: (server: string) => `${server} was told that you did not decide. You can copy the address.`,
    stays: 'You can go on working. This stays in the inbox.',
    again: 'Open again',
    finished: 'I have finished',
    stop: 'Stop waiting',
    withdrawn: 'Nobody waits for this any more.',
  },
} as const;
