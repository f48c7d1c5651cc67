import { screen } from '@testing-library/svelte';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { invisible, markup } from '@/backend/fake/hostile';
import { BackendFailure } from '@/backend/errors';
import type { FakeBackend } from '@/backend/fake';
import { instructionsOf } from '@/backend/fake/servers';
import { buttonOf, openPage, optionsOf, type PageTest } from '@/test/page';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const field = (label: string): HTMLInputElement => {
  const found = [...document.querySelectorAll('label')].find((each) => each.textContent.startsWith(label));
  return document.getElementById(found?.htmlFor ?? '') as HTMLInputElement;
};
const main = () => document.querySelector('main')!;

describe('the list', () => {
  it('says how each server stands, in words', async () => {
    await openPage({ page: 'servers' });
    const states = optionsOf().map((row) => row.textContent.replace(/\s+/g, ' '));
    expect(states[0]).toMatch(/Shell.*Crashed \(5\)/);
    expect(states[1]).toMatch(/Postgres.*Ready/);
    expect(states[2]).toMatch(/Notes.*1 tool changed/);
  });

  it('filters by name and by command', async () => {
    const { type } = await openPage({ page: 'servers' });
    await type(document.querySelector('.search input')!, 'uvx');
    expect(optionsOf().map((row) => row.textContent)).toEqual([
      expect.stringContaining('Postgres'),
      expect.stringContaining('Quay bookings'),
    ]);
  });

  it('says that a launch waits for the user', async () => {
    const { backend, pass } = await openPage({ page: 'servers' });
    backend.requests.push({
      ...(await import('@/backend/fake/requests')).requests[0]!,
      server: { id: 'srv-pg', alias: '', claimed: '', origin: '' },
    });
    backend.emit('pending');
    await pass();
    expect(optionsOf()[1]).toHaveTextContent('Waits for your decision');
  });
});

describe('the tools of a server', () => {
  it('come with what the list lacks, and why', async () => {
    const { press } = await openPage({ page: 'servers', id: 'srv-ledger' });
    const tab = () => [...document.querySelectorAll('[role=tab]')].find((each) => each.textContent.includes('Tools'))!;
    await press(tab() as HTMLElement);
    expect(main()).toHaveTextContent('The list is not complete: the tool "plot_tree" was left out: nested too deeply');
  });
});

describe('an empty house', () => {
  it('offers the demo server, which starts like any other', async () => {
    const { press, backend } = await openPage({ page: 'servers' }, (fake) => {
      fake.servers = [];
    });
    await press(buttonOf(/^Try the demo server$/));
    expect(backend.servers.map(({ name, status }) => [name, status])).toEqual([['Demo', 'ready']]);
    expect(main()).toHaveTextContent('/usr/bin/gatehouse demo-server');
  });
});

describe('a server that crashed', () => {
  it('tells why, with its last words in its own voice, and can be started again', async () => {
    const { press, backend } = await openPage({ page: 'servers', id: 'srv-shell' });
    const card = document.querySelector('.crash')!;
    expect(card).toHaveTextContent('Stopped with exit code 1');
    expect(card).toHaveTextContent('Restarting is paused after 5 crashes.');
    expect(card).toHaveTextContent('Likely cause: It needs another version of Node.js or Python');
    expect(card.querySelector('blockquote')).toHaveAccessibleName('What Shell wrote to stderr, not checked');
    await press(buttonOf(/^Copy report$/));
    expect(backend.copied).toBe('Report for Shell');
    await press(buttonOf(/^Try again$/));
    expect(backend.servers[0]?.status).toBe('ready');
  });

  it('says how many lines are left out, outside of what the server wrote', async () => {
    await openPage({ page: 'servers', id: 'srv-shell' }, (fake) => {
      const server = fake.server;
      fake.server = async (id) => {
        const detail = await server(id);
        const stderr = { first: ['the reason'], leftOut: 25, last: ['usage'] };
        return { ...detail, failure: detail.failure && { ...detail.failure, stderr } };
      };
    });
    const left = await screen.findByText('25 lines left out');
    expect(left.closest('.code')).toBeNull();
    expect(left.previousElementSibling).toHaveTextContent('the reason');
    expect(left.nextElementSibling).toHaveTextContent('usage');
  });

  it('shows what it wrote as text, with nothing hidden', async () => {
    const { press } = await openPage({ page: 'servers', id: 'srv-shell' }, (fake) => {
      const lines = [...markup, ...Object.values(invisible).filter((text) => text.length < 1000)];
      const server = fake.server;
      fake.server = async (id) => {
        const detail = await server(id);
        return {
          ...detail,
          instructions: instructionsOf(markup.join('\n')),
          failure: detail.failure && { ...detail.failure, stderr: { first: [], leftOut: 0, last: lines } },
        };
      };
      fake.serverLog = async () =>
        lines.map((text, i) => ({
          seq: i + 1,
          at: '',
          stream: 'stderr' as const,
          text,
          level: '',
          logger: '',
          data: '',
        }));
    });
    for (const tab of [/^Overview$/, /^Log$/]) {
      await press(buttonOf(tab));
      expect(main().querySelectorAll('img, script, iframe, object, embed, a, style')).toHaveLength(0);
    }
    expect('__pwned' in window).toBe(false);
    expect(main()).toHaveTextContent('U+202E');
  });
});

