import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import {
  isDeeperThan,
  isExact,
  JsonDepthError,
  JsonNumber,
  JsonSyntaxError,
  MAX_JSON_DEPTH,
  parseJson,
  quoteAsGo,
  stringifyJson,
} from "../../src/json";
import { runs, seed } from "../support/capabilities";
import { deepJson } from "../support/deep-json";

const SOURCES = join(__dirname, "../../src");
const options = { seed, numRuns: runs(300, 20_000) };

/**
 * Generates decimal numbers of any length, with and without an exponent. Most of these numbers are not exact as
 * JavaScript numbers.
 */
const decimals = fc
  .tuple(
    fc.constantFrom("", "-"),
    fc.stringMatching(/^(?:0|[1-9]\d{0,25})$/),
    fc.stringMatching(/^(?:\.\d{1,25})?$/),
    fc.stringMatching(/^(?:[eE][+-]?\d{1,3})?$/),
  )
  .map((parts) => parts.join(""));
/** Generates JSON texts with such numbers, and with strings that look like them. */
const { document } = fc.letrec<{ document: string; members: string }>((tie) => ({
  document: fc.oneof(
    { depthSize: "small" },
    decimals,
    fc.string().map((text) => JSON.stringify(text)),
    decimals.map((text) => JSON.stringify(`, ${text}`)),
    fc.constantFrom("true", "false", "null"),
    fc.array(tie("document"), { maxLength: 4 }).map((items) => `[${items.join(",")}]`),
    tie("members"),
  ),
  members: fc
    .uniqueArray(fc.tuple(fc.oneof(fc.string(), fc.constant("__proto__")), tie("document")), {
      maxLength: 4,
      selector: ([key]) => key,
    })
    .map((entries) => `{${entries.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(",")}}`),
}));

/** Replaces each exact number by the nearest JavaScript number. */
const rounded = (value: unknown): unknown => JSON.parse(JSON.stringify(value, (_, one: unknown) => one));

describe("a JSON text", () => {
  test("the parser returns the same values as JSON.parse, except numbers that JavaScript would round", () => {
    fc.assert(
      fc.property(fc.json(), (text) => expect(parseJson(text)).toEqual(JSON.parse(text))),
      options,
    );
    fc.assert(
      fc.property(document, (text) => expect(rounded(parseJson(text))).toEqual(rounded(JSON.parse(text)))),
      options,
    );
  });

  test("the writer writes all digits of numbers that the parser has read", () => {
    fc.assert(
      fc.property(document, (text) => {
        const written = stringifyJson(parseJson(text));
        expect(stringifyJson(parseJson(written))).toBe(written);
      }),
      options,
    );
    fc.assert(
      fc.property(decimals, (text) => {
        const value = parseJson(` [${text}]`) as unknown[];
        expect(parseJson(text)).toEqual(value[0]);
        expect(value[0]).toEqual(isExact(text) ? Number(text) : new JsonNumber(text));
      }),
      options,
    );
  });

  test("stringifyJson returns the same text as JSON.stringify", () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(0, 2), (text, indent) => {
        const [json, expected] = [parseJson(text), JSON.parse(text)];
        expect(stringifyJson(json, indent)).toBe(JSON.stringify(expected, null, indent));
        // The exact number in the list forces the writer to use its own code instead of JSON.stringify.
        const beside = stringifyJson([json, new JsonNumber("1")], indent);
        expect(beside).toBe(JSON.stringify([expected, 1], null, indent));
      }),
      options,
    );
  });

  test("the parser returns a JsonNumber with the text of a number that JavaScript can't represent exactly", () => {
    const text =
      '{"id":9007199254740993,"third":0.33333333333333333333,"plain":1.5,"far":1e400,"near":1e-400,"zero":-0}';
    expect(parseJson(text)).toEqual({
      id: new JsonNumber("9007199254740993"),
      third: new JsonNumber("0.33333333333333333333"),
      plain: 1.5,
      far: new JsonNumber("1e400"),
      near: new JsonNumber("1e-400"),
      zero: -0,
    });
    expect(stringifyJson(parseJson(text))).toBe(text);
  });

  test("if an object has a key twice, the parser keeps the last value at the position of the first", () => {
    for (const number of ["1", "12345678901234567890"])
      expect(stringifyJson(parseJson(`{"a":0,"b":2,"a":${number}}`))).toBe(`{"a":${number},"b":2}`);
  });

  test("the parser keeps the key `__proto__`, which JavaScript would use as the prototype", () => {
    for (const number of ["1", "12345678901234567890"])
      expect(stringifyJson(parseJson(`{"__proto__":${number}}`))).toBe(`{"__proto__":${number}}`);
  });

  test("the parser reads a string with millions of escapes and a number with 20 digits without a stack overflow", () => {
    const text = `["${"\\n".repeat(10_000_000)}",12345678901234567890]`;
    expect(parseJson(text)).toEqual(["\n".repeat(10_000_000), new JsonNumber("12345678901234567890")]);
  });

  test("the parser reads a number with a million zeros before the last digit in linear time", () => {
    const number = `0.${"0".repeat(1_000_000)}1`;
    expect(parseJson(`[${number}]`)).toEqual([new JsonNumber(number)]);
  });
});

