// A call on its way and what came back.

import { words } from '@/i18n/message';

const { number, plural } = words('en');

export const result = {
  title: 'Result',
  views: { text: 'Text', table: 'Table', json: 'JSON' },
  viewAs: 'View the result as',
  states: {
    asking: 'Waiting for your decision',
    queued: 'Waiting for its turn',
    running: 'Running',
    ok: 'Finished',
    toolError: 'The tool reports an error',
    failed: 'The call failed',
    denied: 'Denied',
    stopped: 'Stopped by you',
    timedOut: 'Timed out',
    interrupted: 'Interrupted when Gatehouse closed',
  },
  explain: {
    asking: 'The call waits in the inbox. Nothing has been sent.',
    queued: 'The server is busy with other calls. Nothing has been sent yet.',
    toolError: 'The call went through and the tool answered that it could not do it. Its words are below.',
    refusedByServer: (code: string) =>
      `The server refused the call with error ${code}. Its words are below; check the arguments.`,
    failed: 'No answer came back. The server may have acted all the same; look at its log before you try again.',
    denied: 'Nothing was sent.',
    stopped: 'The server was told to stop. What it did until then stays done.',
    timedOut: 'The server did not answer in time and was told to stop. It may have acted all the same.',
    interrupted: 'Gatehouse closed while the call ran. The server may have acted all the same.',
  },
  reason: (text: string) => `Reason: ${text}`,
  by: {
    user: 'You',
    composed: 'Composed by you',
    standing: 'Approved before',
    host: 'Gatehouse, as nobody answered',
  },
  decidedBy: (who: string) => `Decided by: ${who}`,
  elapsed: (time: string) => `${time} so far`,
  progress: (done: string, total: string) => `${done} of ${total}`,
  progressOpen: (done: string) => `${done} so far`,
  progressLabel: (tool: string) => `Progress of ${tool}`,
  stop: 'Stop',
  truncated: (bytes: string) => `The preview ends here. ${bytes} more are not shown.`,
  unrecorded: 'The call was made, but its end could not be written to the history.',
  sent: 'Sent exactly as',
  empty: 'The tool answered with no content.',
  matches: 'Structured content matches the output schema',
  mismatch: (problem: string) => `Structured content does not match the output schema: ${problem}`,
  rows: (shown: number, all: number) => `${number(shown)} of ${number(all)} rows; all of them are under JSON`,
  blocks: {
    image: 'Image',
    audio: 'Audio',
    link: 'Link',
    resource: 'Embedded resource',
    unknown: 'Content of a kind that Gatehouse does not know',
  },
  imageFrom: (server: string) => `Image from ${server}, not checked`,
  imageNotShown: 'This is not a PNG, JPEG, GIF or WebP image, so it is not shown.',
  audioNotPlayed: 'This is not a sound format that can be played here.',
  linkInert: 'Not opened and not fetched.',
  copyAddress: 'Copy address',
  viewsInert: 'Interactive view not supported',
  notes: {
    invalid: (detail: string) => `This part of the answer is not valid: ${detail}`,
    'too-large': (size: string) => `This is too large to be shown here: ${size}`,
  },
  audience: { user: 'for you', assistant: 'for the model' },
  lines: (n: number) => plural(n, { one: '# line', other: '# lines' }),
} as const;
