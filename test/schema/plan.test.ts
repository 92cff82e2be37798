import * as fc from "fast-check";
import {
  type Attributes,
  computed,
  configOnly,
  managed,
  optional,
  optionalComputed,
  planAttributes,
  required,
  type SemanticEquality,
  UNKNOWN,
  type Value,
  type ValueObject,
  withDefaults,
} from "../../src/schema";
import { runs, seed } from "../support/capabilities";

const description = "";
const attributes: Attributes = {
  name: required.string({ description, replaces: true }),
  size: optionalComputed.number({ description }),
  colour: optional.string({ description }),
  tags: managed.setOfStrings({ description }),
  source: configOnly.string({ description, replaces: true }),
  url: computed.string({ description }),
  count: computed.number({ description, changesOnUpdate: true }),
};

/** Case-insensitive texts. */
const anyCase: SemanticEquality = (_, one, other) =>
  JSON.stringify(one).toLowerCase() === JSON.stringify(other).toLowerCase();

const orNull = <T extends Value>(value: fc.Arbitrary<T>) => fc.oneof(fc.constant(null), value);
const word = fc.constantFrom("a", "A", "b", "B");
const config = fc.record({
  name: word,
  size: orNull(fc.nat(2)),
  colour: orNull(word),
  tags: orNull(fc.uniqueArray(word)),
  source: orNull(word),
  url: fc.constant(null),
  count: fc.constant(null),
}) as unknown as fc.Arbitrary<ValueObject>;
const prior = config.chain((values) =>
  fc.record({ url: fc.string(), count: fc.nat() }).map((found) => ({ ...values, ...found })),
) as fc.Arbitrary<ValueObject>;

const law = <T extends unknown[]>(name: string, property: fc.IProperty<T>) =>
  test(name, () => fc.assert(property, { seed, numRuns: runs(200, 5000) }));

law(
  "a plan contains every attribute once",
  fc.property(fc.option(prior, { nil: undefined }), config, (before, wanted) => {
    const { planned } = planAttributes(attributes, before, wanted, anyCase);
    expect(Object.keys(planned).sort()).toEqual(Object.keys(attributes).sort());
  }),
);

law(
  "a planned value equals the configured value or the prior value, never a mixture",
  fc.property(prior, config, (before, wanted) => {
    const { planned } = planAttributes(attributes, before, wanted, anyCase);
    for (const [name, value] of Object.entries(wanted)) {
      if (value !== null) expect([value, before[name]]).toContainEqual(planned[name]);
    }
  }),
);

law(
  "if the planned values become the prior state, the next plan has no change",
  fc.property(prior, config, (before, wanted) => {
    const first = planAttributes(attributes, before, wanted, anyCase);
    const settled = Object.fromEntries(
      Object.entries(first.planned).map(([name, value]) => [name, value === UNKNOWN ? 1 : value]),
    );
    const second = planAttributes(attributes, settled, wanted, anyCase);
    expect(second).toEqual({ planned: settled, isChange: false, requiresReplace: [] });
  }),
);

law(
  "only a changed identity attribute requires a replacement, unless the prior value is null after an import",
  fc.property(prior, config, (before, wanted) => {
    const { requiresReplace } = planAttributes(attributes, before, wanted, anyCase);
    const differs = (name: string) => !anyCase(attributes[name]!, before[name]!, wanted[name]!, [name]);
    const expected = [
      ...(differs("name") ? [["name"]] : []),
      ...(before["source"] !== null && differs("source") ? [["source"]] : []),
    ];
    expect(requiresReplace).toEqual(expected);
  }),
);

law(
  "a create leaves omitted settings and computed values to the service",
  fc.property(config, (wanted) => {
    const { planned, requiresReplace } = planAttributes(attributes, undefined, wanted, anyCase);
    expect(requiresReplace).toEqual([]);
    expect(planned).toMatchObject({
      size: wanted["size"] ?? UNKNOWN,
      colour: wanted["colour"],
      tags: wanted["tags"],
      url: UNKNOWN,
      count: UNKNOWN,
    });
  }),
);

test("if no request of an update can change a computed value, the plan keeps the known value", () => {
  const before = { name: "a", size: 1, colour: null, tags: ["x"], source: null, url: "u", count: 1 };
  const wanted = { ...before, url: null, count: null };
  const plan = (change: ValueObject) =>
    planAttributes(attributes, before, { ...wanted, ...change }, anyCase).planned;
  expect(plan({ size: 2 })).toMatchObject({ url: "u", count: UNKNOWN });
  expect(plan({ source: "learned" })).toMatchObject({ url: "u", count: 1 });
  expect(plan({ tags: null })).toMatchObject({ tags: null, count: 1 });
});

test("if an attribute's changesOnUpdate returns false for an object, the plan of an update keeps the attribute's known value", () => {
  const sometimes: Attributes = {
    size: required.number({ description }),
    sent_at: computed.string({ description, changesOnUpdate: ({ state }) => state === "expired" }),
    state: computed.string({ description }),
  };
  const plan = (state: string) =>
    planAttributes(
      sometimes,
      { size: 1, sent_at: "noon", state },
      { size: 2, sent_at: null, state: null },
      anyCase,
    ).planned;
  expect(plan("expired")).toEqual({ size: 2, sent_at: UNKNOWN, state: "expired" });
  expect(plan("pending")).toEqual({ size: 2, sent_at: "noon", state: "pending" });
});

test("if a configured value is unknown, the planned value is unknown, without a comparison with the prior value", () => {
  const ask = jest.fn(anyCase);
  const before = { name: "a", size: 1, colour: null, tags: ["x"], source: null, url: "u", count: 1 };
  const { planned } = planAttributes(attributes, before, { ...before, tags: UNKNOWN }, ask);
  expect(planned["tags"]).toBe(UNKNOWN);
  expect(ask.mock.calls.map(([, , , path]) => path)).not.toContainEqual(["tags"]);
});

test("a plan adds default values to the known elements of a set, but not to unknown elements", () => {
  const element = {
    size: optionalComputed.number({ description, default: 7 }),
    name: optional.string({ description }),
  };
  const nested = required.setOf(element, { description });
  expect(withDefaults(nested, [{ name: "x", size: null }, { name: null, size: 3 }, UNKNOWN])).toEqual([
    { name: "x", size: 7 },
    { name: null, size: 3 },
    UNKNOWN,
  ]);
  expect(withDefaults(nested, UNKNOWN)).toBe(UNKNOWN);
  expect(withDefaults(optionalComputed.number({ description, default: 0 }), null)).toBe(0);
});
