// What servers ask of the user.

import { sentence, words } from '@/i18n/message';

const { plural } = words('en');

export const asks = {
  titles: {
    form: sentence('{server} asks you for details'),
    url: sentence('{server} wants to open {about}'),
    roots: sentence('{server} asks which folders it may know about'),
    rootAdd: sentence('{server} asks to add {about} to the roots'),
    rootRemove: sentence('{server} asks to forget {about}'),
    sample: sentence('{server} wants to ask a model a question'),
  },
  /** Spoken when a question comes, and shown in the inbox. */
  lines: {
    form: (server: string) => `${server} asks you for details`,
    url: (server: string, about: string) => `${server} wants to open ${about}`,
    roots: (server: string) => `${server} asks which folders it may know about`,
    rootAdd: (server: string, about: string) => `${server} asks to add ${about} to the roots`,
    rootRemove: (server: string, about: string) => `${server} asks to forget ${about}`,
    sample: (server: string) => `${server} wants to ask a model a question`,
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

  sample: {
    risk: 'You answer in the place of a model',
    riskMeans: (server: string) => `Only what you write goes to ${server}, and only after you send it.`,
    steps: { review: 'Read the request', answer: 'Write the answer' },
    system: 'System prompt',
    roles: { user: 'User', assistant: 'Assistant' },
    uses: 'Used the tool',
    answers: 'Result of the use',
    noMessages: 'There are no messages.',
    left: (size: string) => `${size} more are too long to show.`,
    hints: 'Wished-for models',
    intelligence: 'Intelligence',
    speed: 'Speed',
    cost: 'Low cost',
    levels: { open: 'Not stated', low: 'Low', middle: 'Medium', high: 'High' },
    longest: 'Longest answer',
    tokens: (n: number) => plural(n, { one: '# token', other: '# tokens' }),
    temperature: 'Temperature',
    stopsAt: 'Stops at',
    tools: 'Tools of this request',
    choices: {
      auto: 'The answer may use one.',
      required: 'The answer must use one.',
      none: 'The answer must use none.',
    },
    metadata: 'For the provider',
    noContext: (server: string) => `${server} asks for more context. It gets none.`,
    stays: (server: string) =>
      `Nothing of this goes to a model. ${server} gets the answer that you write, or learns that you rejected it.`,
    text: 'Answer',
    textHelp: (n: number) =>
      plural(n, { one: 'The server wishes for at most # token.', other: 'The server wishes for at most # tokens.' }),
    tool: 'Use a tool',
    noTool: 'None',
    toolHelp: (server: string) => `${server} runs it itself. Gatehouse runs nothing.`,
    stop: 'Why the answer ends',
    stops: {
      endTurn: 'It is complete',
      maxTokens: 'It is as long as allowed',
      stopSequence: 'It came to a stop sequence',
    },
    sent: 'Sent exactly as',
    reviewFirst: 'Write the answer first',
    empty: 'There is no answer yet',
    write: 'Write the answer…',
    back: 'Back to the request',
    reject: 'Reject',
    send: 'Send',
  },

  roots: {
    leaves: 'Folder paths would leave this computer',
    stays: 'A server asks where it may work',
    means: 'Only names and paths are sent, never the files.',
    choose: 'Folders to reveal',
    receives: (server: string) => `What ${server} receives`,
    pathTells: 'A path may contain your user name.',
    never: 'You can change this on the Roots page.',
    none: 'Reveal none',
    reveal: (n: number) => plural(n, { one: 'Reveal # folder', other: 'Reveal # folders' }),
  },

  rootChange: {
    titles: {
      rootAdd: 'A server names a folder or file of yours',
      rootRemove: 'A server no longer wants to be told of it',
    },
    means: {
      rootAdd: 'It goes into your list, visible to this server alone. Nothing in it is sent.',
      rootRemove: 'It stays in your list, and others keep what they have.',
    },
    receives: (server: string) => `What ${server} may be told`,
    first: 'The first time a server is told its roots, you are asked again.',
    refuse: 'Refuse',
    add: 'Add and show',
    remove: 'Hide from it',
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
