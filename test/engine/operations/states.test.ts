import { type NamedState, requireSingle, stateHolding } from "../../../src/engine";
import { LocalBackend } from "../../../src/state/backends/local-backend";
import { emptyState, type ResourceState } from "../../../src/state/model/model";

const thing = (name: string): ResourceState => ({
  mode: "managed",
  type: "acme_thing",
  name,
  provider: 'provider["registry.example/acme/acme"]',
  instances: [{ schemaVersion: 0, attributes: {}, sensitivePaths: [], dependencies: [] }],
});

const named = (stack: string, ...names: string[]): NamedState => ({
  stack,
  backend: new LocalBackend(`/nowhere/${stack}`),
  state: { ...emptyState(), resources: names.map(thing) },
});

const base = named("base", "one", "both");
const web = named("web", "two", "both");
const fresh: NamedState = { ...named("fresh"), state: undefined };

describe("selecting one of several states", () => {
  const holding = (...addresses: string[]) => stateHolding([base, web, fresh], addresses).stack;

  test("finds the one that holds all addresses", () => {
    expect(holding("acme_thing.two")).toBe("web");
    expect(holding("acme_thing.one", "acme_thing.both")).toBe("base");
  });

  test("fails if none or several hold them", () => {
    expect(() => holding("acme_thing.none")).toThrow(
      "No state of the stacks (base, web, fresh) holds acme_thing.none",
    );
    expect(() => holding("acme_thing.one", "acme_thing.two")).toThrow("acme_thing.one and acme_thing.two");
    expect(() => holding("acme_thing.both")).toThrow(/base, web.*--stack NAME/);
  });

  test("requires a choice where only one can be shown", () => {
    expect(requireSingle([base], "it")).toBe(base);
    expect(() => requireSingle([base, web], "state pull")).toThrow(
      /base, web.*state pull takes one.*--stack NAME/,
    );
  });
});
