import {
  BOOL,
  ConversionError,
  convert,
  DYNAMIC,
  fromJson,
  fromJsonDynamic,
  list,
  listOf,
  mapOf,
  NUMBER,
  nullOf,
  objectOf,
  rangeOf,
  STRING,
  setOf,
  string,
  type Type,
  toPlain,
  tuple,
  tupleOf,
  typeToJson,
  unknown,
} from "../../../src/language/values";

const failure = (json: unknown, type: Type): unknown => {
  try {
    convert(fromJsonDynamic(json), type);
    return undefined;
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error;
    return { path: error.path, reason: error.reason };
  }
};

describe("Conversion", () => {
  test.each<[unknown, Type, unknown]>([
    ["1.50", NUMBER, 1.5],
    [1.5, STRING, "1.5"],
    [true, STRING, "true"],
    ["true", BOOL, true],
    ["0", BOOL, false],
    [["a", 1], listOf(STRING), ["a", "1"]],
    [["b", "a", "b"], setOf(STRING), ["a", "b"]],
    [{ a: 1, b: "x" }, mapOf(STRING), { a: "1", b: "x" }],
    [{ a: "1", extra: true }, objectOf({ a: NUMBER }), { a: 1 }],
    [{}, objectOf({ a: STRING }, ["a"]), { a: null }],
    [[["1"]], listOf(setOf(NUMBER)), [[1]]],
    [[null, 1], listOf(DYNAMIC), [null, 1]],
    [["1", "x"], tupleOf([NUMBER, STRING]), [1, "x"]],
  ])("%j can be converted to the expected value of type %j", (json, type, expected) => {
    expect(toPlain(convert(fromJsonDynamic(json), type))).toEqual(expected);
  });

  test.each<[unknown, Type, unknown]>([
    ["abc", NUMBER, { path: [], reason: "a number is required" }],
    [
      { a: [{ b: "x" }] },
      objectOf({ a: listOf(objectOf({ b: NUMBER })) }),
      { path: ["a", 0, "b"], reason: "a number is required" },
    ],
    [{ k: "maybe" }, mapOf(BOOL), { path: ["k"], reason: "a bool is required" }],
    ["True", BOOL, { path: [], reason: 'a bool is required; to convert from string, use lowercase "true"' }],
    [{}, objectOf({ a: STRING }), { path: [], reason: 'attribute "a" is required' }],
    [
      {},
      objectOf({ a: STRING, b: STRING, c: STRING }),
      { path: [], reason: 'attributes "a", "b", and "c" are required' },
    ],
    ["x", listOf(STRING), { path: [], reason: "list of string required" }],
    [[1, []], listOf(NUMBER), { path: [], reason: "element 1: number required" }],
    [[1, []], listOf(DYNAMIC), { path: [], reason: "all list elements must have the same type" }],
    [{ a: 1 }, STRING, { path: [], reason: "string required" }],
  ])("%j can't be converted to %j", (json, type, expected) => {
    expect(failure(json, type)).toEqual(expected);
  });

  test("the error of a conversion begins with the path of the value", () => {
    expect(new ConversionError("a number is required", ["a", 0, "b"]).message).toBe(
      "a[0].b: a number is required",
    );
  });

  test("an unknown or sensitive value is still unknown or sensitive after a conversion", () => {
    expect(typeToJson(convert(nullOf(DYNAMIC), listOf(STRING)).type)).toEqual(["list", "string"]);
    expect(convert(unknown(STRING), NUMBER).isKnown).toBe(false);
    const converted = convert(
      tuple([string("1"), string("2").markSensitive()]).markSensitive(),
      listOf(NUMBER),
    );
    expect(converted.isSensitive).toBe(true);
  });

  test("an unknown tuple of two elements becomes a list of at most two elements", () => {
    const converted = convert(unknown(tupleOf([STRING, STRING])), listOf(STRING));
    expect(rangeOf(converted).maxLength).toBe(2);
  });

  test("if a value already has the type, a conversion to this type returns the same JavaScript object", () => {
    const value = list([string("a")]);
    expect(convert(value, listOf(STRING))).toBe(value);
    expect(convert(value, DYNAMIC)).toBe(value);
  });
});

describe("Objects of a state", () => {
  test("a value from fromJson refers to the given type object, not to a copy of the type", () => {
    const type = objectOf({ id: STRING, tags: setOf(STRING) });
    expect(fromJson({ id: "1", tags: [] }, type).type).toBe(type);
  });
});
