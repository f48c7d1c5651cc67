import { fireEvent } from '@testing-library/svelte';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { BackendFailure } from '@/backend/errors';
import type { FakeBackend } from '@/backend/fake';
import { setLocale } from '@/i18n/index.svelte';
import { buttonOf, openPage } from '@/test/page';

const firstRun = (backend: FakeBackend) => {
  backend.app.firstRun = true;
  backend.servers = [];
};

async function open(prepare?: (backend: FakeBackend) => void) {
  const page = await openPage({ page: 'servers' }, (backend) => {
    firstRun(backend);
    prepare?.(backend);
  });
  const form = document.querySelector('form')!;
  const word = () => form.querySelector<HTMLInputElement>('input')!;
  const submit = async () => {
    await fireEvent.submit(form);
    await page.pass(1);
  };
  const radio = (name: string) => form.querySelector<HTMLElement>(`[role=radio][aria-label="${name}"]`)!;
  return { ...page, form, word, submit, radio };
}

afterEach(() => {
  setLocale('en');
  vi.useRealTimers();
});

describe('the welcome', () => {
  it('stands in place of rail and pages, and its shortcuts rest', async () => {
    const { app, key, word } = await open();
    expect(document.querySelector('.rail')).toBeNull();
    expect(document.querySelector('.srch')).toBeNull();
    expect(word()).toHaveFocus();
    await key(document.body, 'k', { ctrlKey: true });
    await key(document.body, '?');
    expect(app.shell.overlay).toBe('');
  });

  it('previews the seal as it is chosen, by arrows too', async () => {
    const { key, radio, type, word } = await open();
    const preview = () => document.querySelector('.preview .seal')?.textContent.trim();
    expect(preview()).toBe('Sailboat');
    await key(radio('Sailboat'), 'ArrowRight');
    expect(preview()).toBe('Lighthouse');
    expect(radio('Lighthouse')).toHaveFocus();
    await type(word(), 'My quay');
    await key(radio('Lighthouse'), 'ArrowLeft');
    expect(preview()).toBe('My quay');
  });

  it('translates the name of a picture, never a word of the user’s', async () => {
    const { radio, press, type, word, pass } = await open();
    await press(radio('简体中文'));
    await pass(1);
    expect(word().value).toBe('帆船');
    await type(word(), 'Kai');
    await press(radio('English'));
    await pass(1);
    expect(word().value).toBe('Kai');
  });

  it('starts the demo on Enter, and opens its first tool once that is ready', async () => {
    const { app, backend, submit, pass, press } = await open((backend) => {
      backend.startServer = async (id) => void backend.log.push(['startServer', id]);
    });
    await press(buttonOf(/^Another word$/));
    await submit();
    const [demo] = backend.servers;
    expect(backend.app).toMatchObject({ firstRun: false, seal: { picture: 'sailboat', word: 'Harbour' } });
    expect(backend.log).toContainEqual(['startServer', demo?.id]);
    expect(app.shell.route).toEqual({ page: 'servers', id: demo?.id });
    expect(document.querySelector('.rail')).not.toBeNull();

    const [tool] = backend.tools;
    backend.tools.push({ ...tool!, serverId: demo!.id, name: 'say_hello' });
    backend.emit('tools', demo!.id);
    await pass(1);
    expect(app.shell.route).toMatchObject({ page: 'tools', serverId: demo!.id, name: 'say_hello' });
    await pass(1);
    expect(document.querySelector('aside textarea, aside input')).toHaveFocus();
  });

  it('starts on Enter from a choice too, and says where the language comes from only while it does', async () => {
    const { app, backend, key, radio, word } = await open((backend) => (backend.app.language = 'system'));
    const help = () => word().closest('form')!.textContent;
    expect(help()).toContain('Taken from your system.');
    await key(radio('简体中文'), 'ArrowRight');
    await key(radio('English'), 'ArrowLeft');
    expect(help()).not.toMatch(/Taken from your system|取自系统设置/);
    expect(app.shell.route).toMatchObject({ page: 'servers' });
    expect(backend.servers).toHaveLength(0);
    await key(radio('English'), 'Enter');
    expect(backend.servers).toHaveLength(1);
  });

  it('does not take the user away from where they went while the demo started', async () => {
    const { app, backend, submit, pass } = await open((backend) => (backend.startServer = async () => undefined));
    await submit();
    app.shell.go({ page: 'history' });
    backend.tools.push({ ...backend.tools[0]!, serverId: backend.servers[0]!.id });
    backend.emit('tools');
    await pass(1);
    expect(app.shell.route.page).toBe('history');
  });

  it.each([
    [/^Add your own server/, { page: 'servers', add: true }],
    [/^Just look around/, { page: 'chat' }],
  ])('leads elsewhere: %s', async (name, route) => {
    const { app, backend, press, pass } = await open();
    await press(buttonOf(name));
    await pass(1);
    expect(app.shell.route).toEqual(route);
    expect(backend.app.firstRun).toBe(false);
    expect(backend.servers).toEqual([]);
  });

  it.each([
    ['', /^Write a word/],
    ['x'.repeat(25), /too long/],
    ['quay\u200b', /hidden character/],
  ])('refuses %j as a word, and says why', async (text, why) => {
    const { backend, submit, type, word } = await open();
    await type(word(), text);
    await submit();
    expect(word()).toBeInvalid();
    expect(word()).toHaveFocus();
    expect(document.getElementById(word().getAttribute('aria-describedby')!)).toHaveTextContent(why);
    expect(backend.app.firstRun).toBe(true);
  });

  it('stays and says why when the choice cannot be kept', async () => {
    const { app, backend, submit } = await open((backend) => {
      backend.setSeal = async () => Promise.reject(new BackendFailure('disk-full', '', ''));
    });
    await submit();
    expect(app.shell.toasts.shown[0]?.text).toMatch(/^The disk is full/);
    expect(backend.app.firstRun).toBe(true);
    expect(document.querySelector('form')).not.toBeNull();
  });
});
