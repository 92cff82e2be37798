import { resourceOf } from "../../../../src/cli/views/json/plan-events";

test.each([
  ["acme_thing.one", { resource_type: "acme_thing", resource_name: "one", resource_key: null, module: "" }],
  ["acme_thing.one[3]", { resource_key: 3 }],
  ['acme_thing.one["a.b[c]"]', { resource_name: "one", resource_key: "a.b[c]" }],
  ['acme_thing.one["say \\"hi\\""]', { resource_key: 'say "hi"' }],
  ['acme_thing.one["$${x}"]', { resource_key: "${x}" }],
  ["data.acme_thing.one", { resource: "data.acme_thing.one", resource_type: "acme_thing", module: "" }],
  [
    "module.web.data.acme_thing.one[0]",
    { module: "module.web", resource: "data.acme_thing.one[0]", implied_provider: "acme", resource_key: 0 },
  ],
])("the JSON view parses the address %s", (address, expected) => {
  expect(resourceOf(address)).toMatchObject({ addr: address, ...expected });
});
