import { afterEach, describe, expect, it, vi } from 'vitest';
import type { FakeBackend } from '@/backend/fake';
import { setLocale } from '@/i18n/index.svelte';
import type { Route } from '@/state/shell.svelte';
import { shellCall } from '@/test/gate';
import { buttonOf, openPage, optionsOf } from '@/test/page';

const work = { id: 'work', name: 'Work\u202e', servers: ['srv-pg', 'srv-notes'] };
const running = [{ id: 'call-1', serverName: 'Shell', tool: 'run_script', state: 'running' as const }];

const title = () => document.querySelector<HTMLElement>('header.tb')!;
const opener = () => title().querySelector<HTMLElement>('[aria-haspopup=menu]')!;
const items = () => [...title().querySelectorAll<HTMLElement>('[role^=menuitem]')];
const itemWords = () => items().map((item) => item.textContent.replace(/\s+/g, ' ').trim());
const dialog = () => document.querySelector<HTMLElement>('dialog.plain');
const entries = () => [...dialog()!.querySelectorAll<HTMLElement>('[role=listitem]')];
const words = (element: Element | null) => element?.textContent.replace(/\s+/g, ' ').trim() ?? '';

const open = (prepare?: (backend: FakeBackend) => void, route: Route = { page: 'history' }) =>
  openPage(route, (backend) => {
    backend.profiles.push(structuredClone(work));
    prepare?.(backend);
  });

afterEach(() => {
  setLocale('en');
  vi.useRealTimers();
});

describe('the profile in the title bar', () => {
  it('opens by press with the current one checked and focused, and moves by arrows', async () => {
    const { press, key } = await open();
    expect(words(opener())).toBe('Personal');
    await press(opener());
    expect(itemWords()).toEqual(['Personal', 'WorkU+202E', 'Manage profiles…']);
    expect(items().map((item) => item.getAttribute('aria-checked'))).toEqual(['true', 'false', null]);
    expect(items()[0]).toHaveFocus();
    await key(items()[0]!, 'ArrowDown');
    expect(items()[1]).toHaveFocus();
    await key(items()[1]!, 'End');
    expect(items()[2]).toHaveFocus();
    await key(items()[2]!, 'ArrowDown');
    expect(items()[0]).toHaveFocus();
    await key(items()[0]!, 'Escape');
    expect(items()).toEqual([]);
    expect(opener()).toHaveFocus();
  });

  it('switches, and the counts of the rail follow', async () => {
    const { app, press, calls, pass } = await open();
    const count = () => document.querySelector('.nav[title=Servers] .n')?.textContent;
    expect(count()).toBe(String(app.servers.value?.length));
    await press(opener());
    await press(items()[1]!);
    await pass();
    expect(calls('switchProfile')).toEqual([['work', false]]);
    expect(count()).toBe('2');
    expect(app.shell.announcement).toBe('Profile Work\u202e is in use');
    await press(opener());
    await press(items()[1]!); // it is in use already
    expect(calls('switchProfile')).toHaveLength(1);
  });

  it('asks before calls stop, with Cancel focused, and does what is answered', async () => {
    const { app, press, calls } = await open((backend) => (backend.running = running));
    await press(opener());
    await press(items()[1]!);
    expect(words(dialog())).toMatch(/^A call is still running.*run_script on Shell/);
    expect(buttonOf(/^Cancel$/, dialog()!)).toHaveFocus();
    await press(buttonOf(/^Cancel$/, dialog()!));
    expect(dialog()).toBeNull();
    expect(app.profiles.current?.id).toBe('first');
    await press(opener());
    await press(items()[1]!);
    await press(buttonOf(/^Stop them and switch$/, dialog()!));
    expect(calls('switchProfile').at(-1)).toEqual(['work', true]);
    expect(dialog()).toBeNull();
    expect(app.profiles.current?.id).toBe('work');
  });

  it('takes the question away when a gate opens, and switches nothing', async () => {
    const { app, backend, press, pass, calls } = await open((given) => (given.running = running));
    await press(opener());
    await press(items()[1]!);
    backend.requests.push(structuredClone(shellCall));
    backend.emit('pending');
    await pass();
    app.inbox.review(shellCall.id);
    await pass();
    expect(dialog()).toBeNull();
    expect(app.profiles.asking).toBeNull();
    expect(calls('switchProfile')).toEqual([['work', false]]);
  });

  it('is named by the catalogue, and found by the search', async () => {
    const { press, key, type, calls } = await open((backend) => (backend.currentProfile = 'work'));
    setLocale('zh-Hans');
    await key(document.body, 'k', { ctrlKey: true });
    const field = document.querySelector<HTMLElement>('[role=combobox]')!;
    await type(field, '个人');
    expect(optionsOf(document.querySelector('dialog')!).map(words)).toEqual(['切换到配置“个人”']);
    await key(field, 'Enter');
    expect(calls('switchProfile')).toEqual([['first', false]]);
    await press(opener());
    expect(itemWords()).toEqual(['个人', 'WorkU+202E', '管理配置…']);
  });
});

