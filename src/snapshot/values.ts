/** The names of access levels in a fixture. */
const ROLES: Readonly<Record<number, string>> = {
  0: "no_access",
  5: "minimal",
  10: "guest",
  15: "planner",
  20: "reporter",
  30: "developer",
  40: "maintainer",
  50: "owner",
};

/** Undefined for a level that is none of a member, a share or an invitation. */
export const roleWord = (level: number): string | undefined => ROLES[level];

/** The value, unless it is missing or the default of the embedded service. */
export const otherThan = <Value>(usual: Value, value: Value | null | undefined): Value | undefined =>
  value === null || value === usual ? undefined : value;

/** The list, unless it is empty. */
export const given = <Element>(list: readonly Element[]): readonly Element[] | undefined =>
  list.length === 0 ? undefined : list;

/** A date or timestamp; the first moment of a day is written as its date. */
export const dateText = (text: string | null | undefined): string | undefined =>
  text?.replace(/T00:00:00(\.0+)?(Z|\+00:00)$/, "") || undefined;
