// What servers ask of the user, beside forms: the questions that the design draws.

import type { PendingItem } from '@/backend/backend';
import type { MessageBlock } from '@/backend/question';
import type { RootRow } from '@/backend/roots';
import { quayForm } from './requests';
import { before } from './servers';

const text = (words: string): MessageBlock => ({
  kind: 'text',
  text: words,
  mimeType: '',
  data: '',
  uri: '',
  name: '',
  bytes: words.length,
  note: '',
  detail: '',
  audience: [],
});

/** An address that a server wants opened. */
export const ledgerVisit: PendingItem = {
  ...quayForm,
  id: 'req-ledger',
  kind: 'url',
  digest: '4a'.repeat(32),
  server: { id: 'srv-ledger', alias: 'Ledger', claimed: 'ledger', origin: 'https://ledger.example/mcp' },
  risk: {
    class: 'leave',
    classes: ['leave'],
    high: true,
    findings: [
      {
        code: 'leaves-computer',
        class: 'leave',
        pointer: '/url',
        line: 1,
        start: 0,
        end: 29,
        detail: 'login.payport.example',
      },
    ],
  },
  problems: [],
  question: {
    via: 'error',
    tool: 'list_invoices',
    message: 'Connect your PayPort account so that I can read the open invoices.',
    schema: '',
    params: '{}',
    reply: '',
    address: {
      before: 'https://login.',
      domain: 'payport.example',
      after: '/consent?client=harbour&state=9f2c71d0e4&scope=invoices.read',
      registered: 'payport.example',
      unicode: '',
      strange: [],
      secure: true,
      times: 2,
      lastTime: before(60 * 60 * 24 * 12),
    },
  },
};

/** One that looks like it. */
export const lookAlikeVisit: PendingItem = {
  ...ledgerVisit,
  id: 'req-alike',
  digest: '4b'.repeat(32),
  question: {
    ...ledgerVisit.question!,
    address: {
      ...ledgerVisit.question!.address!,
      before: 'https://',
      domain: 'xn--pyport-3nf.example',
      registered: 'xn--pyport-3nf.example',
      unicode: 'p\u0430yport.example',
      strange: [{ letter: '\u0430', code: 'U+0430', script: 'Cyrillic' }],
      times: 0,
      lastTime: '',
    },
  },
};

/** It is open in the browser. */
export const openVisit: PendingItem = {
  ...ledgerVisit,
  id: 'visit-ledger',
  digest: '00'.repeat(32),
  visit: { goes: true, completed: false, failed: false },
};

/** A request for the answer of a model. */
export const notesSample: PendingItem = {
  ...quayForm,
  id: 'req-sample',
  kind: 'sample',
  digest: '4c'.repeat(32),
  server: { id: 'srv-notes', alias: 'Notes', claimed: 'notes', origin: 'https://notes.harbour.example/mcp' },
  question: {
    via: 'request',
    tool: 'summarise_shift',
    message: '',
    schema: '',
    params: '{}',
    reply: '',
    sample: {
      system: 'You write terse shift handovers for a harbour control room.',
      messages: [
        {
          role: 'user',
          blocks: [text('Summarise these log entries in five bullet points. Name delayed berths first.')],
        },
        { role: 'assistant', blocks: [{ ...text('{"watch":"early"}'), kind: 'toolUse', name: 'read_log' }] },
        {
          role: 'user',
          blocks: [{ ...text(''), kind: 'toolResult', name: 'use-1' }, text('06:10 B3 pilot late, +25 min')],
        },
      ],
      hints: ['haiku', 'small'],
      cost: 0.9,
      speed: 0.5,
      intelligence: 0.1,
      maxTokens: 800,
      temperature: '0.2',
      stops: ['END'],
      context: 'thisServer',
      tools: [
        {
          name: 'read_log',
          title: 'Read the log',
          description: 'Reads the entries of a watch.',
          inputSchema:
            '{"type":"object","properties":{"watch":{"type":"string","title":"Watch"}},"required":["watch"]}',
        },
      ],
      toolChoice: 'auto',
      metadata: '',
      left: 0,
    },
  },
};

/** Which folders there are, asked by a server. */
export const ledgerRoots: PendingItem = {
  ...ledgerVisit,
  id: 'req-roots',
  kind: 'roots',
  digest: '4d'.repeat(32),
  risk: { class: 'unknown', classes: ['unknown'], high: false, findings: [] },
  question: {
    via: 'request',
    tool: '',
    message: '',
    schema: '',
    params: '{}',
    reply:
      '{"roots":[{"uri":"file:///home/mara/work/harbour","name":"harbour"},{"uri":"file:///home/mara/data/tides","name":"tides"}]}',
  },
};

/** A folder that a server asks to add. */
export const ledgerRootAdd: PendingItem = {
  ...ledgerRoots,
  id: 'req-root-add',
  kind: 'rootAdd',
  digest: '4e'.repeat(32),
  question: {
    ...ledgerRoots.question!,
    params: '{"uri":"file:///home/mara/work/ledger","name":"Books","metadata":{"readOnly":true,"type":"vault"}}',
    reply: '{"uri":"file:///home/mara/work/ledger","name":"ledger","metadata":{"readOnly":true,"type":"directory"}}',
  },
};

const root = (name: string, path: string, servers: RootRow['servers']): RootRow => ({
  id: `root-${name}`,
  path,
  name,
  uri: `file://${path}`,
  type: 'directory',
  readOnly: false,
  missing: false,
  home: false,
  servers,
});

export const folders: RootRow[] = [
  root('harbour', '/home/mara/work/harbour', { 'srv-shell': 'visible', 'srv-pg': 'visible', 'srv-notes': 'ask' }),
  { ...root('tides', '/home/mara/data/tides', { 'srv-pg': 'visible' }), readOnly: true },
  { ...root('old', '/home/mara/old', {}), missing: true },
  { ...root('mara', '/home/mara', {}), home: true },
];
