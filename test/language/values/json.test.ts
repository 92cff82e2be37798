import fc from "fast-check";
import { JsonNumber } from "../../../src/json";
import {
  ConversionError,
  fromJson,
  fromJsonDynamic,
  isRawEqual,
  listOf,
  mapOf,
  NUMBER,
  number,
  object,
  objectOf,
  parseNum,
  STRING,
  setOf,
  string,
  toPlain,
  tuple,
  typeToJson,
  unknown,
} from "../../../src/language/values";
import { UNKNOWN } from "../../../src/schema";
import { runs, seed } from "../../support/capabilities";

const options = { seed, numRuns: runs(300, 20_000) };

describe("Values and JSON", () => {
  test("if no type is given, JSON arrays become tuples, and JSON objects become objects", () => {
    expect(typeToJson(fromJsonDynamic({ a: ["x", 1, null] }).type)).toEqual([
      "object",
      { a: ["tuple", ["string", "number", "dynamic"]] },
    ]);
  });

  test("a value is unchanged after toPlain and fromJson with the value's type", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.array(fc.maxSafeInteger())), (json) => {
        const type = mapOf(listOf(NUMBER));
        const value = fromJson(json, type);
        expect(isRawEqual(fromJson(toPlain(value), type), value)).toBe(true);
      }),
      options,
    );
  });

  test("toPlain keeps all digits of a number that JavaScript can't represent", () => {
    const value = number(parseNum("123456789012345678901234567890")!);
    expect(toPlain(value)).toEqual(new JsonNumber("123456789012345678901234567890"));
    expect(toPlain(number(parseNum("0.1")!))).toBe(0.1);
    expect(isRawEqual(fromJson(toPlain(value), NUMBER), value)).toBe(true);
  });

  test("if the JSON of an object lacks an attribute, the attribute is null", () => {
    const value = fromJson({ a: "x" }, objectOf({ a: STRING, b: setOf(STRING) }));
    expect(toPlain(value)).toEqual({ a: "x", b: null });
  });

  test("if a value has a wrong type, the error contains the path of the value", () => {
    const type = objectOf({ rules: listOf(objectOf({ level: NUMBER })) });
    const read = (): unknown => fromJson({ rules: [{ level: 1 }, { level: "x" }] }, type);
    expect(read).toThrow(ConversionError);
    expect(read).toThrow("rules[1].level: a number is required");
    expect(() => fromJson({ rules: {} }, type)).toThrow("rules: an array is required");
  });

  test("toPlain returns UNKNOWN for an unknown value", () => {
    expect(toPlain(object({ a: string("s").markSensitive() }))).toEqual({ a: "s" });
    expect(toPlain(tuple([unknown(STRING)]))).toEqual([UNKNOWN]);
  });
});
