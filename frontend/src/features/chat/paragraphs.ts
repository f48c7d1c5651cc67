// Splits a message into paragraphs and code fences. Everything else stays the plain text it is.

export interface Part {
  kind: 'text' | 'code';
  text: string;
}

/** A fence is a line of at least three backticks; it ends at a line of as many, or at the end while text streams in. */
export function partsOf(message: string): Part[] {
  const parts: Part[] = [];
  let lines: string[] = [];
  let fence = '';
  const close = (kind: Part['kind']) => {
    const text = lines.join('\n');
    if (kind === 'code' || text.trim() !== '')
      parts.push({ kind, text: kind === 'code' ? text : text.replace(/^\n+|\n+$/g, '') });
    lines = [];
  };
  for (const line of message.split('\n')) {
    const ticks = /^ {0,3}(`{3,})[^`]*$/.exec(line)?.[1];
    if (ticks === undefined || (fence !== '' && (ticks.length < fence.length || line.trim() !== ticks))) {
      lines.push(line);
      continue;
    }
    close(fence === '' ? 'text' : 'code');
    fence = fence === '' ? ticks : '';
  }
  close(fence === '' ? 'text' : 'code');
  return parts;
}
