import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { formatCommand } from "../../src/diagnostics";
import { oneLine, quotedShellWord, shellWord } from "../../src/text";
import { runs } from "../support/capabilities";
import { HOSTILE, takenLines } from "../support/hostile";

/** What a shell makes of words. */
const read = (words: readonly string[]): string[] =>
  execFileSync("sh", ["-c", `printf '%s\\0' ${words.join(" ")}`], { encoding: "utf8" })
    .split("\0")
    .slice(0, -1);

const word = fc
  .array(
    fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 4 }),
      fc.string({ unit: "binary", maxLength: 2 }),
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

test("a shell reads back every word exactly, and what is shown needs no escape", () => {
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 40 }), (words) => {
      const shown = words.map(shellWord);
      expect(shown.map(oneLine)).toEqual(shown);
      expect(read(shown)).toEqual(words);
      expect(read(words.map(quotedShellWord))).toEqual(words);
    }),
    { numRuns: runs(40, 2_000) },
  );
});

test.each([
  ["acme_thing.one", "acme_thing.one"],
  ['acme_thing.one["eu"]', `'acme_thing.one["eu"]'`],
  ["it's", "'it'\\''s'"],
  ["", "''"],
  ["$(rm -rf ~)", "'$(rm -rf ~)'"],
  ["a\n::error::b", `"$(printf 'a\\012\\072\\072error\\072\\072b')"`],
  ["-n\u001b", `"$(printf '\\055n\\033')"`],
  ["end\n\n", `"$(printf 'end')""\${IFS#??}""\${IFS#??}"`],
])("writes %j as %s", (text, expected) => {
  expect(shellWord(text)).toBe(expected);
});

test("a command in a message is read back with every name in it", () => {
  const [name, id] = [`acme_thing.one[${JSON.stringify(HOSTILE)}]`, HOSTILE];
  const command = formatCommand({ name: "steward import", options: ["--stack", HOSTILE], args: [id] }, name);
  expect(takenLines(command)).toEqual([]);
  expect(read([command])).toEqual(["steward", "import", "--stack", HOSTILE, name, id]);
});
