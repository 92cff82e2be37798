import fc from "fast-check";
import { colouredLine, isOneLine, oneLine } from "../../src/text";
import { runs } from "../support/capabilities";
import { codePoint } from "../support/code-points";

/** Generates texts with many of the characters and words that `oneLine` must escape. */
const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: codePoint, maxLength: 3 }),
      fc.constantFrom(
        ..."\n\r\t\u0000\u001b\u007f\u0085\u009b\u00ad\u061c\u200b\u200e\u2028\u2029\u202e\u2066\ufeff\ud800\udc00\u{e0041}",
        "::error::",
        "  ::",
        "##[error]",
        "##vso[task.setvariable]",
        "##teamcity[",
        "section_start:1:a",
        "#",
        "\\",
        '"',
        "\u001b[31m",
      ),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""));

const OBEYED = /^\s*::|\s::\w+.*::|##\w*\[|section_(?:start|end):\d/i;
const UNSAFE = /[\p{Cc}\p{Cs}\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u;

describe("text from other sources on one line", () => {
  test("the result of oneLine contains no control character, no bidirectional mark and no CI command", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const line = oneLine(text);
        expect(line).not.toMatch(UNSAFE);
        expect(line).not.toMatch(OBEYED);
        expect(oneLine(line)).toBe(line);
        expect(isOneLine(text)).toBe(line === text);
      }),
      { numRuns: runs(500, 50_000) },
    );
  });

  test("escaping a line of JSON does not change its value", () => {
    fc.assert(
      fc.property(fc.dictionary(hostile, fc.oneof(hostile, fc.array(hostile))), (value) => {
        const json = JSON.stringify(value);
        expect(JSON.parse(oneLine(json))).toEqual(JSON.parse(json));
      }),
      { numRuns: runs(500, 50_000) },
    );
  });

  test.each([
    ["acme/shop", "acme/shop"],
    ["Zürich 🚀 東京", "Zürich 🚀 東京"],
    ["#1, ## heading, a::b, ::", "#1, ## heading, a::b, ::"],
    ["one\ntwo\r\n\tthree", "one\\ntwo\\r\\n\\tthree"],
    ["\u001b[2J\u009b1m", "\\u001b[2J\\u009b1m"],
    ["a\u2028::error", "a\\u2028::error"],
    ["\u202egnp.exe \ufeff\u200b", "\\u202egnp.exe \\ufeff\\u200b"],
    ["half \ud83d, tag \u{e0041}", "half \\ud83d, tag \\udb40\\udc41"],
    ["::error::x", "\\u003a:error::x"],
    ["\u00a0 ::error::x", "\u00a0 \\u003a:error::x"],
    ["it said ::error::x", "it said \\u003a:error::x"],
    ["connect ECONNREFUSED ::1:443", "connect ECONNREFUSED ::1:443"],
    ["say ##vso[task] and ##[group]", "say \\u0023#vso[task] and \\u0023#[group]"],
    ["section_start:1560896352:x", "\\u0073ection_start:1560896352:x"],
  ])("oneLine writes %j as %s", (text, expected) => {
    expect(oneLine(text)).toBe(expected);
  });
});

describe("a line with our own colours", () => {
  test("colouredLine keeps bold and red text, and escapes all other control characters", () => {
    expect(colouredLine("\u001b[1m\u001b[31mError: \u001b[39m\u001b[22ma\u001b[2J\nb")).toBe(
      "\u001b[1m\u001b[31mError: \u001b[39m\u001b[22ma\\u001b[2J\\nb",
    );
  });

  test("a CI command after a colour is escaped", () => {
    expect(colouredLine(" \u001b[1m::error::x\u001b[22m ##vso[x]")).toBe(
      " \u001b[1m\\u003a:error::x\u001b[22m \\u0023#vso[x]",
    );
  });
});
