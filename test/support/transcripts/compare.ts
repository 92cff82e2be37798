import { parse } from "yaml";
import { expectLike } from "./data";

/** Removes the frames of diagnostics, which break lines. */
export const unframed = (text: string): string => text.replace(/\s*\n│? */g, " ");

/** The comparisons of a text, by their signs. */
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

/** Holds a text against `> text`, `- text`, `= text`, `| line`, `~ pattern`, `@ data` `count 2 text` or `fewer 24` lines. */
export function compare(sign: string, text: string, rest: string, block: string): void {
  const holds = COMPARISONS[sign];
  if (holds === undefined) throw new Error(`No such comparison: ${sign}`);
  holds(text, rest, block);
}

/** The text of a step: after its word, where `\n` is a line end, or below it. */
const textOf = (rest: string, block: string): string =>
  block === "" ? rest.replaceAll("\\n", "\n") : `${block}\n`;
