import fc from "fast-check";
import { Evaluation, type Expression, evaluateBody } from "../../../src/language";
import { parseJsonExpression } from "../../../src/language/syntax";
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

/** The same expression, evaluated by its syntax tree. */
const parsed = ({ source, root }: Expression): Expression => ({ source, root });

describe("A constant of the configuration", () => {
  it("becomes the value that its syntax tree evaluates to, with the same diagnostics", () => {
    fc.assert(
      fc.property(body, (json) => {
        const expressions = Object.entries(json).map(([name, value]) => {
          const expression = parseJsonExpression(value);
          return [name, expression] as const;
        });
        const evaluate = (change: (one: Expression) => Expression) => {
          const { diagnostics, ...rest } = evaluateBody(
            new Map(expressions.map(([name, one]) => [name, change(one)])),
            attributes,
            new Evaluation(new Set(), "."),
            { address: "acme_thing.one", construct: undefined },
          );
          // An element of a set in a path is compared by what it says.
          const written = diagnostics.map((one) => ({ ...one, attribute: one.attribute?.map(String) }));
          return { ...rest, diagnostics: written };
        };
        expect(evaluate((one) => one)).toEqual(evaluate(parsed));
      }),
      { numRuns: runs(100, 20_000) },
    );
  });
});
