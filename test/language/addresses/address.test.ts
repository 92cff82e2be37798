import { instanceAddress, moduleChain } from "../../../src/language/addresses/address";
import {
  emptyState,
  type InstanceState,
  type ResourceState,
  type State,
} from "../../../src/state/model/model";
import { findInstance, findResource, instancesByAddress } from "../../../src/state/model/select";

const instance = (change: Partial<InstanceState>): InstanceState => ({
  schemaVersion: 0,
  attributes: {},
  sensitivePaths: [],
  dependencies: [],
  ...change,
});

const resource = (change: Partial<ResourceState>): ResourceState => ({
  mode: "managed",
  type: "acme_thing",
  name: "one",
  provider: 'provider["registry.example/acme/acme"]',
  instances: [],
  ...change,
});

test.each([
  [resource({}), instance({}), "acme_thing.one"],
  [resource({ mode: "data" }), instance({ indexKey: 3 }), "data.acme_thing.one[3]"],
  [resource({ module: "module.a[0]" }), instance({ indexKey: "x y" }), 'module.a[0].acme_thing.one["x y"]'],
  [
    resource({}),
    instance({ indexKey: 'a"b\\c\n$x${y}%{z}\u200b' }),
    'acme_thing.one["a\\"b\\\\c\\n$x$${y}%%{z}\\u200b"]',
  ],
  [resource({}), instance({ indexKey: "3" }), 'acme_thing.one["3"]'],
])("the address of %# is as Terraform writes it", (of, one, address) => {
  expect(instanceAddress(of, one)).toBe(address);
});

test("instances are found by their address, deposed ones are not", () => {
  const current = instance({ indexKey: "a" });
  const keyed = resource({ instances: [instance({ indexKey: "a", deposed: "0123abcd" }), current] });
  const longer = resource({ name: "one-more", instances: [instance({})] });
  const state: State = { ...emptyState(), resources: [keyed, longer] };
  expect(findInstance(state, 'acme_thing.one["a"]')).toEqual({ resource: keyed, instance: current });
  expect(findInstance(state, "acme_thing.one-more")!.resource).toBe(longer);
  expect(findInstance(state, "acme_thing.one")).toBeUndefined();
  expect(findResource(state, "acme_thing.one")).toBe(keyed);
  expect([...instancesByAddress(state).keys()]).toEqual(['acme_thing.one["a"]', "acme_thing.one-more"]);
});

test("a module's address names the modules around it", () => {
  expect(moduleChain('module.a["x.module.y\\"]"].module.b[2].module.c')).toEqual([
    'module.a["x.module.y\\"]"]',
    'module.a["x.module.y\\"]"].module.b[2]',
    'module.a["x.module.y\\"]"].module.b[2].module.c',
  ]);
  for (const text of ["", "module.", "module.a.", "a", "module.a[x]", 'module.a["x]', "module.a module.b"]) {
    expect(moduleChain(text)).toBeUndefined();
  }
});