describe("a text that is not JSON", () => {
  test.each([
    ["", "it ends too early"],
    ["  ", "it ends too early"],
    ["{", "it ends too early"],
    ['{"a":', "it ends too early"],
    ['["secret', "it ends too early"],
    ["[1,]", "it is not JSON at line 1, column 4"],
    ["[,1]", "it is not JSON at line 1, column 2"],
    ["nul", "it is not JSON at line 1, column 1"],
    ["secret", "it is not JSON at line 1, column 1"],
    ['{"a" 1}', "it is not JSON at line 1, column 6"],
    ['{"a":tru}', "it is not JSON at line 1, column 6"],
    ['{"a":1,}', "it is not JSON at line 1, column 8"],
    ['{"a":1\n "b":2}', "it is not JSON at line 2, column 2"],
    ["{1:2}", "it is not JSON at line 1, column 2"],
    ["[1}", "it is not JSON at line 1, column 3"],
    ["]", "it is not JSON at line 1, column 1"],
    ["1 2", "it is not JSON at line 1, column 3"],
    ["01", "it is not JSON at line 1, column 2"],
    ["1.", "it is not JSON at line 1, column 2"],
    ["{a:1}", "it is not JSON at line 1, column 2"],
    ['"\\x"', "it is not JSON at line 1, column 2"],
    ['"a\nb"', "it is not JSON at line 1, column 3"],
    ["\ufeff1", "it is not JSON at line 1, column 1"],
  ])("%j is invalid JSON: %s", (text, message) => {
    expect(() => parseJson(text)).toThrow(JsonSyntaxError);
    expect(() => parseJson(text)).toThrow(new RegExp(`^${message}$`));
  });

  test("the parser refuses the same texts as JSON.parse", () => {
    const damage = fc.tuple(document, fc.nat(), fc.constantFrom("", ",", '"', "}", "]", ":", "1", "\\", "x"));
    fc.assert(
      fc.property(damage, ([text, at, put]) => {
        const damaged =
          text.slice(0, at % (text.length + 1)) + put + text.slice((at % (text.length + 1)) + 1);
        expect(outcome(() => void parseJson(damaged))).toBe(outcome(() => JSON.parse(damaged)));
      }),
      options,
    );
  });
});

const outcome = (read: () => void): string => {
  try {
    read();
    return "read";
  } catch (problem) {
    return problem instanceof SyntaxError ? "refused" : String(problem);
  }
};

test("quoteAsGo escapes <, >, & and the separators U+2028 and U+2029, as Go's JSON encoder does", () => {
  expect(quoteAsGo('<a href="x">&\u2028\u2029é')).toBe(
    '"\\u003ca href=\\"x\\"\\u003e\\u0026\\u2028\\u2029é"',
  );
});

describe("the depth of a JSON text", () => {
  test.each(["array", "object", "both"] as const)(
    "the parser accepts a text of 512 levels, and refuses a deeper text (%s)",
    (kind) => {
      expect(() => parseJson(deepJson(MAX_JSON_DEPTH, kind))).not.toThrow();
      expect(() => parseJson(deepJson(MAX_JSON_DEPTH + 1, kind))).toThrow(JsonDepthError);
      expect(() => parseJson(deepJson(200_000, kind))).toThrow("it is nested more than 512 levels deep");
      expect(() => parseJson(`[12345678901234567890, "x", ${deepJson(200_000, kind)}, 2]`)).toThrow(
        JsonDepthError,
      );
      expect(() => parseJson(`[12345678901234567890, ${deepJson(MAX_JSON_DEPTH - 1, kind)}]`)).not.toThrow();
    },
  );

  /**
   * Files that may use JSON.parse. A file may use JSON.parse to read our package.json before the parser is loaded, or
   * to read single scalars. `steward init` may write JSON.parse into the code of an app.
   */
  const EXCEPTIONS = ["cli/version.ts", "init/index.ts", "adopt/accept/configuration-source.ts"];

  test("no source file outside json/, service/, constructs/ and EXCEPTIONS calls JSON.parse, which does not limit the depth", () => {
    const callers = readdirSync(SOURCES, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !/^(?:json|service|constructs)\//.test(name))
      .filter((name) => /JSON\.parse\b/.test(readFileSync(join(SOURCES, name), "utf8")));
    expect(callers.filter((name) => !EXCEPTIONS.includes(name))).toEqual([]);
  });
});

test("brackets in strings do not count for the depth of a JSON text", () => {
  expect(isDeeperThan('[{"a":[1]}]', 3)).toBe(false);
  expect(isDeeperThan('[{"a":[1]}]', 2)).toBe(true);
  expect(isDeeperThan('{"\\"[[[[":"\\\\","b":"]["}', 1)).toBe(false);
  expect(isDeeperThan("[][][][]", 1)).toBe(false);
});
