import type { UnmanagedObject } from "../../engine";
import { dayAfter, MAX_WAIVER_DAYS } from "../../provider";
import { unmanagedName } from "./finding";
import { waiverLines } from "./waiver-file";

/** From this number of objects on, an entry has a pattern in place of their ids. */
const PATTERN_FROM = 4;

/**
 * Waivers, as YAML, that pass over undeclared settings and projects. Releases before 0.2.0 did not look for
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
    (names.length < PATTERN_FROM ? names : [`${first.type} *`]).flatMap((setting) =>
      waiverLines({
        ...{ setting, attribute, kind: "unmanaged", project: "*" },
        ...{
          reason: "not decided yet",
          owner: "not named yet",
          until: dayAfter(new Date(), MAX_WAIVER_DAYS),
        },
      }),
    ),
  );
}
