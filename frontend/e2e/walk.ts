// This file opens the page over its fake back end, goes to any of its screens, and looks for what is wrong there.
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from '@playwright/test';

const built = join(import.meta.dirname, '../dist-fake');
const axe = readFileSync(join(import.meta.dirname, '../node_modules/axe-core/axe.min.js'), 'utf8');
const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

export const sizes = { wide: { width: 1280, height: 820 }, small: { width: 960, height: 640 } };

interface Fake {
  names: string[];
  screens: Record<string, { shows?: string; mood?: object }>;
  show(name: string): Promise<void>;
  letGo(): void;
}

/** What the page over the fake back end puts on its window, see src/fake.ts. */
export type FakeWindow = typeof window & { fake: Fake };

export class Walk {
  private constructor(readonly page: Page) {}

  /** Opens the fake page in a context of its own. */
  static async open(
    browser: Browser,
    query: Record<string, string>,
    options: BrowserContextOptions = {},
  ): Promise<Walk> {
    const context = await browser.newContext({
      bypassCSP: true,
      reducedMotion: 'reduce',
      viewport: sizes.wide,
      ...options,
    });
    await context.route('http://fake.invalid/**', async (route) => {
      const path = join(built, new URL(route.request().url()).pathname);
      await route.fulfill({
        body: readFileSync(path),
        contentType: types[extname(path)] ?? 'application/octet-stream',
      });
    });
    const page = await context.newPage();
    await page.goto(`http://fake.invalid/fake.html?${new URLSearchParams({ walk: '', ...query }).toString()}`);
    return new Walk(page);
  }

  names(): Promise<string[]> {
    return this.page.evaluate(() => (window as unknown as FakeWindow).fake.names);
  }

  async show(name: string): Promise<void> {
    const shows = await this.page.evaluate(async (name) => {
      const { fake } = window as unknown as FakeWindow;
      await fake.show(name);
      return fake.screens[name]?.shows ?? 'h1';
    }, name);
    await this.page.locator(shows).first().waitFor({ timeout: 30_000 });
  }

  /** Changes the window's size and lets the page take it in. */
  async resize(size: { width: number; height: number }): Promise<void> {
    await this.page.setViewportSize(size);
    await this.page.evaluate(async () => {
      const room = () => parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--vw')) * 100;
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      const zoom = Number(document.documentElement.style.getPropertyValue('zoom') || 1);
      while (Math.abs(room() - window.innerWidth / zoom) > 1) await frame();
      await frame();
      await frame();
    });
  }

  /** Lets what is waited for come, and reports how far the page has jumped (the browser's layout shift). */
  shiftOnArrival(): Promise<number> {
    return this.page.evaluate(async () => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      let sum = 0;
      const add = (entries: PerformanceEntryList) =>
        entries.forEach((entry) => (sum += (entry as PerformanceEntry & { value: number }).value));
      const shifts = new PerformanceObserver((list) => add(list.getEntries()));
      await frame();
      await frame();
      shifts.observe({ type: 'layout-shift' });
      (window as unknown as FakeWindow).fake.letGo();
      while (document.querySelector('[role=progressbar]:not([aria-valuenow])')) await frame(); // one with a value is content
      await frame();
      await frame();
      add(shifts.takeRecords());
      return sum;
    });
  }

  /** What axe finds, contrast included. */
  async axe(): Promise<string[]> {
    if (!(await this.page.evaluate(() => 'axe' in window))) await this.page.evaluate(axe);
    return this.page.evaluate(async () => {
      const { axe } = window as unknown as { axe: typeof import('axe-core') };
      // The help below a button's name is no part of its label.
      const rules = { 'label-content-name-mismatch': { enabled: false } };
      const { violations } = await axe.run(document, { resultTypes: ['violations'], rules });
      return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
    });
  }

  /** Which of these do not stand whole in view: outside the window, or with something over their corners. */
  covered(selector: string): Promise<string[]> {
    return this.page.evaluate((selector) => {
      const whole = (e: Element) => {
        const { left, right, top, bottom } = e.getBoundingClientRect();
        const inset = 6;
        return [left + inset, right - inset].every((x) =>
          [top + inset, bottom - inset].every((y) => {
            const hit = document.elementFromPoint(x, y);
            return hit !== null && (e.contains(hit) || hit.contains(e));
          }),
        );
      };
      const found = [...document.querySelectorAll(selector)];
      if (found.length < 3) return ['a part is missing'];
      return found.filter((e) => !whole(e)).map((e) => `not whole in view: ${e.textContent}`);
    }, selector);
  }

  /** Text that is cut, that lies outside the window or under other text. */
  cut(): Promise<string[]> {
    return this.page.evaluate(findCut);
  }

  /** Text that is not of the catalogue of this language. */
  foreign(language: 'en' | 'zh-Hans' | 'pseudo'): Promise<string[]> {
    return this.page.evaluate(findForeign, language);
  }
}

