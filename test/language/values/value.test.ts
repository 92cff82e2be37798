import {
  BOOL,
  bool,
  DYNAMIC,
  equalValues,
  isRawEqual,
  list,
  listOf,
  map,
  markPaths,
  NUMBER,
  nullOf,
  number,
  object,
  objectOf,
  refine,
  STRING,
  set,
  setOf,
  string,
  tuple,
  typeToJson,
  unknown,
  unmarkDeep,
} from "../../../src/language/values";

describe("Values", () => {
  test("texts and keys of maps are stored in the composed Unicode form (NFC)", () => {
    expect(string("e\u0301").content).toBe("\u00e9");
    expect(map({ "e\u0301": bool(true) }).content).toEqual(new Map([["\u00e9", bool(true)]]));
  });

  test("hasUnknown and hasSensitive include values inside an object", () => {
    const value = object({ a: tuple([unknown(STRING)]), b: number(1).markSensitive(), c: nullOf(STRING) });
    expect([value.isKnown, !value.hasUnknown]).toEqual([true, false]);
    expect([value.isSensitive, value.hasSensitive]).toEqual([false, true]);
    expect([value.isNull, nullOf(DYNAMIC).isNull]).toEqual([false, true]);
  });

  test("if the elements of a list have different types, creating the list throws an error", () => {
    expect(() => list([string("a"), number(1)])).toThrow("must all have the same type");
    expect(() => list([])).toThrow("needs the type of its elements");
    expect(typeToJson(list([], NUMBER).type)).toEqual(["list", "number"]);
  });

  test("the type of a null value has no optional attributes", () => {
    expect(typeToJson(nullOf(objectOf({ a: STRING }, ["a"])).type)).toEqual(["object", { a: "string" }]);
  });
});

describe("Sets", () => {
  const texts = (...all: string[]) => all.map((text) => string(text));

  test("a set contains equal elements only once", () => {
    expect(set(texts("b", "a", "b")).content).toEqual(texts("a", "b"));
    expect(set([10, 9, 2, 9].map(number)).content).toEqual([2, 9, 10].map(number));
    expect(set([bool(true), bool(false)]).content).toEqual([bool(false), bool(true)]);
  });

  test("if an element of a set is sensitive, the whole set is sensitive", () => {
    const value = set([string("a").markSensitive(), string("b")]);
    expect(value.isSensitive).toBe(true);
    expect(value.elements.some((one) => one.hasSensitive)).toBe(false);
  });

  test("a set does not merge two unknown elements, because they can get different values", () => {
    expect(set([unknown(STRING), unknown(STRING), string("a")]).elements).toHaveLength(3);
  });

  test("a set sorts known elements first, then unknown elements, then null", () => {
    const value = set([nullOf(STRING), unknown(STRING), string("z")]);
    expect(
      value.elements.map((one) => {
        if (one.isNull) return "null";
        return one.isKnown ? "known" : "unknown";
      }),
    ).toEqual(["known", "unknown", "null"]);
  });
});

describe("Marks of sensitive values", () => {
  const value = object({
    plain: string("p"),
    secret: string("s").markSensitive(),
    list: list([string("a"), string("b").markSensitive()]),
  });

  test("markPaths with the paths that unmarkDeep returned restores the original value", () => {
    const { value: plain, sensitivePaths } = unmarkDeep(value);
    expect(plain.hasSensitive).toBe(false);
    expect(sensitivePaths).toEqual([["list", 1], ["secret"]]);
    expect(isRawEqual(markPaths(plain, sensitivePaths), value)).toBe(true);
  });

  test("for a value without sensitive marks, unmarkDeep returns the same value", () => {
    const plain = tuple([string("a")]);
    expect(unmarkDeep(plain)).toEqual({ value: plain, sensitivePaths: [], ephemeralPaths: [] });
  });

  test("if markPaths gets a path into a set, it marks the whole set", () => {
    expect(markPaths(nullOf(listOf(STRING)), [[0]]).isSensitive).toBe(true);
    const holder = object({ set: set([string("a")]) });
    expect(unmarkDeep(markPaths(holder, [["set", 0]])).sensitivePaths).toEqual([["set"]]);
  });
});

describe("Equality", () => {
  test("if the result of a comparison depends on an unknown value, the result is unknown", () => {
    expect(equalValues(unknown(STRING), string("a")).isKnown).toBe(false);
    expect(
      equalValues(tuple([string("b"), unknown(STRING)]), tuple([string("a"), string("c")])).content,
    ).toBe(false);
  });

  test("an unknown value with a known prefix is not equal to null or to a text without this prefix", () => {
    const id = refine(unknown(STRING), { isNotNull: true, prefix: "group-" });
    expect(equalValues(id, nullOf(STRING)).content).toBe(false);
    expect(equalValues(id, string("project-1")).content).toBe(false);
    expect(equalValues(id, string("group-1")).isKnown).toBe(false);
  });

  test("if a value on one side is sensitive at any depth, the comparison is sensitive", () => {
    expect(equalValues(tuple([number(1).markSensitive()]), tuple([number(1)])).isSensitive).toBe(true);
  });

  test("values of different types are not equal", () => {
    expect(equalValues(string("1"), number(1)).content).toBe(false);
    expect(equalValues(list([number(1)]), tuple([number(1)])).content).toBe(false);
  });
});

describe("Known limits of an unknown value", () => {
  test("if refine leaves only one possible value, such as a number from 3 to 3, the value is known", () => {
    const knowledge = { isNotNull: true, minLength: 0, maxLength: 0 };
    expect(refine(unknown(setOf(STRING)), knowledge).elements).toEqual([]);
    expect(refine(unknown(listOf(BOOL)), { ...knowledge, minLength: 2, maxLength: 2 }).elements).toHaveLength(
      2,
    );
    expect(refine(unknown(NUMBER), { isNotNull: true, min: 3, max: 3 }).content).toBe(3);
  });

  test("refine does not change a value that is already known", () => {
    const value = string("a");
    expect(refine(value, { isNotNull: true, prefix: "b" })).toBe(value);
  });
});
