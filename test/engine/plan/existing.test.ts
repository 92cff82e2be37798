import { actions, Stack, thing } from "../support/stack";

let stack: Stack;
beforeEach(() => {
  stack = new Stack({});
  stack.provider.tellsExisting = true;
  stack.provider.service = "memory";
});
afterEach(() => stack.remove());

const declare = (things: object, more: object = {}) =>
  stack.declare({ resource: { memory_thing: things }, ...more });
const live = (name: string, more: object = {}) =>
  stack.provider.things.set(name, {
    name,
    id: name,
    size: null,
    colour: "grey",
    tags: null,
    secret: null,
    serial: 9,
    ...more,
  });
const importing = { importsExisting: true };
describe("a live object in the place of a new one", () => {
  test("a plan without a refresh does not look for it", async () => {
    live("a");
    declare({ a: thing("a") });
    expect(actions(await stack.plan("normal", { refresh: false }))).toEqual({ "memory_thing.a": "create" });
  });

  test("a replacement that would take its place is refused, with and without an import", async () => {
    declare({ a: thing("a") });
    await stack.apply();
    live("b");
    declare({ a: thing("b") });
    for (const options of [{}, importing]) {
      const plan = await stack.plan("normal", options);
      expect(actions(plan)).toEqual({});
      expect(plan.diagnostics).toMatchObject([{ code: "already_exists", address: "memory_thing.a" }]);
    }
  });
});

describe("with an import of what exists", () => {
  test("what is ignored keeps its live value", async () => {
    live("a", { size: 1 });
    declare({ a: { ...thing("a", { size: 2 }), lifecycle: { ignore_changes: ["size"] } } });
    const { changes } = await stack.plan("normal", importing);
    expect(changes).toMatchObject([{ action: "no-op", importing: { id: "a" }, after: { size: 1 } }]);
  });
});