describe('the manager', () => {
  async function manage(prepare?: (backend: FakeBackend) => void) {
    const page = await open(prepare);
    await page.press(opener());
    await page.press(items().at(-1)!);
    const name = () => dialog()!.querySelector<HTMLInputElement>('input')!;
    const picks = () => [...dialog()!.querySelectorAll<HTMLElement>('[aria-pressed]')];
    return { ...page, name, picks };
  }

  it('lists the profiles, and does not delete the one in use', async () => {
    const { press, backend } = await manage();
    expect(entries().map(words)).toEqual([
      expect.stringMatching(/^Personal In use 7 servers/),
      expect.stringMatching(/^WorkU\+202E 2 servers/),
    ]);
    const remove = buttonOf(/^Delete Personal$/);
    expect(remove).toHaveAttribute('aria-disabled', 'true');
    expect(remove).toHaveAttribute('title', 'It is in use. Switch to another profile to delete it.');
    await press(remove);
    expect(backend.profiles).toHaveLength(2);
  });

  it('deletes one, makes way for Undo, and brings it back whole', async () => {
    const { press, key, backend } = await manage();
    await press(buttonOf(/^Delete Work/));
    expect(backend.profiles).toHaveLength(1);
    expect(dialog()).toBeNull();
    expect(opener()).toHaveFocus();
    await key(opener(), 'z', { ctrlKey: true });
    expect(backend.profiles[1]).toEqual(work);
  });

  it('makes a new one with a name of its own and servers', async () => {
    const { press, type, calls, name, picks } = await manage();
    await press(buttonOf(/^New profile$/));
    expect(name()).toHaveFocus();
    await press(buttonOf(/^Save$/));
    expect(words(dialog())).toContain('A profile needs a name.');
    await type(name(), ' personal');
    expect(words(dialog())).toContain('Another profile has this name.');
    await type(name(), ' Trips ');
    expect(picks().map((pick) => pick.getAttribute('aria-pressed'))).not.toContain('true');
    await press(picks()[0]!);
    await press(buttonOf(/^Save$/));
    expect(calls('saveProfile')).toEqual([[{ id: '', name: 'Trips', servers: ['srv-shell'] }, false]]);
    expect(entries()).toHaveLength(3);
  });

  it('renames, takes a server out, and duplicates under a free name', async () => {
    const { press, type, backend, name, picks } = await manage();
    await press(buttonOf(/^Edit Work/));
    await type(name(), 'Office');
    await press(picks().find((pick) => words(pick) === 'Notes')!);
    await press(buttonOf(/^Save$/));
    expect(backend.profiles[1]).toEqual({ id: 'work', name: 'Office', servers: ['srv-pg'] });
    await press(buttonOf(/^Duplicate Office$/));
    expect(name()).toHaveValue('Office (copy)');
    await press(buttonOf(/^Save$/));
    expect(backend.profiles[2]).toMatchObject({ name: 'Office (copy)', servers: ['srv-pg'] });
  });

  it('keeps the form when the user would not stop calls', async () => {
    const { press, backend, picks } = await manage((given) => (given.running = running));
    await press(buttonOf(/^Edit Personal$/));
    await press(picks()[0]!);
    await press(buttonOf(/^Save$/));
    const question = [...document.querySelectorAll<HTMLElement>('dialog.plain')].at(-1)!;
    await press(buttonOf(/^Cancel$/, question));
    expect(picks()[0]).toHaveAttribute('aria-pressed', 'false');
    expect(backend.profiles[0]?.servers).toContain('srv-shell');
  });
});

describe('the Servers page', () => {
  it('puts servers of other profiles last, says so, and lets one add them', async () => {
    const { backend, press, pass } = await open(
      (given) => {
        given.currentProfile = 'work';
        for (const server of given.servers) server.aside = !work.servers.includes(server.id);
        Object.assign(given.servers[0]!, { status: 'stopped' });
      },
      { page: 'servers', id: 'srv-shell' },
    );
    expect(document.querySelector('.head .dim3')).toHaveTextContent('2 servers');
    const rows = optionsOf().map(words);
    expect(rows[0]).toMatch(/^P Postgres/);
    expect(rows[2]).toContain('Not in this profile');
    expect(document.querySelector('.details')).not.toHaveTextContent('Start');
    await press(buttonOf(/^Add to this profile$/));
    await pass();
    expect(backend.profiles[1]?.servers).toEqual(['srv-pg', 'srv-notes', 'srv-shell']);
    expect(buttonOf(/^Stop$/)).toBeVisible();
    await press(buttonOf(/^Personal$/)); // out of the other profile
    expect(backend.profiles[0]?.servers).not.toContain('srv-shell');
  });

  it('says where a new server goes', async () => {
    await open(undefined, { page: 'servers', add: true });
    expect(document.querySelector('form.page')).toHaveTextContent('It goes into the profile Personal.');
  });
});
