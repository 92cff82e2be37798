import { groupBy } from "../../engine";
import { defined } from "../../json";
import { atMost } from "../../text";
import {
  accessHeadline,
  directionOfAccess,
  directionOfRule,
  EVERYBODY,
  headOf,
  holderText,
  loosens,
  notCountedText,
  nounOf,
  quoted,
  targetOf,
} from "../document/access-entry";
import { type Equal, groupEqual, type NamedContainer, placesOf } from "../document/equal";
import type { ReportAccess, ReportObject } from "../document/model";
import type { Style } from "../terminal/text";
import { listLines } from "./places";

/**
 * Groups access changes in different projects or groups that give and take the same access. At least five equal changes form a
 * group.
 */
const groupEqualAccess = (access: readonly ReportAccess[]): Equal<ReportAccess>[] =>
  groupEqual(access, (entry) => {
    const { project, group, service, notes, rules, gains, loses, not_counted } = entry;
    if ((project ?? group) === undefined || service !== undefined) return undefined;
    const kind = project === undefined ? "group" : "project";
    const text = textWithin(entry);
    return JSON.stringify([kind, targetOf(entry)?.kind, gains, loses, notes, rules, not_counted, text]);
  });

/** Returns the text of an access change without its start, which names the object in the project. */
function textWithin(entry: ReportAccess): string {
  const head = headOf(entry);
  return entry.text.startsWith(head) ? entry.text.slice(head.length) : entry.text;
}

/** An access change as people see it: in one project or group, or the same change in many projects or groups. */
interface AccessItem {
  readonly entries: Equal<ReportAccess>;
  /**
   * The place of the change: `project` or `group` with its path, and `on` with its service. Empty for many projects, and for a
   * change without a project or group.
   */
  readonly place: readonly (readonly [kind: string, name: string])[];
  /**
   * The text, such as `+3 can deploy (ada, ben, maya)`. For many projects, the text ends with a part such as `in 412
   * projects`. Empty if nothing can be counted.
   */
  readonly text: string;
  /** The heading for many projects, such as `in 412 projects`; empty for a change in one project. */
  readonly heading: string;
  /**
   * Whether the text names the object in the project, such as an environment. False if the name of the object differs between
   * projects.
   */
  readonly isTargetShown: boolean;
  /**
   * The projects or groups in which the same change occurs. `names` contains the name of each project or group, and the name of
   * the object in it.
   */
  readonly places: readonly NamedContainer[];
  readonly names: readonly string[];
  readonly notCounted: ReportAccess["not_counted"];
}

/** Returns the access changes in their order. Equal changes in at least five projects form one item. */
const accessItems = (access: readonly ReportAccess[]): AccessItem[] =>
  groupEqualAccess(access).map((entries) => {
    const [{ project, group, service: on, text, not_counted: all }] = entries;
    const notCounted = foldReasons(all);
    if (entries.length > 1) return { entries, place: [], ...inManyPlaces(entries), notCounted };
    const place = Object.entries(defined({ project, group, on })) as [string, string][];
    return { entries, place, text, heading: "", isTargetShown: true, places: [], names: [], notCounted };
  });

/**
 * The maximum number of names in a row, and of uncounted parts with the same reason. The output gives only the number of all
 * further names or parts.
 */
const SHOWN = 10;

/** Returns at most ten uncounted parts for each reason, and the number of the omitted parts. */
const foldReasons = (all: ReportAccess["not_counted"]): ReportAccess["not_counted"] =>
  [...groupBy(all, ({ why }) => why)].flatMap(([why, same]) =>
    same.length <= SHOWN ? same : [...same.slice(0, SHOWN), { what: `${same.length - SHOWN} more`, why }],
  );

function inManyPlaces(
  entries: Equal<ReportAccess>,
): Pick<AccessItem, "text" | "heading" | "isTargetShown" | "places" | "names"> {
  const [first, ...others] = entries;
  const target = targetOf(first);
  const isOneName = new Set(entries.map((entry) => targetOf(entry)?.name)).size === 1;
  const placed = (entry: ReportAccess) => {
    const { project, group } = entry;
    const name = isOneName ? undefined : targetOf(entry)!.name;
    return defined({ type: `_${target?.kind ?? ""}`, project, group, name });
  };
  const { heading, items } = placesOf([placed(first), ...others.map(placed)], 1, quoted);
  const head = isOneName ? headOf(first) : "";
  const where = heading.startsWith("in ") ? heading : `in ${heading}`;
  return {
    text: `${head}${textWithin(first)} ${where}`,
    heading: where,
    isTargetShown: isOneName,
    places: items,
    names: items.map(({ name, keys }) =>
      keys.length === 0 ? quoted(name) : `${quoted(name)} (${keys.map(quoted).join(", ")})`,
    ),
  };
}

/** One line of a table: who gains or loses an ability, or which rule changes. */
export interface AccessRow {
  readonly kind: "gains" | "loses" | "loosens" | "tightens" | "changes";
  /** The object in the project, and the ability or rule, such as `environment production · deploy`. */
  readonly what: string;
  /** At most ten names, or the old and the new value of a rule. */
  readonly values: readonly string[];
}

