// What Gatehouse is built from. licences.json is written by build/licences; it is fetched only when somebody asks.

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
