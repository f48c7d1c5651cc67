// Resources of the fake back end, by server. A server that is not here has none.

import type { Backend, Block, ResourceContent, ResourceList, ResourceRow } from '@/backend/backend';

const row = (uri: string, mimeType: string, size: number, changes: Partial<ResourceRow> = {}): ResourceRow => {
  const name = uri.slice(uri.lastIndexOf('/') + 1);
  return {
    uri,
    name,
    title: name,
    description: '',
    mimeType,
    size,
    audience: [],
    priority: -1,
    lastModified: '',
    problem: '',
    type: uri.startsWith('pg:') ? 'database' : 'file',
    metadata: '',
    ...changes,
  };
};

export const resourceLists: Record<string, ResourceList> = {
  'srv-notes': {
    offered: true,
    resources: [
      row('notes://shifts/2026-11-30-early.md', 'text/markdown', 8200),
      row('notes://shifts/2026-11-29-night.md', 'text/markdown', 11_300),
      row('notes://files/tide-table.md', 'text/markdown', 3112, {
        description: 'The tides of the harbour basin, week by week.',
        audience: ['user', 'assistant'],
        priority: 0.8,
      }),
      row('notes://files/berth-plan.png', 'image/png', 214_000),
    ],
    templates: [
      {
        uriTemplate: 'notes://shift/{date}/{watch}{?page}',
        title: 'Shift notes',
        description: 'The notes of one watch.',
        mimeType: 'text/markdown',
        variables: [
          { name: 'date', optional: false },
          { name: 'watch', optional: false },
          { name: 'page', optional: true },
        ],
        problem: '',
        type: 'other',
      },
    ],
    warning: '',
    stale: '',
    subscribe: true,
    metadata: false,
    live: ['notes://files/tide-table.md'],
    completion: 'ask',
    search: true,
  },
  'srv-pg': {
    offered: true,
    resources: [
      row('pg://schema.sql', 'application/sql', 19_000, { metadata: '{"type":"database","rows":1200}' }),
      row('pg://arrivals', 'application/json', -1),
      row('pg://dump', 'application/octet-stream', 48_000_000),
    ],
    templates: [],
    warning: 'more than 3 resources',
    stale: '',
    subscribe: false,
    metadata: true,
    live: [],
    completion: '',
    search: false,
  },
};

const tide = `# Tide table, harbour basin

Week 49, heights above chart datum.

| Day | High  | m   | Low   | m   |
|-----|-------|-----|-------|-----|
| Mon | 04:12 | 3.9 | 10:31 | 0.8 |
| Tue | 04:58 | 4.1 | 11:17 | 0.6 |

Berths B1 to B3: no deep draught below 1.0 m.`;

export const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

export function contentOf(list: ResourceList | undefined, uri: string): ResourceContent {
  const { mimeType } = list?.resources.find((each) => each.uri === uri) ?? { mimeType: 'text/plain' };
  const block = (changes: Partial<Block>): Block => ({
    kind: 'text',
    text: '',
    mimeType,
    data: '',
    uri,
    name: '',
    bytes: 0,
    note: '',
    detail: '',
    audience: [],
    ...changes,
  });
  const one = mimeType.startsWith('image/')
    ? block({ kind: 'image', data: dot, bytes: 70 })
    : mimeType === 'application/json'
      ? block({ text: '{"ship":"Mira","berth":"B1"}', bytes: 28 })
      : mimeType === 'application/octet-stream'
        ? block({ kind: 'resource', bytes: 48_000_000 })
        : block({ text: tide, bytes: tide.length });
  return { at: new Date().toISOString(), durationMs: 38, bytes: one.bytes, blocks: [one], truncated: 0 };
}

const noResources: ResourceList = {
  offered: false,
  resources: [],
  templates: [],
  warning: '',
  stale: '',
  subscribe: false,
  metadata: false,
  live: [],
  completion: '',
  search: false,
};

/** {name} and {?name}: enough for the stories of the fake. */
export const expandTemplate: Backend['expandTemplate'] = async (_, template, values) =>
  template.replace(/\{(\??)(\w+)\}/g, (__, query: string, name: string) =>
    values[name] === undefined ? '' : `${query && `?${name}=`}${encodeURIComponent(values[name])}`,
  );

export const listOf = (lists: Record<string, ResourceList>, serverId: string): ResourceList =>
  structuredClone(lists[serverId] ?? noResources);

export function follow(list: ResourceList, uri: string, on: boolean): void {
  list.live = [...list.live.filter((each) => each !== uri), ...(on ? [uri] : [])];
}
