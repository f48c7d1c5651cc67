// Characters that a reader cannot see or cannot tell apart. The table is the one that Go counts with.

export function hiddenName(char: string): string | undefined {
  return /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u.test(char) ? 'hidden' : undefined;
}
