import { groupBy } from "../../schema";
import { type Code, type Entry, expression, keyOf, mapParts, type ObjectCode, object, text } from "./code";
import { UNMANAGED } from "./constant-names";
import type { PartDeclaration } from "./declarations";

/** The placeholder that means the path of any project. */
export const OWN_PATH = "{project}";

/** Returns the options of a `ProjectSettings`, except its `project`. */
export const settingsOf = (parts: readonly PartDeclaration[]): ObjectCode =>
  joinLayers(
    parts.map(({ option, key, value }) =>
      object([[option, key === undefined ? value : object([[key, value]])]]),
    ),
  );

/** Returns the differences of a project's settings from a baseline, as layers. Each layer has one setting. */
export const exceptionsOf = (
  {
    project: { path },
    parts,
  }: { readonly project: { readonly path: string }; readonly parts: readonly PartDeclaration[] },
  baseline: ObjectCode,
): ObjectCode[] => differences(withPath(settingsOf(parts), path), withPath(baseline, path));

function differences(one: ObjectCode, common: ObjectCode): ObjectCode[] {
  const values = new Map(one.entries.map(([key, value]) => [keyText(key), value]));
  const before = new Map(common.entries.map(([key, value]) => [keyText(key), value]));
  const added = one.entries.flatMap(([key, value]): ObjectCode[] => {
    const like = before.get(keyText(key));
    if (like !== undefined && keyOf(like) === keyOf(value)) return [];
    return like?.kind === "object" && value.kind === "object"
      ? differences(value, like).map((each) => object([[key, each]]))
      : [object([[key, value]])];
  });
  const missing = common.entries.filter(([key]) => !values.has(keyText(key)));
  return [...added, ...missing.map(([key]) => object([[key, expression(UNMANAGED)]]))];
}

/**
 * Joins layers to one layer. If several layers set an option, the joined layer has the values of all these layers in this
 * option.
 */
export function joinLayers(layers: readonly ObjectCode[]): ObjectCode {
  const byKey = groupBy(
    layers.flatMap(({ entries }) => entries),
    ([key]) => keyText(key),
  );
  return object(
    [...byKey.values()].map((entries): Entry => {
      const parts = entries.flatMap(([, value]) => (value.kind === "object" ? [value] : []));
      return entries.length === 1 ? entries[0]! : [entries[0]![0], joinLayers(parts)];
    }),
  );
}

/** Returns settings that fit any project: `{project}`, as in a fleet, replaces the path of the project. */
export const ofAnyProject = (baseline: ObjectCode): ObjectCode => withPath(baseline, OWN_PATH);

/** Returns the code with a path instead of the placeholder `{project}`. */
export function withPath<C extends Code>(code: C, path: string): C extends ObjectCode ? ObjectCode : Code;
export function withPath(code: Code, path: string): Code {
  if (code.kind === "own-path") return text(`${path}${code.rest}`);
  return mapParts(code, (part) => withPath(part, path));
}

export const keyText = (key: Entry[0]): string => (typeof key === "string" ? key : keyOf(key));
