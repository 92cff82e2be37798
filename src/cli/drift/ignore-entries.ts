import type { UnmanagedObject } from "../../engine";
import { unmanagedName } from "./finding";

/** From this number of objects on, an entry has a pattern in place of their ids. */
const PATTERN_FROM = 4;

/**
 * Entries of an ignore file, as YAML, that pass over undeclared settings and projects. Releases before 0.2.0 did not look for
 * them: with these entries a run exits as it did then. Objects that somebody made by hand have none.
 */
export function ignoreEntries(objects: readonly UnmanagedObject[]): string[] {
  const groups = new Map<
    string,
    { readonly first: UnmanagedObject; readonly attribute?: string; readonly names: string[] }
  >();
  for (const object of objects) {
    const { type, undeclared, isContainer } = object;
    const attributes = isContainer ? [undefined] : (undeclared ?? []);
    for (const attribute of attributes) {
      const key = JSON.stringify([type, attribute]);
      const group = groups.get(key) ?? { first: object, ...(attribute && { attribute }), names: [] };
      group.names.push(unmanagedName(object));
      groups.set(key, group);
    }
  }
  return [...groups.values()].flatMap(({ first, attribute, names }) =>
    (names.length < PATTERN_FROM ? names : [`${first.type} *`]).flatMap((name) => [
      `- object: ${JSON.stringify(name)}`,
      ...(attribute === undefined ? [] : [`  attribute: ${attribute}`]),
      "  kind: unmanaged",
      "  reason: not decided yet",
    ]),
  );
}
