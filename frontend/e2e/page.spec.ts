import { expect, test } from './fixtures';

test('the policy is on every answer, and an injected script does not run', async ({ page, gatehouse }) => {
  for (const path of ['', 'nothing.js', '../']) {
    const response = await page.request.get(new URL(path, gatehouse.url).href);
    expect(response.headers()['content-security-policy']).toContain("default-src 'none'");
  }
  const meta = await page.locator('meta[http-equiv=Content-Security-Policy]').getAttribute('content');
  expect(meta).toContain("script-src 'self'");
  expect(meta).toContain("frame-src 'none'");
  await page
    .evaluate(() => {
      const script = document.createElement('script');
      script.setAttribute('src', 'data:text/javascript,window.__pwned=1');
      document.head.append(script);
    })
    .catch(() => undefined); // Trusted Types refuse it already
  expect(await page.evaluate(() => '__pwned' in window)).toBe(false);
});

test('the page talks to nobody but its own window', async ({ page, user, gatehouse }) => {
  const origin = new URL(gatehouse.url).origin;
  const foreign: string[] = [];
  page.on('request', (request) => {
    const { url } = { url: request.url() };
    if (!url.startsWith(origin) && !url.startsWith('data:') && !url.startsWith('blob:')) foreign.push(url);
  });
  await page.reload();
  for (const name of ['inbox', 'chat', 'servers', 'tools', 'history', 'settings'] as const) await user.goTo(name);
  expect(foreign).toEqual([]);
});

test('the keyring of the session is used', async ({ page, user }) => {
  await user.goTo('settings');
  await expect(page.getByText(user.words.common.notices['keyring-session'])).toBeHidden();
});
