import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { JsonDepthError, MAX_JSON_DEPTH, parseJson } from "../../src/json";
import { deepJson } from "../support/deep-json";

const SOURCES = join(__dirname, "../../src");

/** What these read is a part of what was read before, or our own. */
const READ_BEFORE = [
  "cli/version.ts",
  "cli/views/json/resource.ts",
  "engine/plan-json/checks.ts",
  "engine/recovery/merge.ts",
  "language/values/json-text.ts",
];

describe("a JSON text", () => {
  test("is read as JSON.parse reads it", () => {
    fc.assert(fc.property(fc.json(), (text) => expect(parseJson(text)).toEqual(JSON.parse(text))));
    expect(parseJson('{"a":[1]}', (_, value) => (typeof value === "number" ? `${value}` : value))).toEqual({
      a: ["1"],
    });
    expect(() => parseJson("{")).toThrow(SyntaxError);
  });

  test.each(["array", "object", "both"] as const)(
    "is read down to so many levels and no further (%s)",
    (kind) => {
      expect(() => parseJson(deepJson(MAX_JSON_DEPTH, kind))).not.toThrow();
      expect(() => parseJson(deepJson(MAX_JSON_DEPTH + 1, kind))).toThrow(JsonDepthError);
      expect(() => parseJson(deepJson(200_000, kind))).toThrow("it is nested more than 512 levels deep");
      expect(() => parseJson(`[1, "x", ${deepJson(200_000, kind)}, 2]`, (_, value) => value)).toThrow(
        JsonDepthError,
      );
    },
  );

  test("that others wrote is read with that limit everywhere: nobody else calls JSON.parse", () => {
    const callers = readdirSync(SOURCES, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !/^(?:json|service)\//.test(name))
      .filter((name) => /(?<!as `)JSON\.parse\(/.test(readFileSync(join(SOURCES, name), "utf8")));
    expect(callers.sort()).toEqual(READ_BEFORE);
  });
});
