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

  test("adds a live object to the state, and the next plan is empty", async () => {
    stack.declare({ resource: { memory_thing: { ...declared, b: thing("b") } } });
    stack.provider.things.set("b", { ...stack.provider.things.get("a"), id: "b", name: "b" });
    expect(await take("memory_thing.b", "b")).toEqual({ id: "b", diagnostics: [] });
    expect(actions(await stack.plan())).toEqual({});
  });

  test("imports an object for an instance of for_each", async () => {
    stack.declare({
      resource: { memory_thing: { ...declared, more: { ...thing("${each.key}"), for_each: { z: 1 } } } },
    });
    stack.provider.things.set("z", { ...stack.provider.things.get("a"), id: "z", name: "z" });
    expect((await take('memory_thing.more["z"]', "z")).id).toBe("z");
    expect(actions(await stack.plan())).toEqual({});
  });

  test("rejects an object that another address holds, and gives the command that moves it", async () => {
    stack.declare({ resource: { memory_thing: { ...declared, b: thing("a") } } });
    const before = await stack.state();
    expect(await take("memory_thing.b", "a")).toMatchObject({
      id: undefined,
      diagnostics: [
        {
          code: "import_already_managed",
          action: { kind: "move", from: "memory_thing.a", to: "memory_thing.b" },
        },
      ],
    });
    expect(await stack.state()).toEqual(before);
  });

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

  test.each([
    ["that is not declared", "memory_thing.none", "import_not_declared"],
    ["with a key that is not declared", 'memory_thing.many["z"]', "import_not_declared"],
    ["that the state holds already", "memory_thing.a", "import_already_managed"],
  ])("rejects an address %s", async (_what, address, code) => {
    const before = await stack.state();
    const { id, diagnostics } = await take(address, "a");
    expect([id, diagnostics.map((one) => one.code)]).toEqual([undefined, [code]]);
    expect(await stack.state()).toEqual(before);
  });
});
