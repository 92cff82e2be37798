/** A user, group or project of a fixture, by the names of the fixture's fields. An undefined field is left out. */
export type FixtureEntry = Readonly<Record<string, unknown>>;

/**
 * A fixture of the embedded service as plain data. Fields with the service's default value are omitted. The schema
 * of the service defines the fields, but this module may not import the schema.
 */
export interface FixtureData {
  readonly instance?: FixtureEntry | undefined;
  readonly users: readonly (FixtureEntry & { readonly username: string })[];
  readonly groups: readonly FixtureEntry[];
  readonly projects: readonly FixtureEntry[];
}

/** The names of access levels in a fixture. */
const ROLES: Readonly<Record<number, string>> = {
  0: "no_access",
  5: "minimal",
  10: "guest",
  15: "planner",
  20: "reporter",
  25: "security_manager",
  30: "developer",
  40: "maintainer",
  50: "owner",
};

/** Returns the name of a level; undefined for a level that members, shares and invitations can't have. */
export const roleWord = (level: number): string | undefined => ROLES[level];

/** Returns a value; undefined if the value is missing or is the default of the embedded service. */
export const otherThan = <Value>(usual: Value, value: Value | null | undefined): Value | undefined =>
  value === null || value === usual ? undefined : value;

/** Returns the given list; undefined if the list is empty. */
export const given = <Element>(list: readonly Element[]): readonly Element[] | undefined =>
  list.length === 0 ? undefined : list;

/** Returns a date or timestamp as text. A timestamp at 00:00 UTC is written as a date without a time. */
export const dateText = (text: string | null | undefined): string | undefined =>
  text?.replace(/T00:00:00(\.0+)?(Z|\+00:00)$/, "") || undefined;
