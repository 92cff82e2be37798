import { Stack, thing } from "../support/stack";

const declared = (things: Readonly<Record<string, object>>, more: object = {}) => ({
  resource: { memory_thing: things },
  ...more,
});

describe("an object whose declaration moves to another address", () => {
  let stack: Stack;
  beforeEach(() => (stack = new Stack({})));
  afterEach(() => stack.remove());

  /** Writes to the service since the last call. */
  const writes = () => {
    const asked = stack.provider.asked.filter((one) => /^(create|update|delete) /.test(one));
    stack.provider.asked.length = 0;
    return asked;
  };
  const apply = async (configuration: object) => {
    stack.declare(configuration);
    const result = await stack.apply();
    expect(result.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    return result;
  };
  const addresses = async () =>
    (await stack.state())!.resources.flatMap(({ name, instances }) =>
      instances.map(({ indexKey, attributes }) =>
        [indexKey === undefined ? name : `${name}[${indexKey}]`, attributes["name"]].join(" "),
      ),
    );
  const list = (names: readonly string[], more: object = {}) =>
    declared({ a: thing(`\${${JSON.stringify(names)}[count.index]}`, { count: names.length, ...more }) });

  test.each(["crashing", "crashingAfter"] as const)(
    "survives a run that ends halfway (%s), and the next run completes the move",
    async (when) => {
      const sized = (names: readonly string[], size: number) => list(names, { size });
      for (const what of ["delete one", "update two", "update three"]) {
        await apply(sized(["one", "two", "three"], 1));
        stack.declare(sized(["two", "three"], 2));
        stack.provider[when].add(what);
        await stack.apply();
        stack.provider[when].clear();
        const held = await addresses();
        expect(held).toEqual(expect.arrayContaining(["a[0] two", "a[1] three"]));
        writes();
        await apply(sized(["two", "three"], 2));
        expect(writes()).toEqual(when === "crashing" ? [what] : []);
        expect([...stack.provider.things.keys()].sort()).toEqual(["three", "two"]);
        expect(await addresses()).toEqual(["a[0] two", "a[1] three"]);
        await apply({});
      }
    },
  );
});
