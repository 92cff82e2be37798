import { instanceAddress, moduleChain } from "../../../src/language/addresses/address";
import type { InstanceState, ResourceState } from "../../../src/state/model/model";

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
])("an address is written as in Terraform (case %#)", (of, one, address) => {
  expect(instanceAddress(of, one)).toBe(address);
});

test("moduleChain returns the addresses of a module and its parent modules", () => {
  expect(moduleChain('module.a["x.module.y\\"]"].module.b[2].module.c')).toEqual([
    'module.a["x.module.y\\"]"]',
    'module.a["x.module.y\\"]"].module.b[2]',
    'module.a["x.module.y\\"]"].module.b[2].module.c',
  ]);
  for (const text of ["", "module.", "module.a.", "a", "module.a[x]", 'module.a["x]', "module.a module.b"]) {
    expect(moduleChain(text)).toBeUndefined();
  }
});
