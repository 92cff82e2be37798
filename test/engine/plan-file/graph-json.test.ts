import * as fc from "fast-check";
import { GraphReader, GraphWriter } from "../../../src/engine/plan-file/graph-json";
import { JsonNumber, UNKNOWN } from "../../../src/provider/schema";
import { runs, seed } from "../../support/capabilities";

const writer = () => new GraphWriter(() => undefined, { has: () => false });
const reader = () => new GraphReader(() => undefined);
const through = (value: unknown): unknown => reader().read(JSON.parse(JSON.stringify(writer().write(value))));

const { value: anything } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constant(null),
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (number === 0 ? 0 : number)),
    fc.string(),
    fc.constant(UNKNOWN),
    fc.bigInt({ min: 2n ** 60n }).map((long) => new JsonNumber(String(long * 2n + 1n))),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.string(), fc.constantFrom("$seen", "$$map", "$unknown", "1")), tie("value"), {
      maxKeys: 4,
      noNullPrototype: true,
    }),
    fc.array(fc.tuple(fc.string(), tie("value")), { maxLength: 3 }).map((pairs) => new Map(pairs)),
    fc.array(fc.string(), { maxLength: 3 }).map((texts) => new Set(texts)),
  ),
}));

describe("data written as a graph and read again", () => {
  test("is the same, whatever its keys look like", () => {
    fc.assert(
      fc.property(anything, (value) => {
        expect(through(value)).toEqual(value);
      }),
      { numRuns: runs(300, 5000), seed },
    );
  });

  test("has one object where there was one object", () => {
    const shared = { name: "one" };
    const [first, { second }] = through([shared, { second: shared }]) as [object, { second: object }];
    expect(second).toBe(first);
    expect(first).toEqual(shared);
  });

  test("is refused where a value has no form of its own, so that nothing is lost unseen", () => {
    expect(() => writer().write({ made: new Date(0) })).toThrow("A plan holds a Date, which can't be saved.");
    expect(() => writer().write([() => 1])).toThrow("A plan holds a function, which can't be saved.");
  });

  test("that no writer wrote is refused", () => {
    for (const json of [{ $seen: 7 }, { $seen: "x" }, { $nothing: 1 }, { $map: 3 }])
      expect(() => reader().read(json)).toThrow(TypeError);
  });
});