describe('instructions for models', () => {
  const done = () => buttonOf(/^Reviewed, give them to models$/);

  it('are shown whole and reviewed once they were in view, and no model is spoken of before', async () => {
    const { press, pass, calls, backend } = await openPage({ page: 'servers', id: 'srv-notes' }, (fake) => {
      fake.instructions['srv-notes'] = instructionsOf('a\u200bb\n'.repeat(9), { digest: 'c1'.repeat(32) });
    });
    expect(main()).toHaveTextContent('not reviewed');
    await press(buttonOf(/^Review…$/));
    expect(document.activeElement).toHaveTextContent('Review the instructions of Notes');
    const review = main().querySelector('.review')!;
    expect(review.textContent.match(/U\+200B/g)).toHaveLength(9);
    await press(done());
    expect(calls('reviewInstructions')).toEqual([]);
    await pass(backend.app.armingMs);
    await press(done());
    expect(calls('reviewInstructions')).toEqual([['srv-notes', 'panel:instructions', 'c1'.repeat(32)]]);
    await pass(200);
    expect(main().querySelector('.review')).toBeNull();
    expect(main()).toHaveTextContent('in use');
  });

  it('that have changed are shown beside what was reviewed, in the list too', async () => {
    const { press } = await openPage({ page: 'servers', id: 'srv-notes' }, (fake) => {
      Object.assign(
        fake.servers.find(({ id }) => id === 'srv-notes')!,
        { changedTools: 0, review: 'changed' },
      );
    });
    expect(optionsOf().map((row) => row.textContent)).toContainEqual(expect.stringContaining('Instructions changed'));
    expect(main()).toHaveTextContent('The server has changed these words since you reviewed them.');
    await press(buttonOf(/^Review…$/));
    expect(main().querySelector('.diff .ok')).toHaveTextContent('Publish without asking.');
    await press(buttonOf(/^Not now$/));
    expect(main().querySelector('.review')).toBeNull();
  });

  it('say why a review did nothing', async () => {
    const { press, pass, backend } = await openPage({ page: 'servers', id: 'srv-notes' });
    backend.reviewInstructions = async () => Promise.reject(new BackendFailure('instructions-changed', '', ''));
    await press(buttonOf(/^Review…$/));
    await pass(backend.app.armingMs);
    await press(done());
    expect(main().querySelector('.review .errorcard')).toHaveTextContent('not the ones that were shown');
  });

  it('can be switched off, and be neither reviewed nor switched if they are too long', async () => {
    const { press, pass, backend } = await openPage({ page: 'servers', id: 'srv-notes' });
    await press(buttonOf(/^Give the instructions of Notes to models$/));
    await pass(200);
    expect(backend.instructions['srv-notes']!.off).toBe(true);
    expect(main()).toHaveTextContent('no model gets the instructions of this server');
    backend.instructions['srv-notes'] = instructionsOf('long', { review: 'tooLong', digest: '' });
    backend.emit('servers', 'srv-notes');
    await pass(200);
    expect(main()).toHaveTextContent('Longer than 16 KiB.');
    expect(main().querySelectorAll('section [role=switch]')).toHaveLength(0);
  });
});

