/** A number with its noun, such as `1 project` or `3 projects`. */
export const counted = (count: number, noun: string, several = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : several}`;

/** The first names, and how many others there are: `ada, ben and 3 more`. */
export const listed = (names: readonly string[], most: number): string =>
  names.length <= most
    ? names.join(", ")
    : `${names.slice(0, most).join(", ")} and ${names.length - most} more`;

/** The first entries of a list, and one for all others, such as `and 3 more`. */
export const atMost = (entries: readonly string[], most: number, others = "more"): readonly string[] =>
  entries.length <= most ? entries : [...entries.slice(0, most), `and ${entries.length - most} ${others}`];
