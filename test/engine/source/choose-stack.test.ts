import { declaringStack, type Stack } from "../../../src/engine/source/load-stacks";

const stack = (name: string, ...addresses: string[]): Stack =>
  ({
    name,
    configuration: { resources: new Map(addresses.map((address) => [address, {}])) },
  }) as unknown as Stack;

const base = stack("base", "acme_thing.one", "acme_thing.both");
const web = stack("web", "acme_thing.two", "acme_thing.both");
const chosen = (address: string, ...stacks: Stack[]) =>
  declaringStack(address)(stacks).map(({ name }) => name);

describe("selecting the stack of an address", () => {
  test("finds the one that declares it, whatever the instance's key", () => {
    expect(chosen("acme_thing.two", base, web)).toEqual(["web"]);
    expect(chosen('acme_thing.one["a"]', base, web)).toEqual(["base"]);
  });

  test("accepts the only stack", () => {
    expect(chosen("acme_thing.none", base)).toEqual(["base"]);
  });

  test("requires a name if several stacks declare it", () => {
    expect(() => chosen("acme_thing.both", base, web)).toThrow(/base, web.*--stack NAME/);
  });

  test("fails if no stack declares it", () => {
    expect(() => chosen("acme_thing.none", base, web)).toThrow(
      "None of the stacks (base, web) declares acme_thing.none",
    );
  });
});
