import fc from "fast-check";
import { DiagnosticError } from "../../src/diagnostics";
import { instanceAddress, resourceAddress } from "../../src/language/addresses/address";
import { parseState } from "../../src/state/format/file-format";
import { formatState } from "../../src/state/format/format-state";
import { moveInState, removeFromState } from "../../src/state/model/edit";
import { emptyState, type InstanceState, type ResourceState, type State } from "../../src/state/model/model";
import { addressesOf, selectInstances } from "../../src/state/model/select";
import { anyState } from "./arbitrary-state";

const instance = (change: Partial<InstanceState> = {}): InstanceState => ({
  schemaVersion: 0,
  attributes: {},
  sensitivePaths: [],
  dependencies: [],
  ...change,
});

const resource = (name: string, instances: InstanceState[], change: Partial<ResourceState> = {}) => ({
  mode: "managed" as const,
  type: "acme_thing",
  name,
  provider: 'provider["registry.example/acme/acme"]',
  instances,
  ...change,
});

const keyed = (...keys: (string | number)[]) => keys.map((indexKey) => instance({ indexKey }));

/**
 * A state with one address of each kind. The kinds are a single object, instances of `count` and of `for_each`, an object of
 * another provider configuration, a data source, and objects in modules.
 */
const STATE: State = {
  ...emptyState(),
  resources: [
    resource("one", [instance({ attributes: { id: "1" } })]),
    resource("user", [instance({ dependencies: ["acme_thing.many", "acme_thing.one"] })]),
    resource("counted", keyed(0, 1, 10)),
    resource("many", keyed("eu", "us")),
    resource("other", keyed("x"), { provider: 'provider["registry.example/acme/acme"].eu' }),
    resource("found", [instance()], { mode: "data" }),
    resource("inner", [instance()], { module: "module.a" }),
    resource("deep", [instance()], { module: "module.a.module.b[0]" }),
    resource("near", [instance()], { module: "module.ab" }),
  ],
};

const addresses = (state: State): string[] => addressesOf(selectInstances(state)).sort();
const without = (...gone: string[]): string[] => addresses(STATE).filter((one) => !gone.includes(one));

/** Returns the code and the detail of the diagnostic that a function throws. */
function refusal(act: () => unknown): [code: string, detail: string] {
  try {
    act();
  } catch (problem) {
    if (problem instanceof DiagnosticError) {
      const [{ code, detail }] = problem.diagnostics as [(typeof problem.diagnostics)[0]];
      return [code, detail];
    }
    throw problem;
  }
  throw new Error("it was not refused");
}

describe("removing objects from a state", () => {
  test.each([
    ["an object", "acme_thing.one", ["acme_thing.one"]],
    ["all instances of a resource", "acme_thing.many", ['acme_thing.many["eu"]', 'acme_thing.many["us"]']],
    ["one instance", "acme_thing.counted[1]", ["acme_thing.counted[1]"]],
    ["a data source", "data.acme_thing.found", ["data.acme_thing.found"]],
    [
      "a module with its child modules",
      "module.a",
      ["module.a.acme_thing.inner", "module.a.module.b[0].acme_thing.deep"],
    ],
  ])("state rm removes %s", (_what, address, gone) => {
    const { state, removed } = removeFromState(STATE, [address]);
    expect([...removed].sort()).toEqual(gone);
    expect(addresses(state)).toEqual(without(...gone));
  });

  test("if two addresses include the same object, state rm lists the object once", () => {
    const { state, removed } = removeFromState(STATE, [
      "acme_thing.many",
      'acme_thing.many["eu"]',
      "acme_thing.one",
    ]);
    expect(removed).toEqual(['acme_thing.many["eu"]', 'acme_thing.many["us"]', "acme_thing.one"]);
    expect(state.resources.some(({ name }) => name === "many")).toBe(false);
  });

  test("if state rm removes an object, it also removes the deposed object at the same address", () => {
    const state = { ...STATE, resources: [resource("one", [instance(), instance({ deposed: "0123abcd" })])] };
    expect(removeFromState(state, ["acme_thing.one"])).toMatchObject({
      state: { resources: [] },
      removed: ["acme_thing.one"],
    });
  });

  test("if one of several given objects is missing, state rm fails", () => {
    expect(refusal(() => removeFromState(STATE, ["acme_thing.one", "acme_thing.none"]))).toEqual([
      "state_object_not_found",
      expect.stringContaining("acme_thing.none"),
    ]);
    expect(refusal(() => removeFromState(STATE, ["one"]))[0]).toBe("state_address_invalid");
  });

  test("state rm removes the given objects and no others", () => {
    fc.assert(
      fc.property(anyState, fc.nat(), (state, at) => {
        const all = addresses(state).filter((address) => !/(^|\.)(data\.data|module|data)\./.test(address));
        const address = all[at % all.length];
        if (address === undefined) return;
        const { state: left, removed } = removeFromState(state, [address]);
        for (const gone of removed) expect(addresses(left)).not.toContain(gone);
        const kept = selectInstances(state).filter(
          ({ resource: of, instance: one }) => !removed.includes(instanceAddress(of, one)),
        );
        expect(selectInstances(left).map((one) => one.instance)).toEqual(kept.map((one) => one.instance));
      }),
    );
  });
});

