import fc from "fast-check";
import { runs, seed } from "../../support/capabilities";
import { actions, Stack, thing } from "../support/stack";

jest.setTimeout(600_000);

/** The declarations of a case: one resource with `count`, and single things by name. */
interface Declared {
  readonly list: readonly string[];
  readonly named: Readonly<Record<string, string>>;
}

const NAMES = ["one", "two", "three", "four", "five", "six"];

const declared: fc.Arbitrary<Declared> = fc
  .tuple(
    fc.shuffledSubarray(NAMES),
    fc.nat(NAMES.length),
    fc.shuffledSubarray(["a", "b", "c", "d", "e", "f"], { minLength: 6 }),
  )
  .map(([names, cut, addresses]) => ({
    list: names.slice(0, cut),
    named: Object.fromEntries(names.slice(cut).map((name, at) => [addresses[at]!, name])),
  }));

const configuration = ({ list, named }: Declared) => ({
  resource: {
    memory_thing: {
      list: thing(`\${${JSON.stringify(list)}[count.index]}`, { count: list.length }),
      ...Object.fromEntries(Object.entries(named).map(([address, name]) => [address, thing(name)])),
    },
  },
});

const namesOf = ({ list, named }: Declared): ReadonlySet<string> =>
  new Set([...list, ...Object.values(named)]);

test("if declared objects get other addresses, apply does not delete or recreate these objects", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(declared, { minLength: 2, maxLength: 5 }), async (steps) => {
      const stack = new Stack({});
      let before: ReadonlySet<string> = new Set();
      try {
        for (const step of steps) {
          stack.declare(configuration(step));
          stack.provider.asked.length = 0;
          const { diagnostics } = await stack.apply();
          expect(diagnostics).toEqual([]);
          const wanted = namesOf(step);
          const differing = [
            ...[...wanted].filter((name) => !before.has(name)).map((name) => `create ${name}`),
            ...[...before].filter((name) => !wanted.has(name)).map((name) => `delete ${name}`),
          ];
          const writes = stack.provider.asked.filter((one) => !one.startsWith("read "));
          expect([...writes].sort()).toEqual(differing.sort());
          expect(new Set(stack.provider.things.keys())).toEqual(wanted);
          expect(actions(await stack.plan())).toEqual({});
          before = wanted;
        }
      } finally {
        stack.remove();
      }
    }),
    { numRuns: runs(12, 500), seed },
  );
});
