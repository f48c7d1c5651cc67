import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { licences } from './parts';

const read = (path: string) => readFileSync(path, 'utf8');
const { own, parts, texts } = await licences();
const versionOf = (name: string) => parts.find((part) => part.name === name)?.version;

/** The modules that go.mod asks for itself. */
const modules = [...read('../go.mod').matchAll(/^\t(\S+) (v\S+)$/gm)].map(([, name, version]) => [name!, version!]);

describe('the list of licences (build/licences writes it)', () => {
  it('has every module that go.mod asks for, in its version', () => {
    expect(modules.length).toBeGreaterThan(5);
    for (const [name, version] of modules) expect(versionOf(name!), name).toBe(version);
  });

  it('has every package that package.json asks for, in its version', () => {
    const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, { version: string }> };
    const asked = JSON.parse(read('package.json')) as Record<string, Record<string, string>>;
    const names = Object.keys({ ...asked['dependencies'], ...asked['devDependencies'] });
    expect(names).toContain('svelte');
    for (const name of names) expect(versionOf(name), name).toBe(lock.packages[`node_modules/${name}`]?.version);
  });

  it('has the licence of Gatehouse, and the text for all that is shipped', () => {
    expect(own).toBe(read('../LICENSE').trim());
    for (const { name, part, licence, text } of parts) {
      expect(licence, name).toMatch(/^[\w.-]+$/);
      if (part === 'build') expect(text, name).toBeUndefined();
      else expect(texts[text!]?.length, name).toBeGreaterThan(200);
    }
  });
});