describe("moving objects in a state", () => {
  const move = (from: string, to: string) => moveInState(STATE, from, to);

  test.each([
    ["an object to another name", "acme_thing.one", "acme_thing.first", ["acme_thing.first"]],
    [
      "an object to an address with a for_each key",
      "acme_thing.one",
      'acme_thing.many["ap"]',
      ['acme_thing.many["ap"]'],
    ],
    [
      "an object to an address with a count index",
      "acme_thing.one",
      "acme_thing.one[0]",
      ["acme_thing.one[0]"],
    ],
    [
      "an instance of for_each to an address without a key",
      'acme_thing.many["eu"]',
      "acme_thing.europe",
      ["acme_thing.europe"],
    ],
    ["an object into a module", "acme_thing.one", "module.m.acme_thing.one", ["module.m.acme_thing.one"]],
    ["an object out of its module", "module.a.acme_thing.inner", "acme_thing.inner", ["acme_thing.inner"]],
    [
      "a resource with its instances",
      "acme_thing.many",
      "acme_thing.all",
      ['acme_thing.all["eu"]', 'acme_thing.all["us"]'],
    ],
    [
      "a module with its child modules",
      "module.a",
      'module.z["k"]',
      ['module.z["k"].acme_thing.inner', 'module.z["k"].module.b[0].acme_thing.deep'],
    ],
  ])("state mv moves %s", (_what, from, to, after) => {
    const { state, moved } = move(from, to);
    expect(moved.map(([, one]) => one).sort()).toEqual(after);
    expect(addresses(state)).toEqual([...without(...moved.map(([one]) => one)), ...after].sort());
  });

  test("state mv does not change the recorded values of the object", () => {
    const { state } = move("acme_thing.one", "acme_thing.first");
    expect(state.resources.find(({ name }) => name === "first")?.instances).toEqual([
      instance({ attributes: { id: "1" } }),
    ]);
  });

  test("if state mv moves a whole resource, the dependencies of other objects contain the new address", () => {
    const dependencies = (state: State) =>
      state.resources.find(({ name }) => name === "user")?.instances[0]?.dependencies;
    expect(dependencies(move("acme_thing.many", "acme_thing.all").state)).toEqual([
      "acme_thing.all",
      "acme_thing.one",
    ]);
    expect(dependencies(move('acme_thing.many["eu"]', "acme_thing.europe").state)).toEqual([
      "acme_thing.many",
      "acme_thing.one",
    ]);
  });

  test.each([
    ["acme_thing.none", "acme_thing.x", "state_object_not_found", "acme_thing.none"],
    ["acme_thing.one", "x", "state_address_invalid", '"x"'],
    ["acme_thing.one", "acme_thing.one", "state_move_refused", "both are the same address of the same state"],
    ["acme_thing.one", "acme_thing.user", "state_move_refused", "acme_thing.user already exists"],
    ["acme_thing.one", 'acme_thing.many["eu"]', "state_move_refused", "already"],
    ["acme_thing.one", "acme_thing.many", "state_move_refused", "acme_thing.many already exists"],
    ["acme_thing.many", "acme_thing.counted", "state_move_refused", "acme_thing.counted already exists"],
    ["acme_thing.one", "acme_other.one", "state_move_refused", "an address of the same type"],
    ["acme_thing.one", "data.acme_thing.one", "state_move_refused", "an address of the same type"],
    ["acme_thing.one", "module.m", "state_move_refused", "a module can only be moved to a module"],
    ["acme_thing.many", "acme_thing.all[0]", "state_move_refused", "several instances"],
    ["acme_thing.one", 'acme_thing.other["y"]', "state_move_refused", ".eu"],
  ])("state mv from %s to %s is refused", (from, to, code, words) => {
    expect(refusal(() => move(from, to))).toEqual([code, expect.stringContaining(words)]);
  });

  test("in any state, a move of an object to another address and back restores the state", () => {
    fc.assert(
      fc.property(anyState, fc.nat(), (state, at) => {
        const movable = state.resources.filter(
          ({ type, instances }) => !["data", "module"].includes(type) && instances.length > 0,
        );
        const chosen = movable[at % movable.length];
        if (chosen === undefined) return;
        const from = resourceAddress(chosen);
        const to = resourceAddress({ ...chosen, name: "z-nobody-has-this" });
        const { state: there } = moveInState(state, from, to);
        expect(() => parseState(formatState(there), "the moved state")).not.toThrow();
        const { state: back } = moveInState(there, to, from);
        expect(formatState(back)).toBe(formatState(state));
      }),
    );
  });
});
