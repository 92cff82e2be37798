import * as fc from "fast-check";
import {
  decodeValue,
  type Encoding,
  encodedText,
  encodeValue,
  encodeValues,
  hasSensitive,
  isEncoded,
  isEncodedUnknown,
} from "../../../src/engine/results/recorded-values";
import { type Attributes, UNKNOWN, type Value, type ValueObject } from "../../../src/schema";
import { runs, seed } from "../../support/capabilities";

/** Marks a value with the attribute that contains it. */
const BY_ATTRIBUTE: Encoding = { markOf: (value, attribute) => `${attribute} ${JSON.stringify(value)}` };

const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.constant(UNKNOWN));
const key = fc.oneof(fc.constantFrom("$unknown", "$sensitive", "$", "$$x", "__proto__", "name"), fc.string());
const { value } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.array(fc.tuple(key, tie("value")), { maxLength: 3 }).map((entries) => Object.fromEntries(entries)),
  ),
}));

describe("encoded values", () => {
  test("decoding an encoded value without secrets returns an equal value, for any object keys", () => {
    fc.assert(
      fc.property(value, (one) => {
        const json = encodeValue(one, [], BY_ATTRIBUTE);
        expect(isEncoded(json)).toBe(true);
        expect(hasSensitive(json)).toBe(false);
        expect(decodeValue(JSON.parse(JSON.stringify(json)))).toEqual(one);
      }),
      { numRuns: runs(200, 5000), seed },
    );
  });

  test.each<[string, ValueObject, (string | number)[][], object]>([
    ["a field", { a: "x", b: "y" }, [["a"]], { a: { $sensitive: 'a "x"' }, b: "y" }],
    [
      "a field of an element",
      { a: [{ b: 1, c: 2 }] },
      [["a", 0, "b"]],
      { a: [{ b: { $sensitive: "a 1" }, c: 2 }] },
    ],
    ["each attribute", { a: 1, b: null }, [[]], { a: { $sensitive: "a 1" }, b: null }],
    ["no unknown value", { a: UNKNOWN }, [["a"]], { a: { $unknown: true } }],
    ["no key that looks like a mark", { a: { $sensitive: 1 } }, [], { a: { $$sensitive: 1 } }],
  ])("a sensitive path hides %s", (_, values, sensitive, expected) => {
    expect(encodeValues(values, sensitive, BY_ATTRIBUTE)).toEqual(expected);
  });

  test("each text that contains a secret is hidden as a whole, at any place in the value", () => {
    const encoding: Encoding = { markOf: () => 1, isSecret: (text) => text.includes("hunter2") };
    expect(encodeValues({ id: "7:hunter2", tags: ["hunter2"] }, [], encoding)).toEqual({
      id: { $sensitive: 1 },
      tags: [{ $sensitive: 1 }],
    });
  });

  test("with isSorted, the encoded text is the same for any order of attributes and any order in sets", () => {
    const string = { kind: "string" } as const;
    const attributes = {
      set: { type: { kind: "set", element: string } },
      list: { type: { kind: "list", element: string } },
    } as unknown as Attributes;
    const encoding = { ...BY_ATTRIBUTE, isSorted: true };
    const textOf = (values: ValueObject) => JSON.stringify(encodeValues(values, [], encoding, attributes));
    expect(textOf({ set: ["b", "a"], list: ["b", "a"] })).toBe('{"list":["b","a"],"set":["a","b"]}');
    expect(textOf({ list: ["b", "a"], set: ["a", "b"] })).toBe('{"list":["b","a"],"set":["a","b"]}');
  });

  test("encodedText shows (sensitive value) and (known after apply) instead of $sensitive and $unknown", () => {
    const json = encodeValues({ a: "x", b: UNKNOWN, c: [1] }, [["a"]], BY_ATTRIBUTE);
    expect(encodedText(json)).toBe('{"a":"(sensitive value)","b":"(known after apply)","c":[1]}');
    expect(isEncodedUnknown(json["b"])).toBe(true);
    expect(isEncodedUnknown(json["a"])).toBe(false);
  });

  test.each([
    { $unknown: false },
    { $unknown: true, other: 1 },
    { $sensitive: true },
    { $sensitive: 1.5 },
    { $other: 1 },
    [{ a: { $x: 1 } }],
  ])("%j is not an encoded value", (json) => {
    expect(isEncoded(json)).toBe(false);
  });
});
