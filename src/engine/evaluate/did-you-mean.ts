/** The name that a mistyped one most likely means; nothing when none is near. */
export function nearest(mistyped: string, names: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.floor(mistyped.length / 3));
  const ranked = names
    .map((name) => ({ name, distance: editDistance(mistyped, name) }))
    .filter(({ distance }) => distance <= limit)
    .sort((one, other) => one.distance - other.distance);
  return ranked[0]?.name;
}

/** How many letters have to be put in, taken out or changed (Levenshtein). */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const change = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[to.length]!;
}
