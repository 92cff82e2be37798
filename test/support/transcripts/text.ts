/** The text of a step: behind its word, or below it. */
export const told = (rest: string, block: string): string =>
  block === "" ? rest.replaceAll("\\n", "\n") : `${block}\n`;

/** `> text`, `- text`, `~ pattern`, `all text`, `count 2 text`, `words a b` or `fewer 24`: lines. The text may stand below it. */
export function holds(text: string, step: string, block: string): void {
  const [, how, rest] = /^(\S+) ?(.*)$/.exec(step)!;
  const expected = told(rest!, block);
  if (how === ">") expect(text).toContain(expected);
  else if (how === "-") expect(text).not.toContain(expected);
  else if (how === "~") expect(text).toMatch(new RegExp(rest!, "m"));
  else if (how === "all") expect(text).toBe(expected);
  else if (how === "count")
    expect(text.split(expected.slice(2))).toHaveLength(1 + Number.parseInt(expected, 10));
  else if (how === "words") expect(expected.split(" ").filter((word) => !text.includes(word))).toEqual([]);
  else if (how === "fewer") expect(text.split("\n").length).toBeLessThan(Number(rest));
  else throw new Error(`No such step: ${how}`);
}
