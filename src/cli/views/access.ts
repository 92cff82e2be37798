import { type AccessHolder, type AccessPlace, type AccessReport, groupBy } from "../../engine";
import { type Place, placesOf } from "../document/equal";
import type { ReportAccess } from "../document/model";
import { type Equal, groupEqual } from "../printing/equal";
import type { Style } from "../printing/text";
import { listLines } from "./equal-changes";

/** How a place reads, apart from names, which `quote` writes. */
export interface AccessLine {
  /** Such as `environment production: +3 can deploy (ada, ben, maya), −1 (carl); approvals 2 → 1`. */
  readonly text: string;
  /** What is not counted, each with its reason. */
  readonly notCounted: readonly string[];
}

/** Names beyond these are counted. */
const SHOWN = 10;

/** What changes in one place. Without everything counted there are no numbers. */
export function accessLine(place: AccessPlace, quote: (name: string) => string): AccessLine {
  const { target, abilities, rules, notCounted } = place;
  const isCounted = notCounted.length === 0;
  const changes = abilities.flatMap(({ name, gains, loses }) => {
    const [everybodyGains, everybodyLoses] = [gains, loses].map((holders) => holders.find(isEverybody));
    if (everybodyGains !== undefined) return [`${nameOf(everybodyGains, quote)} gains ${nounOf(name)}`];
    if (everybodyLoses !== undefined) {
      const { note, ...everybody } = everybodyLoses;
      return [`${nameOf(everybody, quote)} loses ${nounOf(name)}${note === undefined ? "" : ` ${note}`}`];
    }
    const signed = [
      ...signedNames("+", gains, isCounted, phraseOf(name), quote),
      ...signedNames("−", loses, isCounted, gains.length === 0 ? phraseOf(name) : "", quote),
    ];
    return signed.length === 0 ? [] : [signed.join(", ")];
  });
  const changed = rules.map((rule) => `${quote(rule.name)} ${rule.before} → ${rule.after}`);
  const what = [...changes, ...changed].join("; ");
  const head = target === undefined ? "" : `${target.kind} ${quote(target.name)}`;
  return {
    text: [head, what].filter((part) => part !== "").join(": "),
    notCounted: notCounted.map((one) => notCountedLine(one, quote)),
  };
}

const notCountedLine = (
  { what, why }: AccessReport["notCounted"][number],
  quote: (name: string) => string,
): string => `not counted: ${quote(what)} (${why})`;

/** `+3 can deploy (ada, ben, maya)`; without a count `+ can deploy (ada)`. */
function signedNames(
  sign: "+" | "−",
  holders: readonly AccessHolder[],
  isCounted: boolean,
  phrase: string,
  quote: (name: string) => string,
): string[] {
  if (holders.length === 0) return [];
  const count = isCounted ? holders.length : "";
  const names = holders.slice(0, SHOWN).map((holder) => nameOf(holder, quote));
  const more = holders.length > SHOWN ? [`and ${holders.length - SHOWN} more`] : [];
  const list = `(${[...names, ...more].join(", ")})`;
  return [[`${sign}${count}`, phrase, list].filter((part) => part !== "").join(" ")];
}

function nameOf({ kind, name, note }: AccessHolder, quote: (name: string) => string): string {
  const shown = kind === "group" || kind === "project" ? `${kind} ${quote(name)}` : quote(name);
  return note === undefined ? shown : `${shown} ${note}`;
}

/** Abilities whose name is no verb after "can". */
const PHRASES: Readonly<Record<string, string>> = {
  membership: "to the members",
  use_job_tokens: "with job token access",
};

export const phraseOf = (ability: string): string =>
  PHRASES[ability] ?? `can ${ability.replaceAll("_", " ")}`;

/** What everybody gains or loses. */
const nounOf = (ability: string): string =>
  ability === "use_job_tokens" ? "job token access" : ability.replaceAll("_", " ");

const isEverybody = ({ kind }: AccessHolder): boolean => kind === "everybody";

/** What changes in one place, as reports have it: names by ability. */
export interface CountedAccess {
  readonly gains: Readonly<Record<string, readonly string[]>>;
  readonly loses: Readonly<Record<string, readonly string[]>>;
  readonly not_counted: readonly unknown[];
}

/** Who stands for all projects of the service. */
const EVERYBODY = "every project";

/**
 * The totals of all places, such as `+3 −1 can deploy, +1 can approve; 2 places are not counted`; undefined if nothing is
 * counted, and empty if nobody gains or loses. What everybody gains or loses is no number: it has the number of places.
 */
export function accessTotals(all: readonly CountedAccess[]): string | undefined {
  const counted = all.filter((one) => one.not_counted.length === 0);
  const uncounted = all.length - counted.length;
  const totals = new Map<string, { gains: number; loses: number; opens: number; closes: number }>();
  for (const { gains, loses } of counted)
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
  return `${total}; ${uncounted} ${uncounted === 1 ? "place is" : "places are"} not counted`;
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
  count === 0
    ? []
    : [`every project ${verb} ${nounOf(ability)} to ${count} ${count === 1 ? "project" : "projects"}`];

/** Names with other characters are quoted, so that nothing in them reads as a part of the report. */
export const quoted = (name: string): string =>
  /^[\p{L}\p{N}](?:[\p{L}\p{N} ._/*@+-]*[\p{L}\p{N}_*+-])?$/u.test(name) ? name : JSON.stringify(name);

const KNOWN = new Set([
  "stack",
  "stacks",
  "project",
  "group",
  "gains",
  "loses",
  "notes",
  "rules",
  "not_counted",
  "text",
]);

/** The provider's kind and name of a place within a project or group, such as an environment. */
export function targetOf(entry: ReportAccess): { readonly kind: string; readonly name: string } | undefined {
  const found = Object.entries(entry).find(([key, value]) => !KNOWN.has(key) && typeof value === "string");
  return found === undefined ? undefined : { kind: found[0].replaceAll("_", " "), name: String(found[1]) };
}

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
  const target = targetOf(entry);
  const head = target === undefined ? "" : `${target.kind} ${quoted(target.name)}: `;
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
    return {
      type: `_${target?.kind ?? ""}`,
      ...(project !== undefined && { project }),
      ...(group !== undefined && { group }),
      ...(!isOneName && { name: targetOf(entry)!.name }),
    };
  };
  const { heading, items } = placesOf([placed(first), ...entries.slice(1).map(placed)], 1, quoted);
  const head = isOneName && target !== undefined ? `${target.kind} ${quoted(target.name)}: ` : "";
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
  all.map((one) => `${indent}${notCountedLine(one, quoted)}`);
