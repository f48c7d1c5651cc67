import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { svelteTesting } from '@testing-library/svelte/vite';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** The dev server delivers styles as style elements and reloads over a web socket; the built page needs neither. */
const relaxPolicyInDev: Plugin = {
  name: 'relax-policy-in-dev',
  apply: 'serve',
  transformIndexHtml: (html, context) =>
    context.server ? html.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'") : html,
};

// Mode "fake" builds fake.html over the in-memory back end, for screenshots; it goes to its own folder and never ships.
export default defineConfig(({ mode }) => ({
  plugins: [svelte(), svelteTesting(), relaxPolicyInDev],
  resolve: { alias: { '@mcphost': path('../mcphost'), '@': path('src') } },
  server: { host: '127.0.0.1', strictPort: true, fs: { allow: [path('..')] } },
  build: {
    target: 'es2022',
    outDir: mode === 'fake' ? 'dist-fake' : 'dist',
    modulePreload: { polyfill: false },
    sourcemap: false,
    rolldownOptions: { input: path(mode === 'fake' ? 'fake.html' : 'index.html') },
  },
  test: {
    environment: 'jsdom',
    include: ['src/**/*.test.ts'],
    setupFiles: ['src/test/setup.ts'],
    restoreMocks: true,
    testTimeout: 30_000,
  },
}));
