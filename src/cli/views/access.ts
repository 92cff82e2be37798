import { groupBy } from "../../engine";
import { defined } from "../../json";
import { counted } from "../../text";
import { EVERYBODY, headOf, nounOf, phraseOf, quoted, targetOf } from "../document/access-text";
import { type Equal, groupEqual, type NamedContainer, placesOf } from "../document/equal";
import type { ReportAccess } from "../document/model";

/**
 * Returns the totals of all places, such as `+3 −1 can deploy, +1 can approve; 2 places are not counted`. It is
 * undefined if nothing is counted, and empty without changes. A right for every project has no number of people, so
 * the total shows the number of places.
 */
export function accessTotals(all: readonly ReportAccess[]): string | undefined {
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
 * Returns the total of an access report as a sentence.
 *
 * @param isWhole false after an error: further changes may then exist that are not counted
 */
function accessSentence(total: string | undefined, isWhole = true): string {
  if (total === undefined || (total === "" && !isWhole))
    return "no total, because not everything is counted.";
  return total === "" ? "no person, project or group gains or loses access." : `${total}.`;
}

const signedCounts = (gains: number, loses: number): string =>
  [gains > 0 ? `+${gains}` : "", loses > 0 ? `−${loses}` : ""].filter((part) => part !== "").join(" ");

const everybodyIn = (verb: "gains" | "loses", ability: string, count: number): string[] =>
  count === 0 ? [] : [`every project ${verb} ${nounOf(ability)} to ${counted(count, "project")}`];

/** Places in which the same changes for the same people: from five on they are one entry. */
const groupEqualAccess = (access: readonly ReportAccess[]): Equal<ReportAccess>[] =>
  groupEqual(access, (entry) => {
    const { project, group, service, notes, rules, gains, loses, not_counted } = entry;
    if ((project ?? group) === undefined || service !== undefined) return undefined;
    const kind = project === undefined ? "group" : "project";
    const text = textWithin(entry);
    return JSON.stringify([kind, targetOf(entry)?.kind, gains, loses, notes, rules, not_counted, text]);
  });

/** Returns the change, without the name of the place. */
function textWithin(entry: ReportAccess): string {
  const head = headOf(entry);
  return entry.text.startsWith(head) ? entry.text.slice(head.length) : entry.text;
}

/** A change of access as people read it: in one place, or the same in many. */
export interface AccessItem {
  readonly entries: Equal<ReportAccess>;
  /** The one place, such as `project` with its path and `on` with its service; empty for many, and without a place. */
  readonly place: readonly (readonly [kind: string, name: string])[];
  /** Such as `+3 can deploy (ada, ben, maya)`, with `in 412 projects` for many; empty if nothing is counted. */
  readonly text: string;
  /** The location of several places, such as `in 412 projects`; empty for one place. */
  readonly heading: string;
  /** Whether the change is shown with its target, such as an environment; false if the places differ in it. */
  readonly isTargetShown: boolean;
  /** The many places, and their names. */
  readonly places: readonly NamedContainer[];
  readonly names: readonly string[];
  readonly notCounted: ReportAccess["not_counted"];
}

/** The changes in their order. The same changes in five places are one. */
export const accessItems = (access: readonly ReportAccess[]): AccessItem[] =>
  groupEqualAccess(access).map((entries) => {
    const [{ project, group, service: on, text, not_counted: all }] = entries;
    const notCounted = foldReasons(all);
    if (entries.length > 1) return { entries, place: [], ...inManyPlaces(entries), notCounted };
    const place = Object.entries(defined({ project, group, on })) as [string, string][];
    return { entries, place, text, heading: "", isTargetShown: true, places: [], names: [], notCounted };
  });

/** Items of the same reason beyond these are counted. */
const SHOWN = 10;

/** Lists up to ten uncounted items of each reason, with the number of all others. */
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

/** The total of all places as a sentence, for reports. */
export const accessHeadline = (access: readonly ReportAccess[], isWhole: boolean): string =>
  access.length === 0 && isWhole
    ? "No user gains or loses access."
    : accessSentence(accessTotals(access), isWhole);
