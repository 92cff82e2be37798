import { nearest } from "../../diagnostics";

/** " Did you mean …?" if one of the names is similar, otherwise an empty text. */
export function suggest(given: string, names: Iterable<string>): string {
  const close = nearest(given, names);
  return close === undefined ? "" : ` Did you mean "${close}"?`;
}
