// Pictures and sounds from a server become Blob URLs, and only if their first bytes are those of a format that
// cannot carry script. What the server says about the type is not believed.

const pictures: [type: string, at: number, magic: string][] = [
  ['image/png', 0, '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', 0, '\xff\xd8\xff'],
  ['image/gif', 0, 'GIF87a'],
  ['image/gif', 0, 'GIF89a'],
  ['image/webp', 8, 'WEBP'],
];

const sounds: [type: string, at: number, magic: string][] = [
  ['audio/wav', 8, 'WAVE'],
  ['audio/ogg', 0, 'OggS'],
  ['audio/flac', 0, 'fLaC'],
  ['audio/mpeg', 0, 'ID3'],
  ['audio/mpeg', 0, '\xff\xfb'],
  ['audio/mpeg', 0, '\xff\xf3'],
  ['audio/mpeg', 0, '\xff\xf2'],
  ['audio/aac', 0, '\xff\xf1'],
  ['audio/aac', 0, '\xff\xf9'],
  ['audio/mp4', 4, 'ftyp'],
  ['audio/webm', 0, '\x1aE\xdf\xa3'],
];

export interface Media {
  type: string;
  blob: Blob;
}

/** The data as a picture or sound; undefined if it is none that we show. */
export function mediaOf(kind: 'image' | 'audio', base64: string): Media | undefined {
  const bytes = decode(base64);
  if (!bytes) return undefined;
  const found = (kind === 'image' ? pictures : sounds).find(([, at, magic]) => startsWith(bytes, at, magic));
  return found && { type: found[0], blob: new Blob([bytes], { type: found[0] }) };
}

function startsWith(bytes: Uint8Array, at: number, magic: string): boolean {
  return bytes.length > at + magic.length && [...magic].every((c, i) => bytes[at + i] === c.charCodeAt(0));
}

function decode(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const text = atob(base64);
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    return bytes;
  } catch {
    return undefined;
  }
}
