import { atMost, counted } from "../../text";
import type { ReportAccess, ReportObject } from "./model";

/** The maximum number of names in a text. If there are more names, the text gives only the number of the omitted names. */
const SHOWN = 10;

/**
 * Returns the text of one access change, such as `environment production: +3 can deploy (ada, ben, maya), −1 (carl); approvals 2
 * → 1`. The text has no numbers if a part of the change can't be counted.
 */
export function accessText(entry: ReportAccess): string {
  const { gains, loses, rules, not_counted: notCounted } = entry;
  const isCounted = notCounted.length === 0;
  const abilities = [...new Set([...Object.keys(gains), ...Object.keys(loses)])];
  const changes = abilities.flatMap((ability) => {
    const named = (name: string) => holderText(entry, ability, name);
    const [gaining, losing] = [gains[ability] ?? [], loses[ability] ?? []];
    if (gaining.includes(EVERYBODY)) return [`${named(EVERYBODY)} gains ${nounOf(ability)}`];
    if (losing.includes(EVERYBODY)) {
      const note = noteOf(entry, ability, EVERYBODY);
      return [`${EVERYBODY} loses ${nounOf(ability)}${note === undefined ? "" : ` ${note}`}`];
    }
    const signed = [
      ...signedNames("+", gaining.map(named), isCounted, phraseOf(ability)),
      ...signedNames("−", losing.map(named), isCounted, gaining.length === 0 ? phraseOf(ability) : ""),
    ];
    return signed.length === 0 ? [] : [signed.join(", ")];
  });
  const changed = rules.map((rule) => `${quoted(rule.name)} ${rule.before} → ${rule.after}`);
  return `${headOf(entry)}${[...changes, ...changed].join("; ")}`.replace(/: $/, "");
}

/**
 * Returns the start of the text about an access change. The start contains the object in the project or group, such as
 * `environment production: `.
 */
export function headOf(entry: ReportAccess): string {
  const target = targetOf(entry);
  return target === undefined ? "" : `${target.kind} ${quoted(target.name)}: `;
}

/** The name that represents all projects of the service. */
export const EVERYBODY = "every project";

/**
 * Returns a text with the names that gain (`+`) or lose (`−`) an ability, such as `+3 can deploy (ada, ben, maya)`. Without a
 * count, the text is `+ can deploy (ada)`.
 */
function signedNames(sign: "+" | "−", names: readonly string[], isCounted: boolean, phrase: string) {
  if (names.length === 0) return [];
  const count = isCounted ? names.length : "";
  const list = `(${atMost(names, SHOWN).join(", ")})`;
  return [[`${sign}${count}`, phrase, list].filter((part) => part !== "").join(" ")];
}

/**
 * Returns the name of a person, project or group with access. The kind of a project or group comes first, and a note about
 * the access follows.
 */
export function holderText(entry: ReportAccess, ability: string, name: string): string {
  const [, kind, own] = /^(project|group) (.+)$/s.exec(name) ?? [];
  const shown = own === undefined ? quoted(name) : `${kind} ${quoted(own)}`;
  const note = noteOf(entry, ability, name);
  return note === undefined ? shown : `${shown} ${note}`;
}

/**
 * Returns the note about a name and an ability. In reports before format 1.8, notes contain no ability, so a note applies to
 * all abilities.
 */
const noteOf = ({ notes = [] }: ReportAccess, ability: string, name: string): string | undefined =>
  notes.find((one) => one.name === name && (one.ability ?? ability) === ability)?.note;

/** The phrases for abilities that can't be written as "can" and the name of the ability. */
const PHRASES: Readonly<Record<string, string>> = {
  membership: "to the members",
  use_job_tokens: "with job token access",
};

const phraseOf = (ability: string): string => PHRASES[ability] ?? `can ${ability.replaceAll("_", " ")}`;

/** Returns the noun for an ability that every project gains or loses. */
export const nounOf = (ability: string): string =>
  ability === "use_job_tokens" ? "job token access" : ability.replaceAll("_", " ");

/**
 * Returns a name, in quotes if it has unusual characters. With quotes, readers can't mistake a part of the name for text of
 * the report.
 */
