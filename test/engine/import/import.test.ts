import { importObject } from "../../../src/engine/import/import-object";
import { LocalBackend } from "../../../src/state/backends/local-backend";
import { actions, Stack, thing } from "../support/stack";

describe("an import", () => {
  const declared = { a: thing("a"), many: { ...thing("${each.key}"), for_each: { x: 1, y: 2 } } };
  let stack: Stack;
  beforeEach(async () => {
    stack = new Stack({ resource: { memory_thing: declared } });
    await stack.apply();
    await new LocalBackend(stack.stateFile).read();
  });
  afterEach(() => stack.remove());

  const take = (address: string, id: string) =>
    importObject(stack.context(), new LocalBackend(stack.stateFile), address, id);

  test("names the existing instances if the requested one does not exist", async () => {
    const { diagnostics } = await take('memory_thing.many["z"]', "z");
    expect(diagnostics[0]?.detail).toContain('It declares memory_thing.many["x"], memory_thing.many["y"].');
  });

  test.each([
    ["a data source", "toset([data.memory_lookup.who.found])", "found z"],
    ["a local of a data source", "toset([local.who])", "found z"],
    ["another resource, as the state has it", "toset([memory_thing.a.colour])", "grey"],
  ])("imports an object for an instance whose key comes from %s", async (_what, keys, key) => {
    stack.declare({
      data: { memory_lookup: { who: { name: "z" }, unneeded: { name: "y" } } },
      locals: { who: "${data.memory_lookup.who.found}" },
      resource: { memory_thing: { ...declared, more: { ...thing("${each.key}"), for_each: `\${${keys}}` } } },
    });
    stack.provider.asked.length = 0;
    stack.provider.things.set(key, { ...stack.provider.things.get("a"), id: key, name: key });
    expect((await take(`memory_thing.more["${key}"]`, key)).diagnostics).toEqual([]);
    expect(stack.provider.asked).not.toContain("look y");
    expect(actions(await stack.plan())).toEqual({});
  });

  test("reports the failure of a data source that it depends on, and imports nothing", async () => {
    stack.declare({
      data: { memory_lookup: { who: { name: "z" } } },
      resource: {
        memory_thing: { more: { ...thing("x"), for_each: "${toset([data.memory_lookup.who.found])}" } },
      },
    });
    stack.provider.failing.add("look z");
    const { id, diagnostics } = await take('memory_thing.more["found z"]', "a");
    expect(id).toBeUndefined();
    expect(diagnostics).toMatchObject([{ address: "data.memory_lookup.who", code: "forbidden" }]);
  });

  test("reports why the instances of a declaration are unknown", async () => {
    stack.declare({
      resource: {
        memory_thing: {
          ...declared,
          more: { ...thing("n"), count: "${memory_thing.none.serial}" },
          none: thing("none"),
        },
      },
    });
    const { id, diagnostics } = await take("memory_thing.more[0]", "a");
    expect(id).toBeUndefined();
    expect(diagnostics).toMatchObject([{ code: "invalid_repetition", address: "memory_thing.more" }]);
  });
});
