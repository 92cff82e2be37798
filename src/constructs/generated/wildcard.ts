// Generated from src/text/wildcard.ts by `npm run generate`. Edit that file.
/** A compiled pattern in which `*` matches any text, even an empty text. */
export interface Wildcard {
  test(text: string): boolean;
}

/**
 * Compiles a pattern of literal text and `*`. A regular expression would backtrack: with 25 stars, a text
 * that does not match takes minutes. This code searches each piece between two stars once, starting at the
 * end of the previous piece.
 *
 * @param ignoresCase whether upper and lower case are equal
 */
export function wildcard(pattern: string, { ignoresCase = false } = {}): Wildcard {
  const fold = (text: string): string => (ignoresCase ? text.toLowerCase() : text);
  const pieces = fold(pattern).split("*");
  return { test: (text) => matches(fold(text), pieces) };
}

function matches(text: string, pieces: readonly string[]): boolean {
  const first = pieces[0]!;
  if (pieces.length === 1) return text === first;
  const last = pieces.at(-1)!;
  const end = text.length - last.length;
  if (end < first.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  let position = first.length;
  // The leftmost match of each piece leaves the most text for the later pieces.
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, position);
    if (found === -1) return false;
    position = found + piece.length;
  }
  return position <= end;
}
