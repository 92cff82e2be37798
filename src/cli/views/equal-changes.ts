import type { ResourceChange } from "../../engine";
import { oneLine } from "../../text";
import type { Field } from "../difference";
import { type ChangedOutside, fieldsOf, isDeletedOutside, renderFields } from "../difference";
import { describeChange } from "../document/describe";
import { equalKeyOf } from "../document/equal";
import { type Equal, groupEqual } from "../printing/equal";
import { containerOf } from "../printing/place";
import { quote } from "../printing/printable";
import { staysOnService } from "../printing/stays-on-service";
import type { Style } from "../printing/style";
import { headlineOf, liveNotKnownComment, signOf } from "./resource-change";

/** The width of the list of projects, and the number of its lines: an entry has to fit on a screen. */
const WIDTH = 100;
const MAX_LINES = 8;

/** Changes of one type in different projects or groups that differ in nothing else. */
export const groupEqualChanges = (
  changes: readonly ResourceChange[],
  outside: (change: ResourceChange) => ChangedOutside,
): Equal<ResourceChange>[] => groupEqual(changes, (change) => changeKeyOf(change, outside(change)));

/** Equal texts mean equal changes; undefined if the change is a story of its own. */
export function changeKeyOf(change: ResourceChange, outside: ChangedOutside): string | undefined {
  const { sameAs, takesOver, deposed } = change;
  const isOwnStory = [sameAs, takesOver, deposed].some((part) => part !== undefined);
  return isOwnStory ? undefined : equalKeyOf(describeChange(change, outside));
}

/** The fields without those that name the object. */
function commonFields(change: ResourceChange, outside: ChangedOutside): Field[] {
  const names = new Set(["id", containerOf(change)?.kind]);
  return fieldsOf(change, outside).filter(({ name }) => !names.has(name));
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
  const [first] = changes;
  return [
    style.bold(`  # ${changes.length} objects ${oneLine(first.type)} ${headlineOf(first, changes.length)}`),
    ...placesOfEqual(changes, stacks),
    ...(first.importing === undefined ? [] : ["  # (imported from their ids)"]),
    ...(staysOnService(first) ? ["  # (the settings stay on the service as they are)"] : []),
    ...(isDeletedOutside(outside) ? ["  # (were deleted outside since the last apply)"] : []),
    ...liveNotKnownComment(first),
    `${signOf(first, style)} resource ${quote(first.type)} {`,
    ...renderFields(commonFields(first, outside), { style, identifies: true }),
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

/** Comments on the projects or groups of equal changes, and on the line that declares them all. */
export function placesOfEqual(changes: Equal<ResourceChange>, stacks: number): string[] {
  const { kind } = containerOf(changes[0])!;
  const names = [...new Set(changes.map((change) => containerOf(change)!.name))];
  const [position, otherPosition] = new Set(changes.map((change) => change.position));
  const isOnePosition = position !== undefined && otherPosition === undefined;
  return [
    ...listLines(
      `${names.length} ${kind}${names.length === 1 ? "" : "s"}${stacks > 1 ? ` in ${stacks} stacks` : ""}:`,
      names.map(oneLine),
    ),
    ...(isOnePosition ? [`  # (${oneLine(position)})`] : []),
  ];
}

/** Names in comment lines of limited number, with the number of those that are left out. */
function listLines(heading: string, names: readonly string[]): string[] {
  const lines: string[] = [];
  let line = `  # ${heading}`;
  for (const [index, name] of names.entries()) {
    const next = `${line} ${name}${index === names.length - 1 ? "" : ","}`;
    if (next.length <= WIDTH) line = next;
    else {
      lines.push(line);
      if (lines.length === MAX_LINES)
        return [...lines.slice(0, -1), `${line} and ${names.length - index} more`];
      line = `  #   ${name}${index === names.length - 1 ? "" : ","}`;
    }
  }
  return [...lines, line];
}
