import { groupBy } from "../../engine";
import { defined } from "../../json";
import { counted } from "../../text";
import {
  EVERYBODY,
  headOf,
  notCountedText,
  nounOf,
  phraseOf,
  quoted,
  targetOf,
} from "../document/access-text";
import { type Equal, groupEqual, type Place, placesOf } from "../document/equal";
import type { ReportAccess } from "../document/model";
import type { Style } from "../printing/text";
import { listLines } from "./resource-change";

/** What changes in one place, as reports have it: names by ability. */
export interface CountedAccess {
  readonly gains: Readonly<Record<string, readonly string[]>>;
  readonly loses: Readonly<Record<string, readonly string[]>>;
  readonly not_counted: readonly unknown[];
}

/**
 * The totals of all places, such as `+3 −1 can deploy, +1 can approve; 2 places are not counted`; undefined if nothing is
 * counted, and empty if nobody gains or loses. What everybody gains or loses is no number: it has the number of places.
 */
export function accessTotals(all: readonly CountedAccess[]): string | undefined {
  const whole = all.filter((one) => one.not_counted.length === 0);
  const uncounted = all.length - whole.length;
  const totals = new Map<string, { gains: number; loses: number; opens: number; closes: number }>();
  for (const { gains, loses } of whole)
    for (const name of new Set([...Object.keys(gains), ...Object.keys(loses)])) {
      const total = totals.get(name) ?? { gains: 0, loses: 0, opens: 0, closes: 0 };
      totals.set(name, total);
      const [gaining, losing] = [gains[name] ?? [], loses[name] ?? []];
      if (gaining.includes(EVERYBODY)) total.opens++;
      else if (losing.includes(EVERYBODY)) total.closes++;
      else {
        total.gains += gaining.length;
        total.loses += losing.length;
      }
    }
  const people = [...totals].flatMap(([name, { gains, loses }]) =>
    gains + loses > 0 ? [`${signedCounts(gains, loses)} ${phraseOf(name)}`] : [],
  );
  const everybody = [...totals].flatMap(([name, { opens, closes }]) => [
    ...everybodyIn("gains", name, opens),
    ...everybodyIn("loses", name, closes),
  ]);
  const total = [...people, ...everybody].join(", ");
  if (uncounted === 0) return total;
  if (total === "") return undefined;
  return `${total}; ${counted(uncounted, "place is", "places are")} not counted`;
}

/**
 * The total of an access report as a sentence.
 *
 * @param isWhole false after an error: then somebody may gain or lose access who is not counted
 */
export function accessSentence(total: string | undefined, isWhole = true): string {
  if (total === undefined || (total === "" && !isWhole))
    return "no total, because not everything is counted.";
  return total === "" ? "no person, project or group gains or loses access." : `${total}.`;
}

const signedCounts = (gains: number, loses: number): string =>
  [gains > 0 ? `+${gains}` : "", loses > 0 ? `−${loses}` : ""].filter((part) => part !== "").join(" ");

const everybodyIn = (verb: "gains" | "loses", ability: string, count: number): string[] =>
  count === 0 ? [] : [`every project ${verb} ${nounOf(ability)} to ${counted(count, "project")}`];

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
  const head = headOf(entry);
  return entry.text.startsWith(head) ? entry.text.slice(head.length) : entry.text;
}

/** Equal access changes as a line, such as `+3 can deploy (ada, ben, maya) in 412 projects`, and the names of the places. */
export function equalAccess(entries: Equal<ReportAccess>): {
  readonly text: string;
  readonly names: readonly string[];
  readonly items: readonly Place[];
} {
  const [first] = entries;
  const target = targetOf(first);
  const isOneName = new Set(entries.map((entry) => targetOf(entry)?.name)).size === 1;
  const placed = (entry: ReportAccess) => {
    const { project, group } = entry;
    const name = isOneName ? undefined : targetOf(entry)!.name;
    return defined({ type: `_${target?.kind ?? ""}`, project, group, name });
  };
  const { heading, items } = placesOf([placed(first), ...entries.slice(1).map(placed)], 1, quoted);
  const head = isOneName ? headOf(first) : "";
  return {
    items,
    text: `${head}${textWithin(first)} ${heading.startsWith("in ") ? heading : `in ${heading}`}`,
    names: items.map(({ name, keys }) =>
      keys.length === 0 ? quoted(name) : `${quoted(name)} (${keys.map(quoted).join(", ")})`,
    ),
  };
}

/**
 * Who gains and who loses access, for people. Equal changes in five places are one entry.
 *
 * @param isWhole false after an error
 */
export function renderAccess(access: readonly ReportAccess[], style: Style, isWhole = true): string[] {
  const total = `${style.bold("Access:")} ${accessSentence(accessTotals(access), isWhole)}`;
  if (access.length === 0)
    return [isWhole ? `${style.bold("Access:")} nobody gains or loses access.` : total];
  const groups = groupEqualAccess(access);
  const equal = groups
    .filter((group) => group.length > 1)
    .flatMap((group) => {
      const { text, names } = equalAccess(group);
      return [...listLines("  ", `${text}:`, names), ...notCounted(group[0], "      "), ""];
    });
  const single = groups.flatMap((group) => (group.length > 1 ? [] : [group[0]]));
  const isGeneral = ({ project, group }: ReportAccess) => (project ?? group) === undefined;
  const places = groupBy(
    single.filter((one) => !isGeneral(one)),
    ({ project, group }) =>
      project === undefined ? `group ${quoted(group!)}` : `project ${quoted(project)}`,
  );
  const general = single.filter(isGeneral).flatMap((one) => notCounted(one, "  "));
  return [
    style.bold("Access changes:"),
    "",
    ...equal,
    ...[...places].flatMap(([heading, entries]) => [
      `  ${style.bold(heading)}`,
      ...entries.flatMap((one) => {
        const [first, ...rest] = [...(one.text === "" ? [] : [one.text]), ...notCounted(one, "")];
        return [`    ${first}`, ...rest.map((line) => `      ${line}`)];
      }),
      "",
    ]),
    ...(general.length > 0 ? [...general, ""] : []),
    total,
  ];
}

const notCounted = ({ not_counted: all }: ReportAccess, indent: string): string[] =>
  all.map((one) => `${indent}${notCountedText(one)}`);
