import type { ResourceChange } from "../../engine";
import { oneLine } from "../../text";
import { type ChangedOutside, isDeletedOutside, renderFields } from "../difference";
import { describeChange } from "../document/describe";
import { attributesOf, equalKeyOf, looserFirst, placesOf } from "../document/equal";
import type { ReportObject } from "../document/model";
import { type Equal, groupEqual } from "../printing/equal";
import { staysOnService, strictnessOf } from "../printing/own-provider";
import { quote } from "../printing/printable";
import type { Style } from "../printing/style";
import { headlineOf, liveNotKnownComment, signOf, strictnessComment } from "./resource-change";

/** The width of the list of projects, and the number of its lines: an entry has to fit on a screen. */
const WIDTH = 100;
const MAX_LINES = 8;

/** Changes of one type that differ in nothing but the object. What allows more than before stands first. */
export const groupEqualChanges = (
  changes: readonly ResourceChange[],
  outside: (change: ResourceChange) => ChangedOutside,
): Equal<ResourceChange>[] =>
  looserFirst(
    groupEqual(changes, (change) => changeKeyOf(change, outside(change))),
    ([first]) => strictnessOf(first),
  );

/** Equal texts mean equal changes; undefined if the change is a story of its own. */
export function changeKeyOf(change: ResourceChange, outside: ChangedOutside): string | undefined {
  const { sameAs, takesOver, deposed } = change;
  const isOwnStory = [sameAs, takesOver, deposed].some((part) => part !== undefined);
  return isOwnStory ? undefined : equalKeyOf(describeChange(change, outside));
}

/**
 * Equal changes as a block of lines.
 *
 * @param stacks the number of stacks that they are in
 */
export function renderEqualChanges(
  changes: Equal<ResourceChange>,
  style: Style,
  outside: ChangedOutside,
  stacks = 1,
): string[] {
  const [first, ...rest] = changes;
  const objects: Equal<ReportObject> = [
    describeChange(first, outside),
    ...rest.map((one) => describeChange(one)),
  ];
  const isImport = first.action === "no-op";
  return [
    style.bold(`  # ${changes.length} objects ${oneLine(first.type)} ${headlineOf(first, changes.length)}`),
    ...placesOfEqual(changes, objects, stacks),
    ...(first.importing === undefined ? [] : ["  # (imported from their ids)"]),
    ...(staysOnService(first) ? ["  # (the settings stay on the service as they are)"] : []),
    ...(isDeletedOutside(outside) ? ["  # (were deleted outside since the last apply)"] : []),
    ...liveNotKnownComment(first),
    ...strictnessComment(objects[0], style),
    `${signOf(first, style)} resource ${quote(first.type)} {`,
    ...renderFields(attributesOf(objects), { style, isUnmarked: isImport }),
    "    }",
  ];
}

/** The line on changes of a stack that are shown with equal ones of other stacks. */
export const shownElsewhere = (count: number): string[] =>
  count === 0
    ? []
    : [
        `  # (${count === 1 ? "1 object is" : `${count} objects are`} above, with equal ones of other stacks)`,
      ];

/** Comments on where equal changes are, and on the line that declares them all. */
export function placesOfEqual(
  changes: Equal<ResourceChange>,
  objects: Equal<ReportObject>,
  stacks: number,
): string[] {
  const { heading, items } = placesOf(objects, stacks);
  const [position, otherPosition] = new Set(changes.map((change) => change.position));
  const isOnePosition = position !== undefined && otherPosition === undefined;
  return [
    ...listLines(
      "  # ",
      `${oneLine(heading.replace(/^in /, "").replace(/ of (\d+ stacks)$/, " in $1"))}:`,
      items.map(({ name, keys }) => oneLine(keys.length === 0 ? name : `${name} (${keys.join(", ")})`)),
    ),
    ...(isOnePosition ? [`  # (${oneLine(position)})`] : []),
  ];
}

/** Names in lines of limited number, with the number of those that are left out. */
export function listLines(start: string, heading: string, names: readonly string[]): string[] {
  const lines: string[] = [];
  let line = `${start}${heading}`;
  for (const [index, name] of names.entries()) {
    const next = `${line} ${name}${index === names.length - 1 ? "" : ","}`;
    if (next.length <= WIDTH) line = next;
    else {
      lines.push(line);
      if (lines.length === MAX_LINES)
        return [...lines.slice(0, -1), `${line} and ${names.length - index} more`];
      line = `${start}  ${name}${index === names.length - 1 ? "" : ","}`;
    }
  }
  return [...lines, line];
}
