const CONTEXT = 3;

/** A line of one text, of the other, or of both. */
interface Row {
  readonly mark: " " | "-" | "+";
  readonly line: string;
}

/** What changed in a file, as `diff -u` and `git apply` have it. */
export function unifiedDiff(file: string, before: string, after: string): string[] {
  const rows = rowsOf(before.split("\n"), after.split("\n"));
  const isNear = (at: number) =>
    rows.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(({ mark }) => mark !== " ");
  const hunks: string[] = [];
  let [old, renewed] = [1, 1];
  for (let at = 0; at < rows.length; ) {
    const hunk: Row[] = [];
    while (at + hunk.length < rows.length && isNear(at + hunk.length)) hunk.push(rows[at + hunk.length]!);
    // The last line of a text that ends with a line end is no line.
    if (at + hunk.length === rows.length && hunk.at(-1)?.line === "" && hunk.at(-1)?.mark === " ") hunk.pop();
    const count = (not: Row["mark"]) => hunk.filter(({ mark }) => mark !== not).length;
    if (hunk.length > 0)
      hunks.push(
        `@@ -${old},${count("+")} +${renewed},${count("-")} @@`,
        ...hunk.map(({ mark, line }) => `${mark}${line}`),
      );
    old += count("+");
    renewed += count("-");
    at += hunk.length;
    if (hunk.length === 0) {
      at++;
      old++;
      renewed++;
    }
  }
  return hunks.length === 0 ? [] : [`--- a/${file}`, `+++ b/${file}`, ...hunks];
}

/** The lines that both texts begin and end with stay; between them each changed line is matched with the next equal one. */
function rowsOf(before: readonly string[], after: readonly string[]): Row[] {
  const rows: Row[] = [];
  let [at, to] = [0, 0];
  while (at < before.length || to < after.length) {
    if (at < before.length && before[at] === after[to]) {
      rows.push({ mark: " ", line: before[at]! });
      at++;
      to++;
      continue;
    }
    const [skip, add] = nextMatch(before.slice(at), after.slice(to));
    rows.push(...before.slice(at, at + skip).map((line): Row => ({ mark: "-", line })));
    rows.push(...after.slice(to, to + add).map((line): Row => ({ mark: "+", line })));
    at += skip;
    to += add;
  }
  return rows;
}

/** How many lines of each text come before the nearest pair of equal lines that is followed by another one. */
function nextMatch(before: readonly string[], after: readonly string[]): readonly [number, number] {
  for (let sum = 1; sum < before.length + after.length; sum++)
    for (let skip = Math.max(0, sum - after.length + 1); skip <= Math.min(sum, before.length - 1); skip++) {
      const add = sum - skip;
      if (before[skip] === after[add] && before[skip + 1] === after[add + 1]) return [skip, add];
    }
  return [before.length, after.length];
}