function findCut(): string[] {
  const faults = new Set<string>();
  const root = document.documentElement;
  if (root.scrollWidth > window.innerWidth) faults.add('the page is wider than the window');
  interface Seen {
    box: DOMRect;
    text: string;
    layer: Element;
  }
  const seen: Seen[] = [];
  const top = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body;
  const texts = document.createTreeWalker(top, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const text = (node.textContent ?? '').trim();
    const parent = node.parentElement;
    if (!text || !parent || !parent.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    if (parent.closest('svg, .sr, option, [aria-hidden=true].kbd')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const boxes = [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1);
    let layer: Element | undefined;
    let inWindow = true;
    for (let e: Element | null = parent; e && e !== root; e = e.parentElement) {
      const style = getComputedStyle(e);
      const frame = e.getBoundingClientRect();
      if (frame.width <= 2 && style.overflow === 'hidden') boxes.length = 0; // for screen readers only
      if (style.textOverflow === 'ellipsis' || style.getPropertyValue('-webkit-line-clamp') !== 'none') {
        layer ??= e;
        boxes.length = Math.min(boxes.length, 0);
        break;
      }
      const scrolls = /auto|scroll/.test(style.overflowX + style.overflowY);
      if (scrolls || /absolute|fixed|sticky/.test(style.position)) layer ??= e;
      if (scrolls) {
        const sideways = style.overflowX === 'hidden' || style.overflowX === 'clip';
        for (const box of boxes) {
          const out = box.right > frame.right + 2 || box.left < frame.left - 2;
          if (out && (sideways || !e.matches('.code, pre, .scroll-x, .wide, [data-sideways]')))
            faults.add(`needs scrolling sideways: ${text.slice(0, 60)}`);
        }
        if (frame.width < 20 || frame.height < 16) faults.add(`no room to scroll in: ${text.slice(0, 60)}`);
        inWindow = false;
        break;
      }
      if (/hidden|clip/.test(style.overflowX + style.overflowY) || e.matches('button')) {
        for (const box of boxes) {
          const out =
            box.right > frame.right + 2 ||
            box.left < frame.left - 2 ||
            box.bottom > frame.bottom + 3 ||
            box.top < frame.top - 3;
          if (out) faults.add(`cut by <${e.tagName.toLowerCase()} class="${e.className}">: ${text.slice(0, 60)}`);
        }
      }
    }
    for (const box of boxes) {
      const out =
        box.right > window.innerWidth + 1 || box.left < -1 || box.bottom > window.innerHeight + 1 || box.top < -1;
      if (inWindow && out) faults.add(`outside: ${text.slice(0, 60)}`);
      seen.push({ box, text, layer: layer ?? document.body });
    }
  }
  seen.forEach((a, i) => {
    for (const b of seen.slice(i + 1)) {
      if (a.layer !== b.layer) continue;
      const wide = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
      const high = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
      if (wide > 2 && high > 4) faults.add(`over each other: ${a.text.slice(0, 40)} | ${b.text.slice(0, 40)}`);
    }
  });
  return [...faults];
}

function findForeign(language: 'en' | 'zh-Hans' | 'pseudo'): string[] {
  const faults = new Set<string>();
  const known = /^(?:JSON|SQL|URL|Gatehouse|English|简体中文|kB|MB|ms|MIT|Token|stderr|HTTPS|\P{L})*$/u;
  const wrong = (text: string): boolean => {
    if (language === 'en') return /\p{Script=Han}/u.test(text.replace('简体中文', ''));
    if (language === 'zh-Hans') return /[A-Za-z]{2}/.test(text) && !/\p{Script=Han}/u.test(text) && !known.test(text);
    // What was put into a sentence stands in angle marks.
    let left = text;
    for (let before = ''; before !== left;) [before, left] = [left, left.replace(/‹[^‹›]*›/g, '')];
    return /[A-Za-z]/.test(left);
  };
  const foreign = 'bdi, kbd, code, pre, textarea, [lang]:not(html), svg, .hid, .spc';
  const check = (text: string, where: string) => {
    if (text.trim() !== '' && wrong(text)) faults.add(`${where}: ${text.trim().slice(0, 80)}`);
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const parent = node.parentElement;
    const own = parent?.closest('[translate]')?.getAttribute('translate') !== 'no';
    if (parent && own && !parent.closest(foreign)) check(node.textContent ?? '', `<${parent.tagName.toLowerCase()}>`);
  }
  for (const e of document.querySelectorAll('*')) {
    if (e.closest('[translate]')?.getAttribute('translate') === 'no' || e.closest('.hid')) continue;
    for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-description', 'aria-valuetext']) {
      check(e.getAttribute(name) ?? '', name);
    }
  }
  // Texts of ours that pass through the marks for hidden characters.
  for (const e of document.querySelectorAll('.toast .ell, .notice .grow, .errorcard .headline')) {
    if (language === 'pseudo' && !e.textContent.includes('⟦')) faults.add(`not of the catalogue: ${e.textContent}`);
  }
  check(document.title, 'title of the document');
  return [...faults];
}
