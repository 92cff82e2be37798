/** What a channel writes of these lines. */
export const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");
