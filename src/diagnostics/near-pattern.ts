import { nearest } from "./did-you-mean";

/**
 * Returns the path or pattern that the user most likely meant; undefined if there is none. For a pattern, only the text
 * before its first `*` is compared. Case does not matter.
 */
function nearestPattern(pattern: string, paths: Iterable<string>): string | undefined {
  const star = pattern.indexOf("*");
  if (star === -1) return nearest(pattern.toLowerCase(), paths);
  const starts = new Set([...paths].map((path) => path.slice(0, star)));
  const near = nearest(pattern.slice(0, star).toLowerCase(), starts);
  return near === undefined ? undefined : `${near}${pattern.slice(star)}`;
}

/**
 * Returns " Did you mean …?", as the end of a sentence about a pattern of paths. Returns an empty text if no
 * path is similar.
 */
export function nearPatternHint(pattern: string, paths: Iterable<string>): string {
  const near = nearestPattern(pattern, paths);
  return near === undefined ? "" : ` Did you mean "${near}"?`;
}
