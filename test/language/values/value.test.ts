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
  test("texts are kept in the composed Unicode form", () => {
    expect(string("e\u0301").content).toBe("\u00e9");
    expect(map({ "e\u0301": bool(true) }).content).toEqual(new Map([["\u00e9", bool(true)]]));
  });

  test("a value reports whether it, or a value inside it, is unknown or sensitive, and whether it is null", () => {
    const value = object({ a: tuple([unknown(STRING)]), b: number(1).markSensitive(), c: nullOf(STRING) });
    expect([value.isKnown, !value.hasUnknown]).toEqual([true, false]);
    expect([value.isSensitive, value.hasSensitive]).toEqual([false, true]);
    expect([value.isNull, nullOf(DYNAMIC).isNull]).toEqual([false, true]);
  });

  test("all values of a collection have one type", () => {
    expect(() => list([string("a"), number(1)])).toThrow("must all have the same type");
    expect(() => list([])).toThrow("needs the type of its elements");
    expect(typeToJson(list([], NUMBER).type)).toEqual(["list", "number"]);
  });

  test("null of a type constraint has a type without optional attributes", () => {
    expect(typeToJson(nullOf(objectOf({ a: STRING }, ["a"])).type)).toEqual(["object", { a: "string" }]);
  });
});

describe("Sets", () => {
  const texts = (...all: string[]) => all.map((text) => string(text));

  test("a set contains each element once, sorted", () => {
    expect(set(texts("b", "a", "b")).content).toEqual(texts("a", "b"));
    expect(set([10, 9, 2, 9].map(number)).content).toEqual([2, 9, 10].map(number));
    expect(set([bool(true), bool(false)]).content).toEqual([bool(false), bool(true)]);
  });

  test("a set is sensitive as a whole, because its elements have no position", () => {
    const value = set([string("a").markSensitive(), string("b")]);
    expect(value.isSensitive).toBe(true);
    expect(value.elements.some((one) => one.hasSensitive)).toBe(false);
  });

  test("a set keeps unknown elements separate, because they may get any value", () => {
    expect(set([unknown(STRING), unknown(STRING), string("a")]).elements).toHaveLength(3);
  });

  test("a set has null and unknown elements at its end", () => {
    const value = set([nullOf(STRING), unknown(STRING), string("z")]);
    expect(
      value.elements.map((one) => {
        if (one.isNull) return "null";
        return one.isKnown ? "known" : "unknown";
      }),
    ).toEqual(["known", "unknown", "null"]);
  });
});

describe("Marks", () => {
  const value = object({
    plain: string("p"),
    secret: string("s").markSensitive(),
    list: list([string("a"), string("b").markSensitive()]),
  });

  test("marks can be removed with their paths, and added again", () => {
    const { value: plain, sensitivePaths } = unmarkDeep(value);
    expect(plain.hasSensitive).toBe(false);
    expect(sensitivePaths).toEqual([["list", 1], ["secret"]]);
    expect(isRawEqual(markPaths(plain, sensitivePaths), value)).toBe(true);
  });

  test("removing marks returns a value without marks as it is", () => {
    const plain = tuple([string("a")]);
    expect(unmarkDeep(plain)).toEqual({ value: plain, sensitivePaths: [], ephemeralPaths: [] });
  });

  test("if a marked path leads into null or a set, the null or the set is marked as a whole", () => {
    expect(markPaths(nullOf(listOf(STRING)), [[0]]).isSensitive).toBe(true);
    const holder = object({ set: set([string("a")]) });
    expect(unmarkDeep(markPaths(holder, [["set", 0]])).sensitivePaths).toEqual([["set"]]);
  });
});

describe("Equality", () => {
  test("equality is unknown if it depends on an unknown value", () => {
    expect(equalValues(unknown(STRING), string("a")).isKnown).toBe(false);
    expect(
      equalValues(tuple([string("b"), unknown(STRING)]), tuple([string("a"), string("c")])).content,
    ).toBe(false);
  });

  test("equality is false if known parts of an unknown value differ", () => {
    const id = refine(unknown(STRING), { isNotNull: true, prefix: "group-" });
    expect(equalValues(id, nullOf(STRING)).content).toBe(false);
    expect(equalValues(id, string("project-1")).content).toBe(false);
    expect(equalValues(id, string("group-1")).isKnown).toBe(false);
  });

  test("equality is sensitive if one side is sensitive, at any depth", () => {
    expect(equalValues(tuple([number(1).markSensitive()]), tuple([number(1)])).isSensitive).toBe(true);
  });

  test("values of different types are not equal", () => {
    expect(equalValues(string("1"), number(1)).content).toBe(false);
    expect(equalValues(list([number(1)]), tuple([number(1)])).content).toBe(false);
  });
});

describe("Refinement", () => {
  test("a refinement makes a value known if only one value is possible", () => {
    const knowledge = { isNotNull: true, minLength: 0, maxLength: 0 };
    expect(refine(unknown(setOf(STRING)), knowledge).elements).toEqual([]);
    expect(refine(unknown(listOf(BOOL)), { ...knowledge, minLength: 2, maxLength: 2 }).elements).toHaveLength(
      2,
    );
    expect(refine(unknown(NUMBER), { isNotNull: true, min: 3, max: 3 }).content).toBe(3);
  });

  test("a refinement keeps known values", () => {
    const value = string("a");
    expect(refine(value, { isNotNull: true, prefix: "b" })).toBe(value);
  });
});
