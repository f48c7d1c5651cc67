import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FakeBackend } from '@/backend/fake';
import { BackendFailure } from '@/backend/errors';
import { markup } from '@/backend/fake/hostile';
import { buttonOf, openPage, optionsOf } from '@/test/page';

// jsdom lays nothing out: the list would draw its first lines only.
beforeEach(() => void vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const option = (text: string) => optionsOf().find((each) => each.textContent.includes(text))!;
const pane = () => document.querySelector<HTMLElement>('section.details')!;
const content = () => pane().querySelector<HTMLElement>('blockquote[aria-label^="Content from"]');
const open = (prepare?: (backend: FakeBackend) => void) => openPage({ page: 'resources' }, prepare);
const tide = 'notes://files/tide-table.md';

describe('the list', () => {
  it('shows what each connected server lists, and narrows it', async () => {
    const { type, press } = await open();
    expect(optionsOf().map((each) => each.textContent.replace(/\s+/g, ' ').trim())).toHaveLength(10);
    expect(document.querySelector('.head')).toHaveTextContent('7 and 1 template on 2 servers');
    await type(document.querySelector('.search input')!, 'image/png');
    expect(optionsOf()).toHaveLength(2);
    await type(document.querySelector('.search input')!, '');
    await press(buttonOf(/^Live 1$/));
    expect(optionsOf()).toHaveLength(2);
    expect(option('tide-table')).toHaveTextContent('Live');
  });

  it('has a server search only when told so, once for each text, and only one that can', async () => {
    const { type, press, pass, calls } = await open((fake) => {
      const search = fake.searchResources;
      fake.searchResources = async (id, query) => {
        await search(id, query);
        return { resources: [{ ...fake.resources[id]!.resources[0]!, title: 'found by it' }], warning: '' };
      };
    });
    expect(document.querySelector('.ask')).toBeNull();
    await type(document.querySelector('.search input')!, 'moon');
    expect(document.querySelectorAll('.ask')).toHaveLength(1);
    expect(calls('searchResources')).toEqual([]);
    await press(buttonOf(/^Let Notes search$/));
    await pass();
    expect(calls('searchResources')).toEqual([['srv-notes', 'moon']]);
    expect(optionsOf().some((each) => each.textContent.includes('found by it'))).toBe(true);
    expect(document.querySelector('.ask')).toBeNull();
  });

  it('says what kind each is, and shows only the kinds that are picked', async () => {
    const { press } = await open();
    expect(option('schema.sql')).toHaveTextContent('Database');
    await press(buttonOf(/^Database$/));
    expect(optionsOf().map((each) => each.textContent.includes('Notes'))).toEqual([false, false, false, false]);
    await press(buttonOf(/^Other$/));
    expect(optionsOf()).toHaveLength(6); // the template and its server
    await press(buttonOf(/^Database$/));
    await press(buttonOf(/^Other$/));
    expect(optionsOf()).toHaveLength(10);
  });

  it('lets a server that fails stand beside the others, with its words quoted', async () => {
    const { press, backend, pass } = await open((fake) => {
      const list = fake.listResources;
      fake.listResources = async (id, fresh) => {
        if (id === 'srv-pg') throw new BackendFailure('server-error', 'x', 'no <b>disk</b>');
        return list(id, fresh);
      };
    });
    expect(option('tide-table')).toBeDefined();
    expect(option('Postgres')).toHaveTextContent('Not listed');
    await press(option('Postgres'));
    expect(pane().querySelector('blockquote')).toHaveTextContent('no <b>disk</b>');
    backend.listResources = async () => backend.resources['srv-pg']!;
    await press(buttonOf(/^Try again$/, pane()));
    await pass();
    expect(pane()).toHaveTextContent('The list was cut short: more than 3 resources');
  });

  it('lists anew after a change, and when asked to', async () => {
    const { backend, pass, press, calls } = await open();
    backend.resources['srv-notes']!.resources.splice(0, 2);
    backend.emit('lists', 'srv-notes');
    await pass();
    expect(option('early')).toBeUndefined();
    await press(buttonOf(/^Refresh$/));
    await pass();
    expect(calls('listResources').filter(([, fresh]) => fresh)).toEqual(
      backend.servers.filter(({ status }) => status === 'ready' || status === 'degraded').map(({ id }) => [id, true]),
    );
  });
});

describe('a resource', () => {
  it('is read when asked for, at its server, and says how big it is before', async () => {
    const { press, pass, calls } = await open();
    await press(option('early'));
    expect(calls('readResource')).toEqual([]);
    expect(pane()).toHaveTextContent('8.2 kB, says the server: about 2,050 tokens, 2% of a context of 200,000');
    await press(buttonOf(/^Read 8.2 kB$/, pane()));
    await pass();
    expect(calls('readResource')).toEqual([['srv-notes', 'notes://shifts/2026-11-30-early.md', false]]);
    expect(content()).toHaveTextContent('# Tide table, harbour basin');
    expect(content()!.querySelector('h1, a, table')).toBeNull();
  });

  it('asks once more before a large one, and shows unknown bytes as what they are', async () => {
    const { press, pass, calls } = await open();
    await press(option('dump'));
    await press(buttonOf(/^Read 48 MB$/, pane()));
    expect(calls('readResource')).toEqual([]);
    await press(buttonOf(/^Read it all the same$/, pane()));
    await pass();
    expect(content()).toHaveTextContent('This kind of content is not shown');
  });

  it('asks once more beyond the limit, and before it is attached too', async () => {
    const { press, pass, calls, backend } = await open((fake) => {
      const [first, second] = fake.resources['srv-pg']!.resources;
      first!.size = 5_000_000;
      second!.size = 5_000_001;
    });
    const attach = vi.spyOn(backend, 'attachResource');
    await press(option('schema.sql'));
    await press(buttonOf(/^Read 5 MB$/, pane()));
    expect(calls('readResource')).toHaveLength(1);
    await press(option('arrivals'));
    await press(buttonOf(/^Attach/, pane()));
    await press(buttonOf(/^Read 5 MB$/, pane()));
    expect(calls('readResource')).toHaveLength(1);
    await press(buttonOf(/^Attach/, pane()));
    expect(attach).not.toHaveBeenCalled();
    await press(buttonOf(/^Read it all the same$/, pane()));
    await pass();
    expect(attach).toHaveBeenCalledWith('srv-pg', 'pg://arrivals');
  });

  it('shows metadata as the words of its server', async () => {
    const { press } = await open();
    await press(option('schema.sql'));
    expect(pane().querySelector('blockquote')).toHaveTextContent('"rows": 1200');
    await press(option('Postgres'));
    expect(pane()).toHaveTextContent('describes its resources with metadata');
  });

  it('is read again when its server says that it changed, at most once a second', async () => {
    const { backend, press, pass, calls } = await open();
    await press(option('tide-table'));
    backend.emit('resource', `srv-notes ${tide}`);
    await pass();
    expect(calls('readResource')).toEqual([]); // nothing was read yet
    expect(option('tide-table')).toHaveTextContent('Changed');
    await press(buttonOf(/^Read 3.1 kB$/, pane()));
    await pass();
    for (let i = 0; i < 5; i++) backend.emit('resource', `srv-notes ${tide}`);
    await pass(999);
    expect(calls('readResource')).toEqual([
      ['srv-notes', tide, false],
      ['srv-notes', tide, true],
    ]);
    expect(pane()).toHaveTextContent('Notes said at');
    await pass(2);
    expect(calls('readResource')).toHaveLength(3); // the last change is not missed
    await pass(5000);
    expect(calls('readResource')).toHaveLength(3);
  });

  it('is followed by a press and no longer when it is closed', async () => {
    const { press, pass, key, calls } = await open();
    await press(option('early'));
    await press(buttonOf(/^Follow live$/, pane()));
    await pass();
    expect(option('early')).toHaveTextContent('Live');
    await key(pane(), 'Escape');
    expect(calls('watchResource')).toEqual([
      ['srv-notes', 'notes://shifts/2026-11-30-early.md', true],
      ['srv-notes', 'notes://shifts/2026-11-30-early.md', false],
    ]);
    expect(pane()).toBeNull();
  });

  it('full of markup stays text', async () => {
    const { press, pass } = await open((fake) => {
      const [first] = fake.resources['srv-pg']!.resources;
      const text = markup.join('\n');
      Object.assign(first!, { title: text, name: text, description: text, mimeType: text, lastModified: text });
      fake.readResource = async () => ({
        at: '',
        durationMs: 1,
        bytes: text.length,
        truncated: 0,
        blocks: [
          {
            kind: 'text',
            text,
            mimeType: text,
            data: '',
            uri: text,
            name: '',
            bytes: 1,
            note: '',
            detail: '',
            audience: [],
          },
        ],
      });
    });
    await press(optionsOf()[1]!);
    await press(buttonOf(/^Read 19 kB$/, pane()));
    await pass();
    expect(content()).not.toBeNull();
    expect(pane().querySelectorAll('img, script, iframe, object, embed, a, style')).toHaveLength(0);
    expect('__pwned' in window).toBe(false);
  });
});

describe('a template', () => {
  it('opens in place: the address is shown before it is read', async () => {
    const { press, pass, type, calls } = await open();
    await press(option('notes://shift/'));
    const [date, watch] = [...pane().querySelectorAll<HTMLInputElement>('input')];
    expect(pane()).toHaveTextContent('Still empty: date and watch');
    await type(date!, '2026-11-28');
    await press(buttonOf(/^Open$/, pane().querySelector('.top')!));
    expect(calls('readResource')).toEqual([]);
    await type(watch!, 'ni ght');
    expect(pane().querySelector('.code')).toHaveTextContent('notes://shift/2026-11-28/ni%20ght');
    await press(buttonOf(/^Open$/, pane().querySelector('.top')!));
    await pass();
    expect(calls('readResource')).toEqual([['srv-notes', 'notes://shift/2026-11-28/ni%20ght', false]]);
    expect(content()).not.toBeNull();
  });
});
