// This file guesses from a property's name whether people write more than one line into it.

const manyLines = new Set(
  (
    'body code command content contents css csv description diff document expression graphql html input javascript ' +
    'json lines markdown md message notes patch prompt program python query script shell snippet source sql svg text ' +
    'template typescript xml yaml'
  ).split(' '),
);
const oneLineAfter = new Set(
  'id name path url uri type format mode language encoding length size count key'.split(' '),
);

/** Whether a text property of this name gets a text area: "sql", "emailBody", "source_code", but not "body_type". */
export function readsAsManyLines(key: string): boolean {
  const parts = key
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  const last = parts.at(-1);
  return last !== undefined && !oneLineAfter.has(last) && manyLines.has(last);
}
