// A command as it is typed into a POSIX shell.

const plain = /^[\w@%+=:,./-]+$/;

/** Words that a shell would read as more than themselves are quoted. */
export const shellLine = (words: readonly string[]): string =>
  words.map((word) => (plain.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');
