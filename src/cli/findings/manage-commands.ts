import type { UnmanagedObject } from "../../engine";
import { dayAfter, MAX_WAIVER_DAYS } from "../../provider";
import { shellWord } from "../../text";
import { repeatedSource } from "../arguments/suggested-command";
import { containerOf, idPartsOf } from "../objects/object-facts";
import type { NamedSource } from "../terminal/terminal";
import { waiverLines } from "./waivers";

/**
 * Returns the commands that bring a live object into an app; empty if the object can't be declared. Before `import`, users
 * must write a declaration. The `import` command contains an address for this declaration, made from the project and key of
 * the object. `adopt` writes the declaration, and requires a known project or group.
 */
export function manageCommands(
  object: UnmanagedObject,
  source: NamedSource = {},
): {
  readonly import?: string;
  readonly adopt?: string;
} {
  if (object.isDeclared || object.undeclarable !== undefined || object.unlisted !== undefined) return {};
  if (object.isContainer) return { adopt: `steward adopt ${shellWord(object.id)} --into FILE` };
  const { type, id, live, attributes } = object;
  const values = { attributes, before: null, after: live, beforeSensitive: [], afterSensitive: [] };
  const container = containerOf(values)?.name;
  const address = `${type}.${nameOf(type, id, container)}`;
  return {
    import: ["steward", "import", ...repeatedSource(source), address, id].map(shellWord).join(" "),
    ...(container !== undefined && { adopt: `steward adopt ${shellWord(container)} --into FILE` }),
  };
}

/** Returns an entry for the file of `--ignore`, as YAML. */
export const ignoreEntry = (address: string, container = "*"): string =>
  `- {setting: ${JSON.stringify(address)}, project: ${JSON.stringify(container)}, reason: "…", owner: "…", until: "…"}`;

/**
 * Returns commands that users can copy to end a drift: restore the applied values, or write the live values into the code. Also
 * returns a waiver that accepts the drift.
 */
export function driftCommands(
  {
    address,
    project,
    group,
  }: { readonly address: string; readonly project?: string | undefined; readonly group?: string | undefined },
  kind: "changed" | "vanished",
  stack: string | undefined,
  source: NamedSource = {},
): { readonly repair: string; readonly accept?: string; readonly ignore: string } {
  // With --config, the commands have no --stack, because these options exclude each other.
  const named = stack === undefined || source.config !== undefined ? [] : ["--stack", stack];
  const target = [...repeatedSource(source), ...named, "--target", address].map(shellWord).join(" ");
  return {
    repair: `steward drift --repair ${target}`,
    ...(kind === "changed" && { accept: `steward drift --accept ${target}` }),
    ignore: ignoreEntry(address, project ?? group),
  };
}

/** Returns a name for the declaration of an object, from the project's name and the key: `web-staging`. */
function nameOf(type: string, id: string, container = ""): string {
  const key = idPartsOf(type, id)?.key ?? "";
  // If the key is an e-mail address, the name contains the type instead, because reports mask addresses.
  const own = key.includes("@") ? type.split("_").at(-1)! : key;
  const words = `${container.split("/").at(-1)!}-${own}`
    .replace(/[^A-Za-z0-9_]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return /^[A-Za-z_]/.test(words) ? words : `_${words}`;
}

/** The facts about an undeclared object, in the fields of a report. */
interface Undeclared {
  readonly address: string;
  readonly type: string;
  readonly undeclared?: readonly string[] | undefined;
  readonly is_container?: true | undefined;
  readonly unlisted?: string | undefined;
}

/** The minimum number of objects of one type for which one waiver with a pattern replaces the waivers with ids. */
const PATTERN_FROM = 4;

/**
 * Returns waivers, as YAML, that accept undeclared settings and projects. Releases before 0.2.0 did not search for these
 * objects. With these waivers, a run has the same exit code as in releases before 0.2.0. Objects that people created by hand
 * get no waiver, because releases before 0.2.0 also reported these objects.
 */
export function ignoreEntries(objects: readonly Undeclared[]): string[] {
  const groups = new Map<
    string,
    { readonly first: Undeclared; readonly attribute?: string; readonly names: string[] }
  >();
  for (const object of objects) {
    const { type, undeclared, is_container: isContainer, unlisted } = object;
    const attributes = isContainer || unlisted !== undefined ? [undefined] : (undeclared ?? []);
    for (const attribute of attributes) {
      const key = JSON.stringify([type, attribute, unlisted !== undefined]);
      const group = groups.get(key) ?? { first: object, ...(attribute && { attribute }), names: [] };
      group.names.push(object.address);
      groups.set(key, group);
    }
  }
  return [...groups.values()].flatMap(({ first, attribute, names }) =>
    (names.length < PATTERN_FROM ? names : [`${first.type} *`]).flatMap((setting) =>
      waiverLines({
        setting,
        attribute,
        kind: first.unlisted === undefined ? "unmanaged" : "unlisted",
        project: "*",
        reason: "not decided yet",
        owner: "not named yet",
        until: dayAfter(new Date(), MAX_WAIVER_DAYS),
      }),
    ),
  );
}
