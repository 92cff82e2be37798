import { notCountedText, quoted } from "../document/access-entry";
import type { ReportAccess, ReportObject } from "../document/model";
import type { Style } from "../terminal/text";
import { type AccessCard, type AccessRow, accessCards, accessHeadline } from "./access";
import { listLines } from "./places";

/** The words of headings for the directions of access changes. */
const DIRECTIONS = {
  looser: "loosens",
  mixed: "loosens and tightens",
  tighter: "tightens",
} as const;

const PAINT: Readonly<Record<AccessRow["kind"], keyof Style>> = {
  loosens: "red",
  gains: "green",
  changes: "yellow",
  loses: "red",
  tightens: "green",
};

/** The width of lines without a terminal, and the minimum and maximum width on a terminal. */
const WIDTH = { default: 100, least: 50, most: 120 };

/** The maximum width of a first column to which others are aligned. */
const MAX_ALIGNED = 44;

/**
 * Renders who gains and who loses access for people: a table for each project or group, then the total.
 *
 * @param isWhole false after an error
 * @param columns the width of the terminal
 */
export function renderAccess(
  access: readonly ReportAccess[],
  style: Style,
  isWhole = true,
  columns = WIDTH.default,
): string[] {
  const label = style.bold("Access:");
  if (access.length === 0 && isWhole) return [`${label} ${accessHeadline([], true).replace(/^N/, "n")}`];
  const total = `${label} ${accessHeadline(access, isWhole)}`;
  if (access.length === 0) return [total];
  const width = Math.max(WIDTH.least, Math.min(columns, WIDTH.most));
  const cards = accessCards(access);
  const lengths = cards.flatMap(({ rows }) => rows.map(({ what }) => what.length));
  const column = Math.max(0, ...lengths.filter((length) => length <= MAX_ALIGNED));
  return [
    style.bold("Access changes:"),
    "",
    ...cards.flatMap((card) => [...cardLines(card, { style, width, column }), ""]),
    total,
  ];
}

interface Layout {
  readonly style: Style;
  readonly width: number;
  /** The width of the column with abilities and rules. */
  readonly column: number;
}

function cardLines(card: AccessCard, layout: Layout): string[] {
  const { place, heading, names, rows, notCounted } = card;
  const { style, width } = layout;
  const where = place.map(([kind, name]) => `${kind} ${quoted(name)}`).join(" ");
  const uncounted = notCounted.map(notCountedText);
  const title = names.length > 0 ? heading : where;
  if (title === "") return uncounted.map((line) => `  ${line}`);
  return [
    `  ${style.bold(title)}${badge(card.direction, style)}`,
    ...rows.flatMap((row) => rowLines(row, layout)),
    ...uncounted.map((line) => `    ${line}`),
    ...(names.length > 0 ? listLines("    ", "in", names, width) : []),
  ];
}

function badge(direction: ReportObject["strictness"], { red, green }: Style): string {
  if (direction === undefined) return "";
  const text = ` (${DIRECTIONS[direction]})`;
  return direction === "tighter" ? green(text) : red(text);
}

/** Returns the lines of a row. Continued values are below the first value. */
function rowLines({ kind, what, values }: AccessRow, { style, width, column }: Layout): string[] {
  const start = `    ${kind.padEnd(8)}  ${what.padEnd(column)}  `;
  const [first = "", ...rest] = linesOfValues(values, width - start.length);
  const painted = start.replace(kind, style[PAINT[kind]](kind));
  return [`${painted}${first}`, ...rest.map((line) => `${" ".repeat(start.length)}${line}`)];
}

/** Returns values in lines of this width, with line breaks only after commas. */
function linesOfValues(values: readonly string[], width: number): string[] {
  const lines: string[] = [];
  // A value may be a list itself, such as the exceptions of every project.
  for (const text of values.join(", ").split(/(?<=,) /)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + text.length <= width)
      lines[lines.length - 1] = `${last} ${text}`;
    else lines.push(text);
  }
  return lines;
}
