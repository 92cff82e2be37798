import * as fc from "fast-check";
import { wildcard } from "../../src/text";
import { runs, seed } from "../support/capabilities";

const few = fc.stringMatching(/^[ab.*\n]{0,8}$/);

/**
 * Returns the pattern as a regular expression. The regular expression is slow, but obviously correct, so it serves as
 * the reference.
 */
const asExpression = (pattern: string): RegExp =>
  new RegExp(`^${pattern.split("*").map(escaped).join(".*")}$`, "s");

const escaped = (text: string): string => text.replaceAll(/[.\n]/g, (one) => (one === "." ? "\\." : "\\n"));

describe("a pattern with stars", () => {
  it("a pattern matches the same texts as the equivalent regular expression", () => {
    fc.assert(
      fc.property(few, few, (pattern, text) => {
        expect(wildcard(pattern).test(text)).toBe(asExpression(pattern).test(text));
      }),
      { numRuns: runs(500, 20_000), seed },
    );
  });

  it("if parts of a text are replaced by stars, the resulting pattern matches the text", () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.array(fc.string()), (kept, dropped) => {
        const text = kept.map((piece, at) => piece + (dropped[at] ?? "")).join("");
        const pattern = kept.map((piece) => piece.replaceAll("*", "")).join("*");
        expect(wildcard(`${pattern}*`).test(text.replaceAll("*", ""))).toBe(true);
      }),
      { numRuns: runs(200, 5_000), seed },
    );
  });

  it.each([
    ["acme/*", "acme/web", true],
    ["acme/*", "acme", false],
    ["a*a", "a", false],
    ["*", "", true],
    ["", "", true],
    ["a**b", "ab", true],
    ["*.ab*ab", "x.ab", false],
  ])("the pattern %s and the text %s match: %s", (pattern, text, isMatch) => {
    expect(wildcard(pattern).test(text)).toBe(isMatch);
  });

  it("a pattern ignores letter case if the option ignoresCase is set", () => {
    expect(wildcard("Acme/*").test("acme/web")).toBe(false);
    expect(wildcard("Acme/*", { ignoresCase: true }).test("acme/WEB")).toBe(true);
  });

  it("a pattern with 40 stars needs no backtracking", () => {
    // With backtracking, this match would not end in any acceptable time.
    expect(wildcard(`${"a*".repeat(40)}b`).test("a".repeat(10_000))).toBe(false);
  });
});
