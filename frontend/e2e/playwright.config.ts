import { defineConfig } from '@playwright/test';

// Chromium from the distribution against the real Go side; see gatehouse.ts for what a test starts.
export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  fullyParallel: true,
  workers: 2,
  timeout: 180_000,
  globalTimeout: 30 * 60_000,
  forbidOnly: true,
  reporter: [['list']],
  expect: { timeout: 30_000 },
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 820 },
    actionTimeout: 60_000,
    reducedMotion: 'reduce',
    screenshot: 'only-on-failure',
    trace: process.env['TRACE'] ? 'retain-on-failure' : 'off', // costs four tenths of the time
    launchOptions: {
      executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
      // As root there is no sandbox; the rest keeps the browser from calling home.
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--disable-quic',
      ],
    },
  },
});
