import {
  BOOL,
  compareText,
  DYNAMIC,
  hasDynamic,
  isSameType,
  listOf,
  mapOf,
  NUMBER,
  objectOf,
  STRING,
  setOf,
  type Type,
  tupleOf,
  typeFromJson,
  typeName,
  typeToJson,
  unify,
  withoutOptional,
} from "../../../src/language/values";

const EVERY: readonly [Type, unknown, string][] = [
  [STRING, "string", "string"],
  [NUMBER, "number", "number"],
  [BOOL, "bool", "bool"],
  [DYNAMIC, "dynamic", "dynamic"],
  [listOf(STRING), ["list", "string"], "list of string"],
  [setOf(NUMBER), ["set", "number"], "set of number"],
  [mapOf(listOf(BOOL)), ["map", ["list", "bool"]], "map of list of bool"],
  [tupleOf([STRING, NUMBER]), ["tuple", ["string", "number"]], "tuple"],
  [objectOf({ b: STRING, a: NUMBER }), ["object", { a: "number", b: "string" }], "object"],
  [objectOf({ a: STRING }, ["a"]), ["object", { a: "string" }, ["a"]], "object"],
];

describe("Types", () => {
  test.each(EVERY)("the type %j is unchanged after typeToJson and typeFromJson", (type, json, name) => {
    expect(typeToJson(type)).toEqual(json);
    expect(isSameType(typeFromJson(json), type)).toBe(true);
    expect(typeName(type)).toBe(name);
  });

  test("two different types are never equal", () => {
    for (const [one] of EVERY)
      for (const [other] of EVERY) expect(isSameType(one, other)).toBe(one === other);
  });

  test.each([["text"], [["list"]], [["object", null]], [{}], [null], [["vector", "string"]]])(
    "typeFromJson refuses the JSON value %j",
    (json) => {
      expect(() => typeFromJson(json)).toThrow(TypeError);
    },
  );

  test('typeName describes a constraint with the type any, for example as "list of any single type"', () => {
    expect(typeName(DYNAMIC, "constraint")).toBe("any type");
    expect(typeName(listOf(DYNAMIC), "constraint")).toBe("list of any single type");
  });

  test("hasDynamic is true if a type contains the type any, at any depth", () => {
    expect(hasDynamic(objectOf({ a: tupleOf([STRING, listOf(DYNAMIC)]) }))).toBe(true);
    expect(hasDynamic(objectOf({ a: tupleOf([STRING]) }))).toBe(false);
  });

  test("withoutOptional removes the optional marks of a type's attributes, at any depth", () => {
    const type = listOf(objectOf({ a: objectOf({ b: STRING }, ["b"]) }, ["a"]));
    expect(typeToJson(withoutOptional(type))).toEqual([
      "list",
      ["object", { a: ["object", { b: "string" }] }],
    ]);
  });

  test("the attributes of an object type are sorted by Unicode code points, not by UTF-16 units", () => {
    const names = ["\u{1f389}", "\uffee", "a", "B", "é"];
    expect([...objectOf(Object.fromEntries(names.map((name) => [name, STRING]))).attributes.keys()]).toEqual([
      "B",
      "a",
      "é",
      "\uffee",
      "\u{1f389}",
    ]);
    expect(compareText("a", "ab")).toBeLessThan(0);
  });
});

describe("the common type of several types", () => {
  test.each<[string, Type[], unknown]>([
    ["numbers and texts are texts", [NUMBER, STRING], "string"],
    ["booleans and numbers have no common type", [BOOL, NUMBER], undefined],
    ["null has the type of the other value", [DYNAMIC, NUMBER], "number"],
    ["two lists are a list of the common element type", [listOf(NUMBER), listOf(STRING)], ["list", "string"]],
    ["a set among lists is a list", [setOf(STRING), listOf(STRING)], ["list", "string"]],
    [
      "tuples of equal length are a tuple of the common element types",
      [tupleOf([NUMBER, BOOL]), tupleOf([STRING, BOOL])],
      ["tuple", ["string", "bool"]],
    ],
    [
      "tuples of different lengths are a list",
      [tupleOf([NUMBER]), tupleOf([STRING, STRING])],
      ["list", "string"],
    ],
    [
      "objects with equal attribute names are an object of the common attribute types",
      [objectOf({ a: NUMBER }), objectOf({ a: STRING })],
      ["object", { a: "string" }],
    ],
    [
      "objects with different attribute names are a map",
      [objectOf({ a: NUMBER }), objectOf({ b: STRING })],
      ["map", "string"],
    ],
    ["an object among maps is a map", [mapOf(STRING), objectOf({ a: NUMBER })], ["map", "string"]],
    ["a tuple among lists is a list", [tupleOf([NUMBER]), listOf(STRING)], ["list", "string"]],
    ["an object and a tuple have no common type", [objectOf({}), tupleOf([])], undefined],
    ["an empty list of types has no common type", [], undefined],
  ])("the common type: %s", (_, types, expected) => {
    const unified = unify(types);
    expect(unified && typeToJson(unified)).toEqual(expected);
  });
});
