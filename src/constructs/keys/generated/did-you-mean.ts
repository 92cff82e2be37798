// Generated from src/diagnostics/did-you-mean.ts by `npm run generate`. Edit that file.
/**
 * Returns the name that is most similar to a mistyped name. If several names are equally similar, returns the first of
 * these names. Returns undefined if no name is similar.
 */
export function nearest(input: string, names: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Math.max(1, Math.floor(input.length / 3)) + 1;
  for (const name of names) {
    const distance = editDistance(input, name);
    if (distance < least) [best, least] = [name, distance];
  }
  return best;
}

/**
 * Returns "Did you mean …?" if one of the names is similar to `input`. Otherwise, returns the text `otherwise`.
 *
 * @public The package of constructs has a copy of this file, and uses only `nearest`.
 */
export function didYouMean(input: string, names: Iterable<string>, otherwise: string): string {
  const close = nearest(input, names);
  return close === undefined ? otherwise : `Did you mean "${close}"?`;
}

/**
 * Returns how many characters must be inserted, dropped or replaced to get the second text from the first (Levenshtein
 * distance).
 */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = previous[j - 1]! + Number(from[i - 1] !== to[j - 1]);
      row.push(Math.min(replaced, previous[j]! + 1, row[j - 1]! + 1));
    }
    previous = row;
  }
  return previous[to.length]!;
}
