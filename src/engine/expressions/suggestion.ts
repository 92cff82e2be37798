/** " Did you mean …?" when one of the names is close enough to the given one, else nothing. */
export function suggest(given: string, names: Iterable<string>): string {
  let best: string | undefined;
  let least = Math.max(1, Math.floor(given.length / 3)) + 1;
  for (const name of names) {
    const distance = editDistance(given, name);
    if (distance < least) [best, least] = [name, distance];
  }
  return best === undefined ? "" : ` Did you mean "${best}"?`;
}

/** How many characters to insert, drop or replace. */
function editDistance(from: string, to: string): number {
  let previous = [...Array(to.length + 1).keys()];
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
