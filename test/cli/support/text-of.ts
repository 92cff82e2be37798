/** Returns the text that a channel writes for these lines. */
export const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");
