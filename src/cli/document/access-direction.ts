import type { ReportAccess, ReportObject } from "./model";

type Direction = NonNullable<ReportObject["strictness"]>;

/** Levels of rules by their names, from no minimum to administrators. */
const LEVELS = ["none", "developer", "maintainer", "owner", "admin"];

/** Switches that restrict access while they are on. */
const SWITCHES = ["off", "on"];

/**
 * Returns the direction of a changed rule: `looser` if it requires less than before. Undefined if the values have no order.
 */
export function directionOfRule({
  name,
  before,
  after,
}: ReportAccess["rules"][number]): Exclude<Direction, "mixed"> | undefined {
  // A rule that names administrators lets them in.
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

/** Returns the direction of an access change: gains and lower requirements make it looser. Undefined without such a part. */
export function directionOfAccess({ gains, loses, rules }: ReportAccess): Direction | undefined {
  const hasNames = (names: ReportAccess["gains"]) => Object.values(names).some(({ length }) => length > 0);
  const directions = rules.map(directionOfRule);
  const isLooser = hasNames(gains) || directions.includes("looser");
  const isTighter = hasNames(loses) || directions.includes("tighter");
  if (isLooser) return isTighter ? "mixed" : "looser";
  return isTighter ? "tighter" : undefined;
}

/** Whether a change allows more than before, at least in one part. */
export const loosens = (direction: Direction | undefined): boolean =>
  direction === "looser" || direction === "mixed";