describe('taking a server away', () => {
  const has = (backend: FakeBackend, id: string) => backend.servers.some((server) => server.id === id);
  const toast = () => document.querySelector('.toast');
  const choose = async (press: PageTest['press'], action: RegExp) => {
    await press(buttonOf(/^More$/));
    await press(buttonOf(action));
  };

  it('asks in place if it runs, with the safe answer focused', async () => {
    const { press, backend } = await openPage({ page: 'servers', id: 'srv-pg' });
    await choose(press, /^Remove…$/);
    expect(document.activeElement).toBe(buttonOf(/^Keep it$/));
    await press(buttonOf(/^Keep it$/));
    expect(has(backend, 'srv-pg')).toBe(true);
    await choose(press, /^Remove…$/);
    await press(buttonOf(/^Remove server$/));
    expect(has(backend, 'srv-pg')).toBe(false);
    await press(buttonOf(/^Undo/));
    expect(backend.servers[1]).toMatchObject({ id: 'srv-pg', status: 'ready' }); // it ran, so it runs again
    expect(main()).toHaveTextContent('Postgres');
  });

  it('removes one that does not run at once, and forgets it when the time to undo is over', async () => {
    const { press, pass, backend, calls } = await openPage({ page: 'servers', id: 'srv-shell' });
    await choose(press, /^Remove$/);
    expect(has(backend, 'srv-shell')).toBe(false);
    expect(toast()).toHaveTextContent('Shell was removed');
    expect(main()).not.toHaveTextContent('That did not work');
    expect(main()).toHaveTextContent('Postgres');
    await pass(9_999);
    expect(calls('forgetServer')).toEqual([]);
    await pass(1);
    expect(calls('forgetServer')).toEqual([['srv-shell']]);
    expect(toast()).toBeNull();
  });

  it('takes a double press for one', async () => {
    const { press, pass, calls } = await openPage({ page: 'servers', id: 'srv-pg' }, (fake) => {
      const remove = fake.removeServer;
      fake.removeServer = async (id) => {
        await new Promise((resolve) => setTimeout(resolve, 50)); // it is being stopped
        fake.log.push(['removeServer', id]);
        await remove(id);
      };
    });
    await choose(press, /^Remove…$/);
    const button = buttonOf(/^Remove server$/);
    button.click();
    button.click();
    await pass(50);
    expect(calls('removeServer')).toEqual([['srv-pg']]);
    expect(document.querySelectorAll('.toast')).toHaveLength(1);
  });

  it('never forgets what was undone', async () => {
    const { press, pass, backend, calls } = await openPage({ page: 'servers', id: 'srv-shell' });
    await choose(press, /^Remove$/);
    await press(buttonOf(/^Undo/));
    await pass(20_000);
    expect(calls('forgetServer')).toEqual([]);
    expect(backend.servers[0]).toMatchObject({ id: 'srv-shell', status: 'stopped' });
  });

  it('switches off at once, and on again as it was', async () => {
    const { press, pass, backend } = await openPage({ page: 'servers', id: 'srv-pg' });
    await press(document.querySelector<HTMLElement>('[role=switch]')!);
    expect(backend.servers[1]?.status).toBe('disabled');
    await press(buttonOf(/^Undo/));
    expect(backend.servers[1]?.status).toBe('ready');
    await pass(1);
    await press(document.querySelector<HTMLElement>('[role=switch]')!);
    await pass(10_000);
    await press(document.querySelector<HTMLElement>('[role=switch]')!);
    expect(backend.servers[1]?.status).toBe('stopped');
    expect(toast()).toBeNull(); // switching on takes nothing away
  });
});

