import { readdirSync } from 'node:fs';
import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import noUnsanitized from 'eslint-plugin-no-unsanitized';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import svelteConfig from './svelte.config.js';

// What each folder must not import, and why. Everything outside a file's own folder is imported as "@/…".
const parents = {
  regex: '^\\.\\./',
  message: 'Import other folders as "@/…", so that the boundaries below can see it.',
};
const bindings = {
  regex: 'wailsjs',
  message: 'Only backend/ talks to Go: everything else goes through the Backend interface.',
};
const fake = { regex: '^@/backend/fake', message: 'The fake back end is for tests and fake.ts; it must not ship.' };
const features = {
  regex: '^@/features/',
  message: 'Features are composed by the shell; they never import each other.',
};
const state = { regex: '^@/(state|backend/(?!backend$))', message: 'The kit knows no controllers and no back end.' };

const boundary = (files, ...patterns) => ({
  files,
  rules: { 'no-restricted-imports': ['error', { patterns }] },
});

const featureFolders = readdirSync(new URL('src/features', import.meta.url));

export default ts.config(
  { ignores: ['dist', 'dist-fake', 'wailsjs', 'node_modules', 'test-results', 'playwright-report'] },
  js.configs.recommended,
  ts.configs.strict,
  ts.configs.stylistic,
  svelte.configs.recommended,
  noUnsanitized.configs.recommended,
  prettier,
  svelte.configs.prettier,
  {
    languageOptions: { globals: { ...globals.browser } },
    rules: {
      'no-eval': 'error',
      'no-implied-eval': 'error',
      'no-new-func': 'error',
      'no-script-url': 'error',
      'no-restricted-globals': ['error', { name: 'open', message: 'Links are opened by Go, after consent.' }],
      'no-restricted-properties': [
        'error',
        { object: 'window', property: 'open', message: 'Links are opened by Go, after consent.' },
        { property: 'BrowserOpenURL', message: 'It passes odd schemes; links are opened by Go.' },
      ],
      'no-restricted-syntax': [
        'error',
        {
          selector: "NewExpression[callee.name='RegExp'][arguments.0.type!='Literal']",
          message: 'Never compile a foreign expression.',
        },
      ],
      // Index access is checked (noUncheckedIndexedAccess); where a bound is evident the assertion says so.
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/consistent-type-definitions': ['error', 'interface'],
      'max-lines': ['error', { max: 400, skipBlankLines: true }],
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, extraFileExtensions: ['.svelte'], svelteConfig } },
    rules: {
      'svelte/no-at-html-tags': 'error',
      // State that the page shows is in $state; sets and maps that only a function uses are plain.
      'svelte/prefer-svelte-reactivity': 'off',
      'svelte/no-target-blank': 'error',
      'svelte/button-has-type': 'error',
      'svelte/require-each-key': 'error',
    },
  },
  {
    files: ['**/*.svelte'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector:
            "SvelteElement[name.name='iframe'], SvelteElement[name.name='object'], SvelteElement[name.name='embed']",
          message: 'No frame may ever exist: it would reach the bridge (CVE-2026-136628).',
        },
        {
          selector:
            "SvelteElement[name.name='a'], SvelteAttribute[key.name='href'], SvelteAttribute[key.name='target']",
          message: 'No live links: use a button; Go opens links after consent.',
        },
        {
          selector: "SvelteAttribute[key.name='style']",
          message: 'The policy forbids style attributes: use a class or style:property.',
        },
      ],
    },
  },
  boundary(['src/**'], parents, bindings, fake),
  boundary(['src/backend/**', 'src/fake.ts', 'src/test/**'], parents),
  boundary(['src/{ui,i18n,json,schema}/**'], parents, bindings, fake, features, state),
  boundary(['src/state/**'], parents, bindings, fake, features),
  ...featureFolders.map((name) => boundary([`src/features/${name}/**`], parents, bindings, fake, features)),
  boundary(['src/**/*.test.ts'], parents, bindings),
  // Strings that attack the page are what these are about.
  { files: ['src/backend/fake/**', '**/*.test.ts', 'e2e/**'], rules: { 'no-script-url': 'off' } },
  { files: ['*.config.js', '*.config.ts'], languageOptions: { globals: { ...globals.node } } },
);
