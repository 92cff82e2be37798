import { nearest } from "../../diagnostics";

/** " Did you mean …?" when one of the names is close enough to the given one, else nothing. */
export function suggest(given: string, names: Iterable<string>): string {
  const close = nearest(given, names);
  return close === undefined ? "" : ` Did you mean "${close}"?`;
}
