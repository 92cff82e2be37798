import fc from "fast-check";
import {
  type Attributes,
  optional,
  required,
  UNKNOWN,
  type ValueObject,
  validateAttributes,
} from "../../src/schema";
import { runs } from "../support/capabilities";

const paths = { project: { pattern: /^[a-z]+\/[a-z]+$/, hint: "its path" } };
const short = (text: string) => (text.length > 3 ? "It is too long." : undefined);
const inner: Attributes = {
  name: required.string({ description: "", check: short }),
  target: optional.reference("project", ""),
};
const attributes: Attributes = {
  project: required.reference("project", ""),
  name: optional.string({ description: "", check: short }),
  targets: optional.setOfReferences("project", ""),
  names: optional.setOfStrings({ description: "", checkElement: short }),
  rules: optional.setOf(inner, {
    description: "",
    check: (rules) => (rules.length > 2 ? "There are too many." : undefined),
    checkElement: ({ name = null, target = null }) =>
      name === target ? "Its name is its target." : undefined,
  }),
  single: optional.object(inner, ""),
};

const text = fc.constantFrom<unknown>("a", "a/b", "a/b", "12", "A B", "long", UNKNOWN, null);
const rule = fc.oneof(text, fc.record({ name: text, target: text }, { requiredKeys: [] }));
const config = fc.record(
  {
    project: text,
    name: text,
    targets: fc.array(text, { maxLength: 3 }),
    names: fc.array(text, { maxLength: 3 }),
    rules: fc.oneof(fc.constant(UNKNOWN), fc.array(rule, { maxLength: 3 })),
    single: rule,
  },
  { requiredKeys: ["project"] },
);

describe("The validation of a configuration", () => {
  it("if a required attribute is missing, validation still reports all problems of the other attributes", () => {
    fc.assert(
      fc.property(config, (given) => {
        const values = given as ValueObject;
        // Validation has a quick way for a valid configuration. The missing attribute forces the slow way, in which the
        // validation visits all places. Both ways must find the same problems.
        const alone = validateAttributes(attributes, values, paths);
        const withAnother = validateAttributes(
          { ...attributes, missing: required.string("") },
          values,
          paths,
        );
        expect(withAnother.slice(0, -1).map(({ detail }) => detail)).toEqual(
          alone.map(({ detail }) => detail),
        );
        expect(withAnother.at(-1)).toMatchObject({ code: "missing_attribute", attribute: ["missing"] });
      }),
      { numRuns: runs(300, 20_000) },
    );
  });

  it("validation accepts a configuration without its optional attributes", () => {
    expect(validateAttributes(attributes, { project: "a/b", rules: [{ name: "a" }] }, paths)).toEqual([]);
  });
});
