import { createProvider, PROVIDER_NAME } from "../../src/provider";
import { RESOURCES } from "../../src/provider/registry";
import { pathOf } from "../support/path-of";
import { describeEvery, isExempt, isSent, SAMPLES, type Sample } from "./samples";
import { comparable, conforms, replaces } from "./support/conforms";
import { badValuesOf, declarable } from "./support/declarations";
import { Host } from "./support/host";
import { useOneWorld } from "./support/world";

// Tests that run for every registered resource. A new resource only needs a sample.

const { resources } = createProvider().schema;

test.each(Object.entries(SAMPLES))(
  "in the test sample of %s, each excluded test has a reason",
  (type, { exempt = {} }) => {
    for (const [name, reason] of Object.entries(exempt)) {
      const [, attribute = ""] = /^(?:bad values|random declarations) of (\w+)$/.exec(name) ?? [];
      expect({ name, attributes: Object.keys(resources[type]!.attributes) }).toEqual({
        name,
        attributes: expect.arrayContaining([attribute]),
      });
      expect(reason).not.toBe("");
    }
  },
);

describeEvery((type, sample) => {
  declares(type, sample);
  conforms(type, sample, "strict");
});

/**
 * Makes tests of the schema and the sample, and of errors before any request. These tests do not depend on the
 * service's habits, its deviations from the specification.
 */
function declares(type: string, sample: Sample): void {
  const { attributes } = resources[type]!;
  const world = useOneWorld();
  const host = new Host(world, type);

  test("the test sample contains a value and a variation of every attribute that a declaration can set", () => {
    const names = declarable(attributes).map(([name]) => name);
    expect(Object.keys(sample.config).sort()).toEqual([...names].sort());
    expect(Object.keys(sample.variations).sort()).toEqual([...names].sort());
    expect(Object.keys(sample.byHand).sort()).toEqual(comparable(attributes).sort());
  });

  test("the test sample contains an update or delete request if the resource sends one, and otherwise none", () => {
    const changesInPlace = declarable(attributes).some(([name]) => !replaces(attributes, name));
    expect(isSent(sample.writes.update)).toBe(changesInPlace);
    const { delete: end } = RESOURCES.find((one) => `${PROVIDER_NAME}_${one.type}` === type)!;
    expect(isSent(sample.writes.destroy)).toBe(end !== undefined);
  });

  for (const [name, attribute] of declarable(attributes)) {
    const { presence } = attribute;
    if (attribute.type.kind !== "bool" && !isExempt(type, `bad values of ${name}`)) {
      test(`if ${name} has an invalid value, the provider reports the value's path, and sends no request`, () => {
        const bad = badValuesOf(name, attribute);
        expect(bad).not.toEqual([]);
        for (const { value, at } of bad) {
          const found = host.validate({ ...sample.config, [name]: value });
          expect({ value, found }).toEqual({
            value,
            found: expect.arrayContaining([
              expect.objectContaining({ severity: "error", code: "invalid_value", attribute: pathOf(at) }),
            ]),
          });
        }
        expect(world.service.requests.count()).toBe(0);
      });
    }
    if (presence === "required") {
      test(`the provider reports an error if ${name} is omitted`, () => {
        expect(host.validate({ ...sample.config, [name]: null })).toMatchObject([
          { code: "missing_attribute", attribute: [name] },
        ]);
      });
    }
  }

  for (const name of Object.keys(attributes)) {
    if (attributes[name]!.presence !== "computed") continue;
    test(`the provider reports an error if ${name} is declared`, () => {
      expect(host.validate({ ...sample.config, [name]: "x" })).toMatchObject([
        { code: "read_only_attribute", attribute: [name] },
      ]);
    });
  }
}