describe('the form', () => {
  it('adds without starting, and starts only through "Review and add"', async () => {
    const { press, type, backend } = await openPage({ page: 'servers', add: true });
    const start = vi.spyOn(backend, 'startServer');
    await type(field('Name'), 'Files');
    await type(field('Command'), 'npx');
    await type(field('Arguments'), '-y\nfiles mcp');
    await press(buttonOf(/^Add without starting$/));
    expect(start).not.toHaveBeenCalled();
    expect(backend.servers.at(-1)).toMatchObject({ name: 'Files', origin: 'npx -y files mcp' });

    await press(buttonOf(/^Add server$/));
    await type(field('Name'), 'Files 2');
    await type(field('Command'), 'npx');
    await press(buttonOf(/^Review and add…$/));
    expect(start).toHaveBeenCalledWith(backend.servers.at(-1)?.id);
  });

  it('shows what would run, argument by argument', async () => {
    const { type, pass } = await openPage({ page: 'servers', add: true });
    await type(field('Command'), 'npx');
    await type(field('Arguments'), '-y\na b\u200b');
    await pass(200);
    const argv = [...document.querySelectorAll('.argv li')].map((each) => each.textContent.trim());
    expect(argv).toEqual(['npx', '-y', 'a bU+200B']);
  });

  it('puts problems at their fields, after they were left or when saving', async () => {
    const { press, pass, backend } = await openPage({ page: 'servers', add: true });
    await pass(200);
    expect(main()).not.toHaveTextContent('This is needed.');
    await press(buttonOf(/^Review and add…$/));
    await pass();
    expect(field('Name')).toHaveAccessibleDescription('This is needed.');
    expect(main()).toHaveTextContent('2 fields need attention');
    expect(backend.servers).toHaveLength(7);
  });

  it('takes a secret once and never shows it again', async () => {
    const { press, type, backend } = await openPage({ page: 'servers', add: true });
    const add = vi.spyOn(backend, 'addServer');
    await type(field('Name'), 'Files');
    await type(field('Command'), 'npx');
    await press(buttonOf(/^Add$/));
    await type(document.querySelector('[aria-label=Name]')!, 'API_KEY');
    await press(buttonOf(/^Keep in keyring$/));
    const secret = document.querySelector<HTMLInputElement>('[aria-label="Secret value"]')!;
    expect(secret.type).toBe('password');
    await type(secret, 's3cret');
    await press(buttonOf(/^Add without starting$/));
    expect(add.mock.calls[0]?.[0].env).toEqual([{ name: 'API_KEY', value: '', ref: '', secret: 's3cret' }]);
    expect(document.body.innerHTML).not.toContain('s3cret');
  });
});

describe('how a server is spoken to', () => {
  const row = (title: string) =>
    [...document.querySelectorAll('dt')].find((each) => each.textContent === title)?.nextElementSibling;

  it('shows the remembered era, and asks again', async () => {
    const { press, pass } = await openPage({ page: 'servers', id: 'srv-notes' });
    expect(row('Protocol')).toHaveTextContent(/^Legacy over Streamable HTTP remembered since/);
    await press(buttonOf(/^Ask again$/));
    await pass(1);
    expect(row('Protocol')).toHaveTextContent('Not asked yet. The next start finds out.');
  });

  it('pins an era and sets times in the form, and says so', async () => {
    const { press, pass, type } = await openPage({ page: 'servers', id: 'srv-pg' });
    await press(buttonOf(/^More$/));
    await press(buttonOf(/^Edit/));
    const more = document.querySelector<HTMLDetailsElement>('form details')!;
    expect(more.open).toBe(false);
    more.open = true;
    await press(more.querySelectorAll<HTMLElement>('[role=radio]')[2]!);
    await type(field('Any call ends after'), '90');
    await press(buttonOf(/^Save without starting$/));
    await pass(1);
    expect(row('Protocol')).toHaveTextContent('Modern set by you');
    expect(row('Times of its calls')).toHaveTextContent('90 minutes in all');
  });

  it('offers private authorities for web addresses only, and names whom they make believable', async () => {
    const { press, type, pass } = await openPage({ page: 'servers', id: 'srv-notes' });
    await press(buttonOf(/^More$/));
    await press(buttonOf(/^Edit/));
    await type(field('Private certificate authorities'), '/etc/harbour/ca.pem');
    await pass(1000);
    expect(document.querySelector('form')).toHaveTextContent('CN=Harbour internal CA');
    await press(document.querySelectorAll<HTMLElement>('form [role=radio]')[0]!);
    expect(field('Private certificate authorities')).toBeNull();
  });
});