/** The access changes of one project or group, or the same changes in many projects or groups. */
export interface AccessCard {
  /**
   * `project` or `group` with its path, and `on` with its service. Empty for many projects, and for changes without a project or
   * group.
   */
  readonly place: AccessItem["place"];
  /** The heading for many projects, such as `in 412 projects`. */
  readonly heading: string;
  readonly places: readonly NamedContainer[];
  readonly names: readonly string[];
  readonly direction: ReportObject["strictness"];
  /** The rows of the table. Rows that loosen access come first. */
  readonly rows: readonly AccessRow[];
  readonly notCounted: ReportAccess["not_counted"];
  readonly entries: readonly ReportAccess[];
}

const KINDS: readonly AccessRow["kind"][] = ["loosens", "gains", "changes", "loses", "tightens"];

/** Returns the access changes as tables. Changes that loosen access come first. Changes without a project or group come last. */
export function accessCards(access: readonly ReportAccess[]): AccessCard[] {
  const cards = groupBy(accessItems(access), (item) =>
    item.names.length > 0 ? item : JSON.stringify(item.place),
  );
  const all = [...cards.values()].map(cardOf);
  const first = all.filter(({ direction }) => loosens(direction));
  const others = all.filter(({ direction }) => !loosens(direction));
  const isGeneral = ({ place, names }: AccessCard) => place.length + names.length === 0;
  return [...first, ...others.filter((card) => !isGeneral(card)), ...others.filter(isGeneral)];
}

function cardOf(items: readonly [AccessItem, ...AccessItem[]]): AccessCard {
  const [{ place, heading, places, names }] = items;
  const rows = items.flatMap(({ entries: [entry], isTargetShown }) => rowsOf(entry, isTargetShown));
  const directions = items.map(({ entries: [entry] }) => directionOfAccess(entry));
  return {
    place,
    heading,
    places,
    names,
    direction: joined(directions),
    rows: KINDS.flatMap((kind) => rows.filter((row) => row.kind === kind)),
    notCounted: distinct(items.flatMap(({ notCounted }) => notCounted)),
    entries: items.flatMap(({ entries }) => entries),
  };
}

const distinct = (all: ReportAccess["not_counted"]): ReportAccess["not_counted"] => [
  ...new Map(all.map((one) => [JSON.stringify(one), one])).values(),
];

function joined(directions: readonly ReportObject["strictness"][]): ReportObject["strictness"] {
  const [first, ...others] = new Set(directions.filter((one) => one !== undefined));
  return others.length === 0 ? first : "mixed";
}

/**
 * Returns the rows of one access change. If `isTargetShown` is false, the rows name abilities and rules, but not the object
 * in the project.
 */
function rowsOf(entry: ReportAccess, isTargetShown: boolean): AccessRow[] {
  const target = isTargetShown ? targetOf(entry) : undefined;
  const within = (what: string) =>
    target === undefined ? what : `${target.kind} ${quoted(target.name)} · ${what}`;
  const people = (["gains", "loses"] as const).flatMap((kind) =>
    Object.entries(entry[kind]).flatMap(([ability, names]): AccessRow[] => {
      const shown = names.includes(EVERYBODY) ? [EVERYBODY] : names;
      if (shown.length === 0) return [];
      const values = atMost(
        shown.map((name) => holderText(entry, ability, name)),
        SHOWN,
      );
      return [{ kind, what: within(nounOf(ability)), values }];
    }),
  );
  const rules = entry.rules.map((rule): AccessRow => {
    const direction = directionOfRule(rule);
    const kind = direction === undefined ? "changes" : direction === "looser" ? "loosens" : "tightens";
    return { kind, what: within(quoted(rule.name)), values: [`${rule.before} → ${rule.after}`] };
  });
  return [...people, ...rules];
}

/** The words in headings for the directions of access changes. */
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

/** The widths of lines: `default` without a terminal, and the minimum (`least`) and maximum (`most`) on a terminal. */
const WIDTH = { default: 100, least: 50, most: 120 };

/** The maximum width of the column with abilities and rules. Longer texts do not widen the column. */
const MAX_ALIGNED = 44;

/**
 * Renders for people who gains and who loses access: a table for each project or group, then the total.
 *
 * @param isWhole false after an error, because changes may then be missing
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

/** Returns the lines of a row. If the values need several lines, all lines are aligned with the first line. */
function rowLines({ kind, what, values }: AccessRow, { style, width, column }: Layout): string[] {
  const start = `    ${kind.padEnd(8)}  ${what.padEnd(column)}  `;
  const [first = "", ...rest] = linesOfValues(values, width - start.length);
  const painted = start.replace(kind, style[PAINT[kind]](kind));
  return [`${painted}${first}`, ...rest.map((line) => `${" ".repeat(start.length)}${line}`)];
}

/** Divides values into lines of at most `width` characters. Breaks lines only after commas. */
function linesOfValues(values: readonly string[], width: number): string[] {
  const lines: string[] = [];
  // A value can itself contain commas, such as the list of exceptions of "every project".
  for (const text of values.join(", ").split(/(?<=,) /)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + text.length <= width)
      lines[lines.length - 1] = `${last} ${text}`;
    else lines.push(text);
  }
  return lines;
}
