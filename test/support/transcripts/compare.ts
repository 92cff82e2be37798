import { parse } from "yaml";
import { expectLike } from "./data";

/** Removes the frames of diagnostics and the line breaks in them, so that a text can be compared as one line. */
export const unframed = (text: string): string => text.replace(/\s*\n│? */g, " ");

/** The checks of a text, by their signs. */
const COMPARISONS: Readonly<Record<string, (text: string, rest: string, block: string) => void>> = {
  ">": (text, rest, block) => expect(text).toContain(textOf(rest, block)),
  "-": (text, rest, block) => expect(text).not.toContain(textOf(rest, block)),
  "=": (text, rest, block) => expect(text).toBe(textOf(rest, block)),
  "|": (text, rest, block) =>
    expect(text).toContain(`${[rest, block].filter((one) => one !== "").join("\n")}\n`),
  "~": (text, rest) => expect(text).toMatch(new RegExp(rest, "m")),
  "@": (text, rest, block) => expectLike(JSON.parse(text), parse(rest + block)),
  count(text, rest) {
    const [, count, part] = /^(\d+) (.*)$/.exec(rest)!;
    expect(text.split(textOf(part!, ""))).toHaveLength(1 + Number(count));
  },
  fewer: (text, rest) => expect(text.split("\n").length).toBeLessThan(Number(rest)),
};

/**
 * Checks a text. `> text`: contains the text. `- text`: does not contain the text. `= text`: equals it. `| line`:
 * contains the line. `~ pattern`: matches. `@ data`: is JSON with this data. `count 2 text`: contains the text twice.
 * `fewer 24`: has fewer than 24 lines.
 */
export function compare(sign: string, text: string, rest: string, block: string): void {
  const holds = COMPARISONS[sign];
  if (holds === undefined) throw new Error(`No such comparison: ${sign}`);
  holds(text, rest, block);
}

/** Returns the text of a step. The text is after the sign, where `\n` means a line end, or in the lines below. */
const textOf = (rest: string, block: string): string =>
  block === "" ? rest.replaceAll("\\n", "\n") : `${block}\n`;
