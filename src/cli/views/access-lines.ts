import type { AccessHolder, AccessPlace, AccessReport } from "../../engine";

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

export const notCountedLine = (
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

/**
 * The totals of all places, such as `+3 −1 can deploy, +1 can approve`; undefined if anything is not counted, and empty if
 * nobody gains or loses. What everybody gains or loses is no number: it has the number of places.
 */
export function accessTotal({ places, notCounted }: AccessReport): string | undefined {
  if (notCounted.length > 0 || places.some((place) => place.notCounted.length > 0)) return undefined;
  const totals = new Map<string, { gains: number; loses: number; opens: number; closes: number }>();
  for (const { name, gains, loses } of places.flatMap(({ abilities }) => abilities)) {
    const total = totals.get(name) ?? { gains: 0, loses: 0, opens: 0, closes: 0 };
    totals.set(name, total);
    if (gains.some(isEverybody)) total.opens++;
    else if (loses.some(isEverybody)) total.closes++;
    else {
      total.gains += gains.length;
      total.loses += loses.length;
    }
  }
  const counted = [...totals].flatMap(([name, { gains, loses }]) =>
    gains + loses > 0 ? [`${signedCounts(gains, loses)} ${phraseOf(name)}`] : [],
  );
  const everybody = [...totals].flatMap(([name, { opens, closes }]) => [
    ...everybodyIn("gains", name, opens),
    ...everybodyIn("loses", name, closes),
  ]);
  return [...counted, ...everybody].join(", ");
}

const signedCounts = (gains: number, loses: number): string =>
  [gains > 0 ? `+${gains}` : "", loses > 0 ? `−${loses}` : ""].filter((part) => part !== "").join(" ");

const everybodyIn = (verb: "gains" | "loses", ability: string, count: number): string[] =>
  count === 0
    ? []
    : [`every project ${verb} ${nounOf(ability)} to ${count} ${count === 1 ? "project" : "projects"}`];

/** The containers of a report, each with its places. */
export function byContainer(
  places: readonly AccessPlace[],
): readonly { readonly container: AccessPlace["container"]; readonly places: readonly AccessPlace[] }[] {
  const groups = new Map<string, AccessPlace[]>();
  for (const place of places) {
    const key = `${place.container.kind} ${place.container.name}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [place]);
    else group.push(place);
  }
  return [...groups.values()].map((group) => ({ container: group[0]!.container, places: group }));
}

/** Names with other characters are quoted, so that nothing in them reads as a part of the report. */
export const quoted = (name: string): string =>
  /^[\p{L}\p{N}](?:[\p{L}\p{N} ._/*@+-]*[\p{L}\p{N}_*+-])?$/u.test(name) ? name : JSON.stringify(name);
