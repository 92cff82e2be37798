import { applyConstraint, ExpressionError, parseTypeConstraint } from "../../../src/language/syntax";
import { ConversionError, fromJsonDynamic, toPlain, typeToJson } from "../../../src/language/values";
import { partOf } from "./scope";

describe("the type of a variable", () => {
  test.each<[string, unknown]>([
    ["string", "string"],
    ["any", "dynamic"],
    ["${list(string)}", ["list", "string"]],
    ["list", ["list", "dynamic"]],
    ["map", ["map", "dynamic"]],
    ["set(number)", ["set", "number"]],
    ["map(list(bool))", ["map", ["list", "bool"]]],
    ["tuple([string, number])", ["tuple", ["string", "number"]]],
    ["object({})", ["object", {}]],
    ["object({ a = string, b = optional(number) })", ["object", { a: "string", b: "number" }, ["b"]]],
    ['list(object({a=optional(string,"x")}))', ["list", ["object", { a: "string" }, ["a"]]]],
    ["object({\n  a = string\n  b = bool\n})", ["object", { a: "string", b: "bool" }]],
  ])("the type of a variable can be %s", (source, expected) => {
    expect(typeToJson(parseTypeConstraint(source).type)).toEqual(expected);
  });

  test.each([
    ["text", "text"],
    ["list(text)", "text"],
    ["list()", "list()"],
    ["list(string, number)", "list(string, number)"],
    ["vector(string)", "vector(string)"],
    ["object(string)", "string"],
    ["tuple(string)", "string"],
    ["optional(string)", "optional(string)"],
    ['object({ a = optional(number, "x") })', '"x"'],
    ["1 + 1", "1 + 1"],
  ])("the text %s is refused as the type of a variable", (source, text) => {
    const parse = () => parseTypeConstraint(source);
    expect(parse).toThrow(ExpressionError);
    try {
      parse();
    } catch (error) {
      expect(partOf(source, error as ExpressionError)).toBe(text);
    }
  });
});

describe("the value of a variable", () => {
  const value = (source: string, json: unknown): unknown =>
    toPlain(applyConstraint(fromJsonDynamic(json), parseTypeConstraint(source)));

  test("if a value omits an attribute, the attribute gets its default, at any depth", () => {
    const type =
      "object({ name = string, port = optional(number, 80), tls = optional(object({ on = optional(bool, true) }), {}) })";
    expect(value(type, { name: "a" })).toEqual({ name: "a", port: 80, tls: { on: true } });
    expect(value(type, { name: "a", port: null, tls: { on: false } })).toEqual({
      name: "a",
      port: 80,
      tls: { on: false },
    });
    expect(value(`map(${type})`, { x: { name: "a", port: 1 } })).toEqual({
      x: { name: "a", port: 1, tls: { on: true } },
    });
    expect(value(`list(${type})`, [{ name: "a" }])).toEqual([{ name: "a", port: 80, tls: { on: true } }]);
  });

  test("if a value omits an optional attribute without a default, the attribute is null", () => {
    expect(value("object({ a = optional(string) })", {})).toEqual({ a: null });
  });

  test("the error of a value with a wrong type contains the path of the wrong part", () => {
    expect(value("list(number)", ["1", 2])).toEqual([1, 2]);
    expect(() => value("list(object({ a = number }))", [{ a: "x" }])).toThrow(ConversionError);
    expect(() => value("list(object({ a = number }))", [{ a: "x" }])).toThrow("[0].a: a number is required");
  });
});
