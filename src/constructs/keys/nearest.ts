// The package of the constructs needs no other room, so this is its own copy of `diagnostics/did-you-mean.ts`.

/** The name that a mistyped one most likely means; undefined if none is near. */
export function nearest(input: string, names: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Math.max(1, Math.floor(input.length / 3)) + 1;
  for (const name of names) {
    const distance = editDistance(input.toLowerCase(), name.toLowerCase());
    if (distance < least) [best, least] = [name, distance];
  }
  return best;
}

/** The number of characters to insert, delete or replace (Levenshtein). */
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
