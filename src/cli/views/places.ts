import { counted, namesUpTo, oneLine } from "../../text";
import { type Equal, placesOf } from "../document/equal";
import type { ReportObject } from "../document/model";
import type { Style } from "../terminal/text";

// Comments of plans and drift, and lists of the places of equal objects.

/** Returns comments on separate lines. An absent text has none. */
export const comments = (texts: readonly (string | false | undefined)[]): string[] =>
  texts.flatMap((text) => (text ? [`  # (${oneLine(text)})`] : []));

/** Formats a position, such as `main.ts:26`. */
const positionOf = ({ file, line }: Pick<ReportObject, "file" | "line">): string | undefined =>
  file && `${file}:${line}`;

type Placed = Pick<ReportObject, "project" | "group" | "construct" | "file" | "line">;

/**
 * Returns comments with the place of an object: its project or group, its construct, and the app's file and line.
 */
export const placeComments = ({ project, group, construct, file, line }: Placed): string[] => {
  const container = project === undefined ? group && `group ${group}` : `project ${project}`;
  const declared = [construct && `construct ${construct}`, positionOf({ file, line })]
    .filter(Boolean)
    .join(", ");
  return comments([container, declared]);
};

const LOOSENS = {
  looser: "loosens: allows more than before",
  mixed: "loosens in one part and tightens in another",
};

/** A comment on a change that allows more than before; other changes have none. */
export const strictnessComment = (
  { strictness }: Pick<ReportObject, "strictness">,
  { red }: Style,
): string[] =>
  strictness === undefined || strictness === "tighter" ? [] : [`  # ${red(`(${LOOSENS[strictness]})`)}`];

/** The width of the list of projects, and its maximum number of lines. An entry has to fit on a screen. */
const WIDTH = 100;
const MAX_LINES = 8;
/** The maximum number of objects of one project that the list names. */
const MAX_KEYS = 5;

/** Returns the line about changes of a stack that are shown with equal changes of other stacks. */
export const shownElsewhere = (count: number): string[] =>
  comments([
    count > 0 && `${counted(count, "object is", "objects are")} above, with equal ones of other stacks`,
  ]);

/** Returns comments with the places of equal objects, and with the line that declares them all. */
export function placesOfEqual(objects: Equal<ReportObject>, stacks: number): string[] {
  const { heading, items } = placesOf(objects, stacks);
  const [position, otherPosition] = new Set(objects.map(positionOf));
  const isOnePosition = position !== undefined && otherPosition === undefined;
  return [
    ...listLines(
      "  # ",
      `${oneLine(heading.replace(/^in /, "").replace(/ of (\d+ stacks)$/, " in $1"))}:`,
      items.map(({ name, keys }) =>
        oneLine(keys.length === 0 ? name : `${name} (${namesUpTo(MAX_KEYS, keys)})`),
      ),
    ),
    ...comments([isOnePosition && position]),
  ];
}

/** Lists names on a limited number of lines, with the number of the others. */
export function listLines(start: string, heading: string, names: readonly string[], width = WIDTH): string[] {
  const lines: string[] = [];
  let line = `${start}${heading}`;
  for (const [index, name] of names.entries()) {
    const next = `${line} ${name}${index === names.length - 1 ? "" : ","}`;
    const more = ` and ${names.length - index} more`;
    // The last line has to have space for the number of the others.
    const room = lines.length === MAX_LINES - 1 && index < names.length - 1 ? more.length : 0;
    if (next.length + room <= width) line = next;
    else {
      lines.push(line);
      if (lines.length === MAX_LINES) return [...lines.slice(0, -1), `${line}${more}`];
      line = `${start}  ${name}${index === names.length - 1 ? "" : ","}`;
    }
  }
  return [...lines, line];
}
