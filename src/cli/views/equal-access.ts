import { placesOf } from "../document/equal";
import type { ReportAccess } from "../document/model";
import { type Equal, groupEqual } from "../printing/equal";
import { quoted } from "./access-lines";

const KNOWN = new Set([
  "stack",
  "stacks",
  "project",
  "group",
  "gains",
  "loses",
  "notes",
  "rules",
  "not_counted",
  "text",
]);

/** The provider's kind and name of a place within a project or group, such as an environment. */
export function targetOf(entry: ReportAccess): { readonly kind: string; readonly name: string } | undefined {
  const found = Object.entries(entry).find(([key, value]) => !KNOWN.has(key) && typeof value === "string");
  return found === undefined ? undefined : { kind: found[0].replaceAll("_", " "), name: String(found[1]) };
}

/** Places in which the same changes for the same people: from five on they are one entry. */
export const groupEqualAccess = (access: readonly ReportAccess[]): Equal<ReportAccess>[] =>
  groupEqual(access, (entry) => {
    const { project, group, notes, rules, gains, loses, not_counted } = entry;
    if ((project ?? group) === undefined) return undefined;
    const kind = project === undefined ? "group" : "project";
    const text = textWithin(entry);
    return JSON.stringify([kind, targetOf(entry)?.kind, gains, loses, notes, rules, not_counted, text]);
  });

/** What changes, without the name of the place. */
function textWithin(entry: ReportAccess): string {
  const target = targetOf(entry);
  const head = target === undefined ? "" : `${target.kind} ${quoted(target.name)}: `;
  return entry.text.startsWith(head) ? entry.text.slice(head.length) : entry.text;
}

/** Equal access changes as a line, such as `+3 can deploy (ada, ben, maya) in 412 projects`, and the names of the places. */
export function equalAccess(entries: Equal<ReportAccess>): {
  readonly text: string;
  readonly names: readonly string[];
} {
  const [first] = entries;
  const target = targetOf(first);
  const isOneName = new Set(entries.map((entry) => targetOf(entry)?.name)).size === 1;
  const placed = (entry: ReportAccess) => {
    const { project, group } = entry;
    return {
      type: `_${target?.kind ?? ""}`,
      ...(project !== undefined && { project }),
      ...(group !== undefined && { group }),
      ...(!isOneName && { name: targetOf(entry)!.name }),
    };
  };
  const { heading, items } = placesOf([placed(first), ...entries.slice(1).map(placed)], 1, quoted);
  const head = isOneName && target !== undefined ? `${target.kind} ${quoted(target.name)}: ` : "";
  return {
    text: `${head}${textWithin(first)} ${heading.startsWith("in ") ? heading : `in ${heading}`}`,
    names: items.map(({ name, keys }) =>
      keys.length === 0 ? quoted(name) : `${quoted(name)} (${keys.map(quoted).join(", ")})`,
    ),
  };
}
