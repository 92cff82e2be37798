import fc from "fast-check";
import { commentText, isUnicode, terraformText } from "../../../src/adopt/model/source-text";
import { stringLiteral, templateText } from "../../../src/adopt/typescript/code";
import { evaluate, parseTemplate } from "../../../src/language/syntax";
import { runs, seed } from "../../support/capabilities";
import { codePoint } from "../../support/code-points";
import { HOSTILE_NAMES } from "../groups/odd";

/** Generates texts with the special characters of TypeScript, JSON and Terraform. */
const texts = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ..."$%#&{}`'\"\\/*\n\r\t ",
        "${",
        "%{",
        "$${",
        "{TfToken[",
        "TOKEN.1]}",
        "\u2028",
        "\u202e",
      ),
      fc.string({ unit: codePoint, maxLength: 3 }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""));

const CDKTF_TOKEN = /[$#&]\{TfToken\[[a-zA-Z0-9:._-]+\]\}/;

const run = (source: string): unknown => new Function(`const project = "p"; return ${source};`)();

it("the string literal that adopt writes for a text evaluates to this text", () => {
  fc.assert(
    fc.property(texts, (text) => {
      const literal = stringLiteral(text);
      expect(run(literal)).toBe(text);
      expect(run(`\`${templateText(text)}\``)).toBe(text);
      expect(literal + templateText(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
    }),
    { numRuns: runs(300, 5000), seed },
  );
});

it("Terraform reads a text that adopt escaped as the original text", () => {
  const isExact = (text: string): void => {
    const escaped = terraformText(text);
    expect(escaped).not.toMatch(CDKTF_TOKEN);
    expect(evaluate(parseTemplate(escaped), { resolve: () => undefined }).content).toBe(text);
  };
  HOSTILE_NAMES.forEach(isExact);
  fc.assert(fc.property(texts.filter(isUnicode), isExact), { numRuns: runs(300, 5000), seed });
});

it.each([
  ["cafe\u0301", "cafe\u0301"],
  ["नमस्ते", "नमस्ते"],
  ["\u0301a", "a"],
  ["a /\u0338b", "a /b"],
])("combining characters stay in a comment only after a letter: %j", (text, comment) => {
  expect(commentText(text)).toBe(comment);
});
