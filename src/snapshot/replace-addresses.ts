import type { FixtureData } from "./fixture-data";

/** The names of two kinds of fields: fields with one address, and fields with text in which people write addresses. */
const ADDRESS = "email";
const PROSE = "description";

const ADDRESS_IN_PROSE = /[^\s@"'`<>()]+@[^\s@"'`<>()]+/g;

/** Replaces the e-mail addresses of users and invitations, and addresses in descriptions. */
export const replaceAddresses = (data: FixtureData, replace: (address: string) => string): FixtureData =>
  replacedIn(data, "", replace) as FixtureData;

/**
 * Returns a value with replaced addresses.
 *
 * @param field the name of the field that contains the value
 */
function replacedIn(value: unknown, field: string, replace: (address: string) => string): unknown {
  if (typeof value === "string" && field === ADDRESS) return replace(value);
  if (typeof value === "string" && field === PROSE) return value.replace(ADDRESS_IN_PROSE, replace);
  if (Array.isArray(value)) return value.map((one) => replacedIn(one, field, replace));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, replacedIn(one, name, replace)]),
  );
}
