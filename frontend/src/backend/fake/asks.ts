// What servers ask of the user, beside forms: the questions that the design draws.

import type { PendingItem } from '@/backend/backend';
import { quayForm } from './requests';
import { before } from './servers';

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
