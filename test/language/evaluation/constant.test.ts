import fc from "fast-check";
import { Evaluation, type Expression, evaluateBody, isPlainBlock, plainValues } from "../../../src/language";
import { isConstantJson, parseJsonExpression } from "../../../src/language/syntax";
import type { Attributes, AttributeType } from "../../../src/schema";
import { runs } from "../../support/capabilities";

const text = { description: "" };
const attributesOf = (types: Readonly<Record<string, AttributeType>>): Attributes =>
  Object.fromEntries(
    Object.entries(types).map(([name, type]) => [name, { presence: "optional" as const, type, text }]),
  );

const primitives = [{ kind: "string" }, { kind: "number" }, { kind: "bool" }] as const;
const inner = attributesOf({ text: primitives[0], count: primitives[1], flag: primitives[2] });
const attributes = attributesOf({
  text: primitives[0],
  count: primitives[1],
  flag: primitives[2],
  list: { kind: "list", element: primitives[0] },
  set: { kind: "set", element: primitives[0] },
  map: { kind: "map", element: primitives[1] },
  nested: { kind: "single", nested: inner },
  rules: { kind: "list", nested: inner },
  levels: { kind: "set", nested: inner },
  any: { kind: "dynamic" },
});

const scalar = fc.oneof(
  fc.constantFrom<unknown>("", "plain", "é", "e\u0301", "a\nb", "$${x}", "${1 + 1}", "true", "12"),
  fc.constantFrom<unknown>(0, -0, 7, 1.5, 2 ** 60, true, false, null),
);
const object = fc.dictionary(fc.constantFrom("text", "count", "flag", "other"), scalar, { maxKeys: 4 });
const list = fc.array(fc.oneof(scalar, object), { maxLength: 3 });
const texts = fc.array(fc.constantFrom("b", "a", "c"), { maxLength: 3 });
const names = fc.constantFrom(...Object.keys(attributes));
const body = fc.dictionary(names, fc.oneof(scalar, object, list, texts), { minKeys: 4 });

/** Returns the expression without its constant value, so that it is evaluated from its syntax tree. */
const parsed = ({ source, root }: Expression): Expression => ({ source, root });

/** Evaluates a block after `change` was applied to each of its expressions. */
function evaluate(json: Readonly<Record<string, unknown>>, change: (one: Expression) => Expression) {
  const { diagnostics, ...rest } = evaluateBody(
    new Map(Object.entries(json).map(([name, value]) => [name, change(parseJsonExpression(value))])),
    attributes,
    new Evaluation(() => false, "."),
    { address: "acme_thing.one", construct: undefined },
  );
  // The steps of paths are converted to texts, so that elements of sets are compared by their content.
  const written = diagnostics.map((one) => ({ ...one, attribute: one.attribute?.map(String) }));
  return { ...rest, diagnostics: written };
}

/**
 * Generates elements of a set that need no conversion. Some elements are equal, and the sort keys of some contain escaped
 * characters.
 */
const levels = fc.array(
  fc.record(
    {
      text: fc.constantFrom("a", "a!", "A", 'a"', "a\\", "", null),
      count: fc.constantFrom(-2, 0, 10, 9, 1e10, 2 ** 53 - 1, null),
      flag: fc.constantFrom(true, false, null),
    },
    { requiredKeys: [] },
  ),
  { maxLength: 5 },
);
const marked = fc.array(fc.constantFrom("b", "a", "a!", 'a"', "B", ""), { maxLength: 5 });

describe("a constant of the configuration", () => {
  it("a plain JSON constant has the same value as the parsed expression of this constant", () => {
    fc.assert(
      fc.property(body, (json) => {
        expect(evaluate(json, (one) => one)).toEqual(evaluate(json, parsed));
      }),
      { numRuns: runs(100, 20_000) },
    );
  });

  it("the elements of a plain JSON set have the same order as in the parsed expression of this set", () => {
    fc.assert(
      fc.property(levels, marked, (several, set) => {
        const json = { levels: several, set };
        expect(evaluate(json, (one) => one)).toEqual(evaluate(json, parsed));
      }),
      { numRuns: runs(200, 20_000) },
    );
  });
});

/** Generates values that mostly have the right types. */
const ofTypes = fc.record(
  {
    text: fc.constantFrom("", "plain", "a${1}", "é"),
    count: fc.constantFrom(0, 7, 1.5),
    flag: fc.boolean(),
    list: texts,
    set: texts,
    nested: fc.oneof(object, fc.constant({ text: "a" })),
    rules: fc.array(fc.constantFrom({ text: "a", count: null }, { count: 1 }, null), { maxLength: 2 }),
    levels: fc.array(fc.constantFrom({ flag: true }, { constructor: 1 }), { maxLength: 2 }),
    "//": fc.constant({ metadata: { path: "a" } }),
    depends_on: fc.constant(["acme_thing.two"]),
  },
  { requiredKeys: [] },
);

describe("a block of constants that needs no evaluation", () => {
  const evaluated = (block: Readonly<Record<string, unknown>>) =>
    evaluateBody(
      new Map(
        Object.entries(block)
          .filter(([name]) => name !== "//" && name !== "depends_on")
          .map(([name, value]) => [name, parsed(parseJsonExpression(value))]),
      ),
      attributes,
      new Evaluation(() => false, "."),
      { address: "acme_thing.one", construct: undefined },
    );

  it("if isPlainBlock is true, plainValues returns the same values as an evaluation of the block", () => {
    fc.assert(
      fc.property(fc.oneof(ofTypes, body), (block) => {
        const isConstant = Object.values(block).every(isConstantJson);
        if (!isConstant || !isPlainBlock(block, attributes)) return;
        const { config, diagnostics } = evaluated(block);
        expect(diagnostics).toEqual([]);
        expect(plainValues(block, attributes)).toEqual(config);
      }),
      { numRuns: runs(300, 20_000) },
    );
  });

  it.each<[string, boolean, Readonly<Record<string, unknown>>]>([
    [
      "names attributes and meta-arguments",
      true,
      { text: "a", nested: { flag: null }, "//": {}, provider: "a" },
    ],
    ["has a set with one element", true, { set: ["a"], levels: [{ text: "a" }] }],
    ["has a set that must be sorted", false, { set: ["b", "a"] }],
    ["has a text that must be normalized", false, { text: "e\u0301" }],
    ["has a value of another type", false, { count: "7" }],
    ["has an unknown argument", false, { colour: "red" }],
    ["has the key constructor", false, { levels: [{ constructor: "a" }] }],
    ["has a value for an attribute of any type", false, { any: "a" }],
  ])("a block that %s counts as plain: %s", (_, isPlain, block) => {
    expect(isPlainBlock(block, attributes)).toBe(isPlain);
  });
});
