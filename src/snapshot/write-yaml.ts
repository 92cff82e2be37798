import type { YAMLMap } from "yaml";
import { counted, isOneLine, oneLine } from "../text";
import type { FixtureData } from "./fixture-data";
import type { Note } from "./notes";

type Yaml = typeof import("yaml");

/** The start of the first line of each snapshot. */
export const FIRST_LINE = "# Written by `steward snapshot`.";

/** The maximum length of mappings and lists of scalars that are written on one line. */
const ONE_LINE_LENGTH = 90;

/** Returns the text of a fixture. Equal data gives equal text, for any order of the lists. */
export function writeYaml(data: FixtureData, notes: readonly Note[]): string {
  // The module is loaded only when it is needed, because loading takes long.
  const yaml: Yaml = require("yaml");
  const ordered = inOrder(data) as Record<string, unknown>;
  const document = new yaml.Document(filled(ordered), {
    version: "1.2",
    customTags: (tags) => [unsafeText, ...tags],
  });
  yaml.visit(document, {
    Collection(_, node) {
      const isFlat = node.items.every((item) => yaml.isScalar(yaml.isPair(item) ? item.value : item));
      if (isFlat && JSON.stringify(node.toJSON()).length <= ONE_LINE_LENGTH) node.flow = true;
    },
  });
  if (yaml.isMap(document.contents)) separate(yaml, document.contents);
  const body = document.toString({ lineWidth: 0, flowCollectionPadding: true });
  return `${commentLines(data, notes).join("\n")}\n\n${body}`;
}

/** Removes empty lists, because a fixture may omit each of its lists. A fixture without content is an empty mapping. */
const filled = (data: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(data).filter(([, value]) => !Array.isArray(value) || value.length > 0));

/** Adds blank lines between sections, and between entries that take several lines. */
function separate(yaml: Yaml, { items: sections }: YAMLMap): void {
  for (const [at, { key, value }] of sections.entries()) {
    if (at > 0 && yaml.isScalar(key)) key.spaceBefore = true;
    let isBeforeLong = false;
    for (const [index, entry] of (yaml.isSeq(value) ? value.items : []).entries()) {
      if (!yaml.isMap(entry)) continue;
      const isLong = entry.flow !== true;
      if (index > 0 && (isLong || isBeforeLong)) entry.spaceBefore = true;
      isBeforeLong = isLong;
    }
  }
}

/**
 * Escapes text that a terminal would interpret instead of showing, such as bidirectional marks. The file then shows the
 * escape sequences.
 */
const unsafeText = {
  tag: "tag:yaml.org,2002:str",
  default: true,
  identify: (value: unknown) => typeof value === "string" && !isOneLine(value),
  resolve: (text: string) => text,
  stringify: ({ value }: { readonly value: unknown }) => oneLine(JSON.stringify(value)),
} as const;

function commentLines({ projects, groups, users }: FixtureData, notes: readonly Note[]): string[] {
  const lines = [
    `${FIRST_LINE} \`steward serve --fixture FILE --admin-token-file TOKEN\` serves it.`,
    `# ${counted(projects.length, "project")}, ${counted(groups.length, "group")}, ${counted(users.length, "user")}.`,
    "# A snapshot never holds tokens, passwords, two-factor settings or identities of users, nor their administrator rights:",
    "# the API shows them only to administrators, or not at all.",
  ];
  if (notes.length === 0) return lines;
  const byReason = new Map<string, string[]>();
  for (const { part, reason, container } of notes) {
    const text = `${part}: ${reason}`;
    byReason.set(text, [...(byReason.get(text) ?? []), container]);
  }
  return [
    ...lines,
    "#",
    "# Left out:",
    ...[...byReason].map(([text, containers]) => `# - ${text}: ${oneLine(containers.join(", "))}`),
  ];
}

/** The lists that are not sorted, because their order matters to people. */
const KEPT = new Set(["topics"]);

/** Sorts lists by their content and drops undefined values. */
function inOrder(value: unknown, name = ""): unknown {
  if (Array.isArray(value)) {
    const elements = value.map((element) => inOrder(element));
    if (KEPT.has(name)) return elements;
    return elements
      .map((element) => [sortKey(element), element] as const)
      .sort(([one], [other]) => {
        if (one < other) return -1;
        return one > other ? 1 : 0;
      })
      .map(([, element]) => element);
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => one !== undefined)
      .map(([key, one]) => [key, inOrder(one, key)]),
  );
}

/** Returns the sort key of an element: its first value, which is the name or the id, and then its other values. */
function sortKey(element: unknown): string {
  const values = typeof element === "object" && element !== null ? Object.values(element) : [element];
  return JSON.stringify([values[0], element], (_, one) =>
    typeof one === "number" ? String(one).padStart(16, "0") : one,
  );
}
