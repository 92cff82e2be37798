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
    const signed = [
      ...signedNames("+", gains, isCounted, phraseOf(name), quote),
      ...signedNames("−", loses, isCounted, gains.length === 0 ? phraseOf(name) : "", quote),
    ];
    return signed.length === 0 ? [] : [signed.join(", ")];
  });
  const changed = rules.map((rule) => `${rule.name} ${rule.before} → ${rule.after}`);
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

/** `+3 can deploy (ada, ben, maya)`; without a count, or for everybody, `+ can deploy (ada)`. */
function signedNames(
  sign: "+" | "−",
  holders: readonly AccessHolder[],
  isCounted: boolean,
  phrase: string,
  quote: (name: string) => string,
): string[] {
  if (holders.length === 0) return [];
  const count = isCounted && !holders.some(({ kind }) => kind === "everybody") ? holders.length : "";
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
  use_job_tokens: "can use their job tokens here",
};

const phraseOf = (ability: string): string => PHRASES[ability] ?? `can ${ability.replaceAll("_", " ")}`;

/**
 * The totals of all places, such as `+3 −1 can deploy, +1 can approve`; undefined if anything is not counted, and empty if
 * nobody gains or loses.
 */
export function accessTotal({ places, notCounted }: AccessReport): string | undefined {
  if (notCounted.length > 0 || places.some((place) => place.notCounted.length > 0)) return undefined;
  const totals = new Map<string, { gains: number; loses: number; isOpen: boolean }>();
  for (const { name, gains, loses } of places.flatMap(({ abilities }) => abilities)) {
    const total = totals.get(name) ?? { gains: 0, loses: 0, isOpen: false };
    total.gains += gains.length;
    total.loses += loses.length;
    total.isOpen ||= [...gains, ...loses].some(({ kind }) => kind === "everybody");
    totals.set(name, total);
  }
  return [...totals]
    .filter(([, { gains, loses, isOpen }]) => gains + loses > 0 && !isOpen)
    .map(([name, { gains, loses }]) =>
      [gains > 0 ? `+${gains}` : "", loses > 0 ? `−${loses}` : "", phraseOf(name)]
        .filter((part) => part !== "")
        .join(" "),
    )
    .join(", ");
}

/** The containers of a report, each with its places. */
export function byContainer(
  places: readonly AccessPlace[],
): readonly { readonly container: AccessPlace["container"]; readonly places: readonly AccessPlace[] }[] {
  const groups = new Map<string, AccessPlace[]>();
  for (const place of places) {
    const key = `${place.container.kind} ${place.container.name}`;
    groups.set(key, [...(groups.get(key) ?? []), place]);
  }
  return [...groups.values()].map((group) => ({ container: group[0]!.container, places: group }));
}

/** Names with other characters are quoted, so that nothing in them reads as a part of the report. */
export const quoted = (name: string): string =>
  /^[\p{L}\p{N}](?:[\p{L}\p{N} ._/*@+-]*[\p{L}\p{N}_*+-])?$/u.test(name) ? name : JSON.stringify(name);
