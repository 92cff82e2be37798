/** A value that an attribute may have, and what it is called. */
interface EnumerationMember<T> {
  readonly value: T;
  /** As the enumeration of the constructs has it: `MINIMAL_ACCESS`. */
  readonly name: string;
  /** As sentences have it: `Minimal access`. */
  readonly title: string;
}

/** All values of a kind, such as access levels: constructs get an enumeration of them under this name. */
export interface Enumeration<T = unknown> {
  readonly name: string;
  readonly description: string;
  readonly members: readonly EnumerationMember<T>[];
}

/** The same kind of values, but only some of them. */
export const someOf = <T>(all: Enumeration<T>, ...values: readonly T[]): Enumeration<T> => ({
  ...all,
  members: all.members.filter(({ value }) => values.includes(value)),
});

/** For a description: the values and what they mean. */
export const listed = <T>({ members }: Enumeration<T>): string => {
  const words = members.map(({ value, title }) => `\`${value}\`${title === value ? "" : ` (${title})`}`);
  return `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
};

/** What an attribute says that has one of these values: other values are refused. */
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
