/** A named value of an attribute. */
interface EnumerationMember<T> {
  readonly value: T;
  /** Its name in the enumeration of the constructs: `MINIMAL_ACCESS`. */
  readonly name: string;
  /** Its name in text: `Minimal access`. */
  readonly title: string;
}

/** A set of named values, such as levels; constructs export an enumeration of this name. */
export interface Enumeration<T = unknown> {
  readonly name: string;
  readonly description: string;
  readonly members: readonly EnumerationMember<T>[];
  /** Of a subset: the whole enumeration, whose other values a service may return. */
  readonly whole?: Enumeration<T>;
}

/** A subset of an enumeration. */
export const subsetOf = <T>(all: Enumeration<T>, ...values: readonly T[]): Enumeration<T> => ({
  ...all,
  members: all.members.filter(({ value }) => values.includes(value)),
  whole: all.whole ?? all,
});

/** The name of a value for people, also of a value outside of a subset; undefined if the value is its own name. */
export function titleOf({ members, whole }: Enumeration, wanted: unknown): string | undefined {
  const title = (whole?.members ?? members).find(({ value }) => value === wanted)?.title;
  return title?.toLowerCase() === String(wanted).toLowerCase() ? undefined : title;
}

/** The values and their names, for descriptions. */
export const describeValues = <T>({ members }: Enumeration<T>): string => {
  const items = members.map(({ value, title }) => `\`${value}\`${title === value ? "" : ` (${title})`}`);
  return `${items.slice(0, -1).join(", ")} or ${items.at(-1)}`;
};

/** The `values` and `check` of an attribute that accepts these values only. */
export const valuesOf = <T extends string | number>(
  values: Enumeration<T>,
): { readonly values: Enumeration<T>; check(given: T): string | undefined } => ({
  values,
  check: (given) =>
    values.members.some(({ value }) => value === given)
      ? undefined
      : `${JSON.stringify(given)} is not one of ${values.members.map(inError).join(", ")}.`,
});

const inError = <T>({ value, title }: EnumerationMember<T>): string =>
  title === value ? String(value) : `${value} (${title})`;
