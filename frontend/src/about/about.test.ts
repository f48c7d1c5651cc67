import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { billOf, licences } from './parts';

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
      expect(licence, name).toMatch(/^[\w.-]+( AND [\w.-]+)*$/);
      if (part === 'build') expect(text, name).toBeUndefined();
      else expect(texts[text!]?.length, name).toBeGreaterThan(200);
    }
  });
});

describe('the bill of materials (build/licences writes it)', async () => {
  const bill = await billOf('1.99.1');
  const all = [bill.metadata.component, ...bill.components];
  const refs = all.map((part) => part['bom-ref']);

  // The rules of https://cyclonedx.org/schema/bom-1.6.schema.json that concern what is in it.
  it('is CycloneDX 1.6', () => {
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 });
    const known = new Set(['$schema', 'bomFormat', 'specVersion', 'version', 'metadata', 'components', 'dependencies']);
    for (const key of Object.keys(bill)) expect(known).toContain(key);
    for (const part of all) {
      expect(['application', 'library']).toContain(part.type);
      for (const text of [part.name, part.version, part['bom-ref']]) expect(text).toMatch(/\S/);
      expect(part.licenses, part.name).toHaveLength(1);
      const [each] = part.licenses;
      const names = 'license' in each! ? [each.license.id] : each!.expression.split(' AND ');
      for (const name of names) expect(name, part.name).toMatch(/^(MIT|ISC|Apache-2\.0|MPL-2\.0|BSD-[23]-Clause)$/); // SPDX
    }
  });

  it('names each part once, and its dependencies are parts', () => {
    expect(new Set(refs).size).toBe(refs.length);
    expect(bill.dependencies.map(({ ref }) => ref)).toEqual([bill.metadata.component['bom-ref']]);
    expect(bill.dependencies[0]!.dependsOn).toEqual(bill.components.map((part) => part['bom-ref']));
  });

  // https://github.com/package-url/purl-spec: scheme, type, namespace and name (lower case for golang), version.
  it('has a package URL for each part of others', () => {
    for (const { purl, name, version } of bill.components) {
      expect(purl, name).toMatch(/^pkg:(golang|npm|github)(\/[\w.~%-]+)+@[\w.%+-]+$/);
      const [, type, path, at] = purl!.match(/^pkg:(\w+)\/(.+)@(.+)$/)!;
      expect(decodeURIComponent(at!), name).toBe(version);
      if (name === 'Go standard library') expect(path).toBe('std');
      else expect(decodeURIComponent(path!), name).toBe(type === 'golang' ? name.toLowerCase() : name);
    }
  });

  it('has what is shipped, no tool of the build, and the Go that built it', () => {
    const shipped = parts.filter(({ part }) => part !== 'build').map(({ name }) => name);
    expect(bill.components.map(({ name }) => name)).toEqual(shipped);
    expect(bill.metadata.component.version).toBe(read('../main.go').match(/^var version = "(.+)"$/m)?.[1]);
    expect(bill.components[0]).toMatchObject({ version: '1.99.1', purl: 'pkg:golang/std@1.99.1' });
  });
});
