import { counted, oneLine } from "../../text";
import { renderFields } from "../difference";
import { attributesOf, placesOf } from "../document/equal";
import type { ReportObject } from "../document/model";
import type { Equal } from "../printing/equal";
import { quote, type Style } from "../printing/text";
import {
  headlineOf,
  liveNotKnownComment,
  positionOf,
  reasonComment,
  signOf,
  strictnessComment,
} from "./resource-change";

/** The width of the list of projects, and the number of its lines: an entry has to fit on a screen. */
const WIDTH = 100;
const MAX_LINES = 8;

/**
 * Equal changes as a block of lines.
 *
 * @param stacks the number of stacks that they are in
 */
export function renderEqualChanges(objects: Equal<ReportObject>, style: Style, stacks = 1): string[] {
  const [first] = objects;
  return [
    style.bold(`  # ${objects.length} objects ${oneLine(first.type)} ${headlineOf(objects)}`),
    ...reasonComment(objects),
    ...placesOfEqual(objects, stacks),
    ...(first.import_id === undefined ? [] : ["  # (imported from their ids)"]),
    ...(first.stays_on_service ? ["  # (the settings stay on the service as they are)"] : []),
    ...(first.deleted_outside ? ["  # (were deleted outside since the last apply)"] : []),
    ...liveNotKnownComment(first),
    ...strictnessComment(first, style),
    `${signOf(first, style)} resource ${quote(first.type)} {`,
    ...renderFields(attributesOf(objects), { style, isUnmarked: first.action === "import" }),
    "    }",
  ];
}

/** The line on changes of a stack that are shown with equal ones of other stacks. */
export const shownElsewhere = (count: number): string[] =>
  count === 0
    ? []
    : [`  # (${counted(count, "object is", "objects are")} above, with equal ones of other stacks)`];

/** Comments on where equal objects are, and on the line that declares them all. */
export function placesOfEqual(objects: Equal<ReportObject>, stacks: number): string[] {
  const { heading, items } = placesOf(objects, stacks);
  const [position, otherPosition] = new Set(objects.map(positionOf));
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
