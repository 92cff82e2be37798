import fc from "fast-check";
import { oneLine, quotedShellWord, shellWord } from "../../src/text";
import { runs } from "../support/capabilities";
import { codePoint } from "../support/code-points";
import { readByShell } from "../support/read-by-shell";

const word = fc
  .array(
    fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 4 }),
      fc.string({ unit: codePoint, maxLength: 2 }),
      fc.constantFrom(
        ..."'\"\\$`!*?~#%&|;<>(){}[]=-_ \t\n\r\u0001\u001b\u0085\u2028\u202e",
        "$(id)",
        "`id`",
        "##vso[x]",
        "section_start:1:a",
        "::error::",
        "%s",
        "\\n",
      ),
    ),
    { maxLength: 8 },
  )
  .map((parts) => Buffer.from(parts.join("").replaceAll("\0", "")).toString());

test("a shell reads each quoted word as the original word", () => {
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 40 }), (words) => {
      const shown = words.map(shellWord);
      expect(shown.map(oneLine)).toEqual(shown);
      expect(readByShell(shown)).toEqual(words);
      expect(readByShell(words.map(quotedShellWord))).toEqual(words);
    }),
    { numRuns: runs(20, 2_000) },
  );
});

test.each([
  ["acme_thing.one", "acme_thing.one"],
  ["::error::", "'::error::'"],
  ['acme_thing.one["eu"]', `'acme_thing.one["eu"]'`],
  ["it's", "'it'\\''s'"],
  ["", "''"],
  ["$(rm -rf ~)", "'$(rm -rf ~)'"],
  ["a\n::error::b", `"$(printf 'a\\012\\072\\072error\\072\\072b')"`],
  ["-n\u001b", `"$(printf '\\055n\\033')"`],
  ["end\n\n", `"$(printf 'end')""\${IFS#??}""\${IFS#??}"`],
])("a shell reads %j from the word %s", (text, expected) => {
  expect(shellWord(text)).toBe(expected);
});
