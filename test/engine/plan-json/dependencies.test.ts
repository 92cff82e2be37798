import { dependenciesInJson } from "../../../src/engine/plan-json/dependencies";

const resource = (address: string, ...references: readonly string[]) => ({
  address,
  mode: address.startsWith("data.") ? "data" : "managed",
  expressions: { project: [{ nested: { references: [...references] } }] },
});

describe("the dependencies in a configuration as JSON", () => {
  test("a resource depends on the managed resources to which it refers, also through data sources, depends_on and for_each", () => {
    const found = dependenciesInJson({
      root_module: {
        resources: [
          resource(
            "acme_thing.a",
            'acme_thing.b["x"].id',
            "acme_thing.b",
            "data.acme_look.d.id",
            "var.name",
            "each.key",
          ),
          { ...resource("acme_thing.b", "acme_thing.c.id"), depends_on: ["acme_thing.e"] },
          { ...resource("acme_thing.c"), for_each_expression: { references: ["acme_thing.e.ids"] } },
          resource("acme_thing.e"),
          resource("data.acme_look.d", "acme_thing.c.id"),
        ],
      },
    });
    expect(Object.fromEntries(found)).toEqual({
      "acme_thing.a": ["acme_thing.b", "acme_thing.c"],
      "acme_thing.b": ["acme_thing.c", "acme_thing.e"],
      "acme_thing.c": ["acme_thing.e"],
      "acme_thing.e": [],
    });
  });

  test("a reference inside a module refers to the module's resource, not to the root's resource with the same address", () => {
    const module = { resources: [resource("acme_thing.a", "acme_thing.b.id"), resource("acme_thing.b")] };
    const found = dependenciesInJson({
      root_module: { resources: [resource("acme_thing.b")], module_calls: { inner: { module } } },
    });
    expect(found.get("module.inner.acme_thing.a")).toEqual(["module.inner.acme_thing.b"]);
  });

  test.each([{}, { root_module: {} }, { root_module: { resources: "none", module_calls: { a: 1 } } }])(
    "the configuration %j has no dependencies",
    (configuration) => {
      expect(dependenciesInJson(configuration).size).toBe(0);
    },
  );
});
