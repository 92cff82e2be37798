/** Formats a number with its noun, such as `1 object` or `3 objects`. */
export const counted = (count: number, noun: string, several = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : several}`;

/**
 * Returns the first entries of a list. If the list is longer, adds one entry with the number of omitted entries, such
 * as `and 3 more`.
 */
export const atMost = (entries: readonly string[], most: number, others = "more"): readonly string[] =>
  entries.length <= most ? entries : [...entries.slice(0, most), `and ${entries.length - most} ${others}`];

/** Formats names for a message: the first names, and the number of all others. */
export function namesUpTo(most: number, names: readonly string[]): string {
  const more = names.length - most;
  return `${names.slice(0, most).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Formats the first names for a sentence, such as `a and b` or `a, b and 3 more`. */
export const allUpTo = (most: number, names: readonly string[]): string =>
  names.length > most ? namesUpTo(most, names) : allOf(names);

/** Formats names for a sentence, such as `a, b and c`. */
export const allOf = (names: readonly string[]): string =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
