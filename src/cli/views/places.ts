import { counted, namesUpTo, oneLine } from "../../text";
import { type Equal, placesOf } from "../document/equal";
import type { ReportObject } from "../document/model";
import type { Style } from "../terminal/text";

// This file makes the comment lines (`#`) of plans and drift, such as the list of projects with equal objects.

/** Returns a comment line for each text that is present. */
export const comments = (texts: readonly (string | false | undefined)[]): string[] =>
  texts.flatMap((text) => (text ? [`  # (${oneLine(text)})`] : []));

/** Formats a position, such as `main.ts:26`. */
const positionOf = ({ file, line }: Pick<ReportObject, "file" | "line">): string | undefined =>
  file && `${file}:${line}`;

type Placed = Pick<ReportObject, "project" | "group" | "construct" | "file" | "line">;

/** Returns comments that say where an object is: its project or group, its construct, and its line of code. */
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

/** Returns a comment for a change that allows more than before. Returns no comment for any other change. */
export const strictnessComment = (
  { strictness }: Pick<ReportObject, "strictness">,
  { red }: Style,
): string[] =>
  strictness === undefined || strictness === "tighter" ? [] : [`  # ${red(`(${LOOSENS[strictness]})`)}`];

/**
 * The width and the maximum number of lines of a list of projects. With these limits, a change fits on a screen with its list
 * of projects.
 */
const WIDTH = 100;
const MAX_LINES = 8;
/** The maximum number of objects of one project that a list of projects names. */
const MAX_KEYS = 5;

/** Returns the line that says how many changes of a stack are already in the groups of equal changes. */
export const shownElsewhere = (count: number): string[] =>
  comments([
    count > 0 && `${counted(count, "object is", "objects are")} above, with equal ones of other stacks`,
  ]);

/**
 * Returns comments that list where equal objects are. If one line of code declares all these objects, also returns this line.
 */
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

/** Lists names on at most `MAX_LINES` lines, and gives the number of the omitted names. */
export function listLines(start: string, heading: string, names: readonly string[], width = WIDTH): string[] {
  const lines: string[] = [];
  let line = `${start}${heading}`;
  for (const [index, name] of names.entries()) {
    const next = `${line} ${name}${index === names.length - 1 ? "" : ","}`;
    const more = ` and ${names.length - index} more`;
    // The last line needs space for the number of the names that do not fit.
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