export const quoted = (name: string): string =>
  /^[\p{L}\p{N}](?:[\p{L}\p{N} ._/*@+-]*[\p{L}\p{N}_*+-])?$/u.test(name) ? name : JSON.stringify(name);

/** Returns a text about a part of an access change that is not counted, and why. */
export const notCountedText = ({ what, why }: ReportAccess["not_counted"][number]): string =>
  `not counted: ${quoted(what)} (${why})`;

/** The names of the fields of an access change, except the fields that say where the change is. */
export const ACCESS_FACTS: ReadonlySet<string> = new Set([
  "stack",
  "stacks",
  "gains",
  "loses",
  "notes",
  "rules",
  "not_counted",
  "text",
  "changes",
  "service",
  "depends_on",
]);

/**
 * Returns the object of a project or group that the access concerns, such as an environment. `kind` is the provider's word for
 * the object, such as `environment`.
 */
export function targetOf(entry: ReportAccess): { readonly kind: string; readonly name: string } | undefined {
  const { project, group, ...others } = entry;
  const found = Object.entries(others).find(([key]) => !ACCESS_FACTS.has(key));
  return found === undefined ? undefined : { kind: found[0].replaceAll("_", " "), name: String(found[1]) };
}

type Direction = NonNullable<ReportObject["strictness"]>;

/** The levels that a rule can require, from the lowest to the highest. */
const LEVELS = ["none", "developer", "maintainer", "owner", "admin"];

/** The values of a switch that restricts access, from the loosest to the strictest. */
const SWITCHES = ["off", "on"];

/**
 * Returns the direction of a changed rule. The direction is `looser` if the new value requires less. Returns undefined if the
 * values have no order.
 */
export function directionOfRule({
  name,
  before,
  after,
}: ReportAccess["rules"][number]): Exclude<Direction, "mixed"> | undefined {
  // A rule with such a name gives administrators access, so only the removal of the rule (`no`) makes access tighter.
  if (name.startsWith("administrators named to ")) return after === "no" ? "tighter" : "looser";
  const [from, to] = ranksOf(before, after);
  if (from === undefined || to === undefined || from === to) return undefined;
  return to < from ? "looser" : "tighter";
}

function ranksOf(before: unknown, after: unknown): readonly (number | undefined)[] {
  if (typeof before === "number" && typeof after === "number") return [before, after];
  const scale = [SWITCHES, LEVELS].find((one) => one.includes(String(before)) && one.includes(String(after)));
  return scale === undefined ? [] : [before, after].map((value) => scale.indexOf(String(value)));
}

/**
 * Returns the direction of an access change. The change is looser if a person, project or group gains access, or if a rule
 * requires less. Returns undefined if no part of the change has a direction.
 */
export function directionOfAccess({ gains, loses, rules }: ReportAccess): Direction | undefined {
  const hasNames = (names: ReportAccess["gains"]) => Object.values(names).some(({ length }) => length > 0);
  const directions = rules.map(directionOfRule);
  const isLooser = hasNames(gains) || directions.includes("looser");
  const isTighter = hasNames(loses) || directions.includes("tighter");
  if (isLooser) return isTighter ? "mixed" : "looser";
  return isTighter ? "tighter" : undefined;
}

/** Returns true if a change allows more than before, at least in one part. */
export const loosens = (direction: Direction | undefined): boolean =>
  direction === "looser" || direction === "mixed";

/**
 * Returns the totals of all places, such as `+3 −1 can deploy, +1 can approve; 2 places are not counted`. Returns undefined if
 * nothing can be counted. Returns an empty text if there are no changes. If every project of the service gains an ability, the
 * total gives the number of projects that grant the ability. The number of people is not known then.
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
 * @param isWhole false after an error, because some changes may then be missing from the total
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

/** Returns the total of all access changes as a sentence, for reports. */
export const accessHeadline = (access: readonly ReportAccess[], isWhole: boolean): string =>
  access.length === 0 && isWhole
    ? "No user gains or loses access."
    : accessSentence(accessTotals(access), isWhole);
