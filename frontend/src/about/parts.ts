// What Gatehouse is built from. build/licences writes both files; they are fetched only when somebody asks.

export interface Part {
  name: string;
  version: string;
  licence: string;
  part: 'program' | 'page' | 'build';
  /** Which of the texts is its licence; only what is shipped has one here. */
  text?: number;
}

export interface Licences {
  /** The licence of Gatehouse itself. */
  own: string;
  parts: Part[];
  texts: string[];
}

export const licences = async (): Promise<Licences> => (await import('./licences.json')).default as Licences;

export interface Component {
  type: string;
  'bom-ref': string;
  name: string;
  version: string;
  licenses: ({ license: { id: string } } | { expression: string })[]; // the latter for a part under two
  purl?: string;
}

/** A bill of materials: CycloneDX 1.6, of what is shipped. */
export interface Bill {
  bomFormat: string;
  specVersion: string;
  version: number;
  metadata: { component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

const library = 'pkg:golang/std@';

/** The bill of this program: the file knows only which Go is asked for, not which one built it. */
export async function billOf(goVersion: string): Promise<Bill> {
  const asked = (await import('./sbom.json')).default as Bill;
  const built = (ref: string) => (ref.startsWith(library) ? library + goVersion : ref);
  return {
    ...asked,
    components: asked.components.map((part) =>
      part.purl?.startsWith(library)
        ? { ...part, 'bom-ref': built(part['bom-ref']), version: goVersion, purl: built(part.purl) }
        : part,
    ),
    dependencies: asked.dependencies.map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.map(built) })),
  };
}
