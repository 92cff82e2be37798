import { type Plan, planJson } from "../../../src/engine";
import { contextFor } from "../../../src/engine/plan-file/basis";
import { confirmPlan } from "../../../src/engine/plan-file/confirm-plan";
import { JsonNumber } from "../../../src/json";
import { planIn } from "../support/saved-plan";
import { SavedStack } from "../support/saved-stack";
import { actions, thing } from "../support/stack";

// The transcript `saved-plan` covers how Steward shows and refuses saved plans. The test `damaged-files` covers damaged
// files, and `hostile-plan` covers forged files.

let stack: SavedStack;
afterEach(() => stack.remove());

const FIRST = {
  variable: { size: { type: "number" } },
  resource: {
    memory_thing: {
      a: thing("a", { size: "${var.size}", tags: ["x", "y"] }),
      b: thing("b", { colour: "${memory_thing.a.colour}", size: "${memory_thing.a.serial}" }),
      many: {
        for_each: { one: "${memory_thing.a.id}", two: "two" },
        name: "${each.key}",
        colour: "${each.value}",
      },
    },
  },
  data: { memory_lookup: { now: { name: "now" }, late: { name: "${memory_thing.b.id}" } } },
  output: { serial: { value: "${memory_thing.b.serial}" }, size: { value: "${var.size}" } },
};
const SECOND = {
  resource: { memory_thing: { a: thing("a", { size: 2 }), b: thing("renamed"), c: thing("c") } },
  output: { serial: { value: "${memory_thing.c.serial}" } },
};
const SIZE = { variables: { size: { from: "text", text: "7", origin: "--var" } } } as const;

/** Returns the changes of a plan without the decisions, which saved plans do not contain. */
const recordedChanges = ({ changes }: Pick<Plan, "changes">) =>
  changes.map(({ decision: _decision, ...change }) => change);

describe("a saved plan", () => {
  test("the apply of a saved plan creates the planned objects, also with values that were unknown in the plan", async () => {
    stack = new SavedStack(FIRST);
    const saved = await stack.save(stack.context(SIZE));
    const record = stack.recordOf(saved.text);
    expect([record.changes, record.outputs]).toEqual([recordedChanges(saved.plan), saved.plan.outputs]);
    expect(planJson(record, stack.schemaOf)).toMatchObject({
      variables: { size: { value: 7 } },
      errored: false,
    });
    const { diagnostics, done, state } = await stack.applyFile(saved);
    expect({ diagnostics, done }).toEqual({ diagnostics: [], done: expect.objectContaining({ add: 4 }) });
    expect(stack.provider.things.get("one")).toMatchObject({ colour: "a" });
    expect(state!.outputs).toMatchObject({ serial: { value: expect.any(Number) }, size: { value: 7 } });
    expect(actions(await stack.plan("normal", SIZE))).toEqual({});
  });

  test("a saved plan contains all digits of long numbers, and null for a variable with the value null", async () => {
    stack = new SavedStack({
      variable: { colour: { default: "red" }, serial: { type: "number" } },
      output: { colour: { value: "${var.colour}" }, serial: { value: "${var.serial}" } },
    });
    const serial = { from: "text", text: "9007199254740993", origin: "--var" } as const;
    const colour = { from: "json", json: null, origin: "a file" } as const;
    const saved = await stack.save(stack.context({ variables: { colour, serial } }));
    const { state } = await stack.applyFile(saved);
    const exact = new JsonNumber("9007199254740993");
    expect(state!.outputs).toMatchObject({ serial: { value: exact } });
    expect(contextFor(planIn(saved.text), stack.context()).variables).toMatchObject({
      colour: { json: null },
      serial: { json: exact },
    });
  });

  test("the apply of a saved plan executes updates, deletes and replacements after it has read the changed objects again", async () => {
    stack = new SavedStack(FIRST);
    await stack.apply("normal", SIZE);
    stack.declare(SECOND);
    const saved = await stack.save();
    expect(actions(saved.plan)["memory_thing.b"]).toBe("delete-then-create");
    expect((await stack.applyFile(saved)).done).toMatchObject({ add: 2, change: 1, remove: 3 });
    const requests = stack.asked();
    expect(requests.indexOf("delete b")).toBeLessThan(requests.indexOf("create renamed"));
    expect(requests.filter((one) => one.startsWith("read "))).toEqual(
      ["a", "b", "one", "two"].map((name) => `read ${name}`),
    );
    expect(actions(await stack.plan())).toEqual({});
  });

  test.each(["destroy", "refresh-only"] as const)(
    "the apply of a saved plan with the mode %s writes the planned objects and values to the state",
    async (mode) => {
      stack = new SavedStack(SECOND);
      await stack.apply();
      stack.provider.things.get("c")!["colour"] = "red";
      const { diagnostics, state } = await stack.applyFile(await stack.save(stack.context(), mode));
      expect(diagnostics).toEqual([]);
      const colour = state!.resources.find(({ name }) => name === "c")?.instances[0]?.attributes["colour"];
      expect({ left: stack.provider.things.size, colour }).toEqual(
        mode === "destroy" ? { left: 0, colour: undefined } : { left: 3, colour: "red" },
      );
    },
  );

  test.each([
    ["targets", ["c"]],
    ["excludes", ["a", "renamed"]],
  ])("the apply of a saved plan with %s makes only the planned changes", async (option, left) => {
    stack = new SavedStack(SECOND);
    const { diagnostics } = await stack.applyFile(
      await stack.save(stack.context({ [option]: ["memory_thing.c"] })),
    );
    expect(diagnostics).toMatchObject([{ code: "targeting_incomplete" }]);
    expect([...stack.provider.things.keys()].sort()).toEqual(left);
  });

  test("the apply of a saved plan moves, imports and forgets objects as planned", async () => {
    stack = new SavedStack({ resource: { memory_thing: { a: thing("a"), b: thing("b"), c: thing("c") } } });
    await stack.apply();
    stack.provider.things.set("found", { id: "found", name: "found", serial: 9, colour: "red" });
    stack.declare({
      resource: {
        memory_thing: {
          moved: thing("a"),
          b: { ...thing("renamed"), lifecycle: { create_before_destroy: true } },
          found: thing("found"),
        },
      },
      moved: [{ from: "memory_thing.a", to: "memory_thing.moved" }],
      import: [{ to: "memory_thing.found", identity: { name: "found" } }],
      removed: [{ from: "memory_thing.c", lifecycle: { destroy: false } }],
    });
    const saved = await stack.save();
    expect(stack.recordOf(saved.text).changes).toEqual(recordedChanges(saved.plan));
    expect(JSON.stringify(planJson(saved.plan, stack.schemaOf))).toContain('"identity":{"name":"found"');
    const { diagnostics, state } = await stack.applyFile(saved);
    expect(diagnostics!.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(state!.resources.map(({ name }) => name).sort()).toEqual(["b", "found", "moved"]);
    const requests = stack.asked();
    expect(requests.indexOf("create renamed")).toBeLessThan(requests.indexOf("delete b"));
    expect([...stack.provider.things.keys()].sort()).toEqual(["a", "c", "found", "renamed"]);
  });

  test("if an unreadable object became readable after the plan, the apply of the saved plan is refused", async () => {
    stack = new SavedStack({ resource: { memory_thing: { a: thing("a"), b: thing("b") } } });
    await stack.apply();
    stack.declare({
      resource: {
        memory_thing: {
          a: thing("a", { size: 2 }),
          b: thing("b", { size: 2 }),
          c: thing("c", { colour: "${data.memory_lookup.now.found}" }),
          d: thing("d"),
        },
      },
      data: { memory_lookup: { now: { name: "now" } } },
    });
    for (const what of ["read b", "look now"]) stack.provider.failing.add(what);
    const saved = await stack.save();
    stack.provider.failing.delete("read b");
    expect(await stack.applyFile(saved)).toMatchObject({
      refused: [{ code: "saved_plan_differs", address: "memory_thing.b" }],
    });
    expect(stack.asked().sort()).toEqual(["look now", "read a", "read b"]);
    stack.provider.failing.add("read b");
    const { done, told } = await stack.applyFile(saved);
    expect(done).toMatchObject({ add: 1, change: 1, remove: 0 });
    expect(stack.asked().sort()).toEqual(["create d", "look now", "read a", "read b", "update a"]);
    expect(told.map(({ address }) => address).sort()).toEqual(["data.memory_lookup.now", "memory_thing.b"]);
  });

  test("the apply of a saved plan reads the imported objects again, but not the data sources", async () => {
    stack = new SavedStack({});
    const found = { id: "found", name: "found", serial: 9, colour: "red" };
    stack.provider.things.set("found", { ...found, size: null, tags: null, secret: null });
    stack.declare({
      resource: {
        memory_thing: {
          found: thing("found", { size: 3 }),
          made: thing("made", { colour: "${data.memory_lookup.now.found}" }),
        },
      },
      data: { memory_lookup: { now: { name: "now" } } },
      import: [{ to: "memory_thing.found", id: "found" }],
    });
    const { refused, done } = await stack.applyFile(await stack.save());
    expect({ refused, done }).toMatchObject({ refused: [], done: { add: 1, change: 1, import: 1 } });
    expect(stack.asked().sort()).toEqual(["create made", "import found", "update found"]);
  });

  test("the apply of a saved plan removes a deposed object from the state, even if the object is already gone", async () => {
    for (const isGone of [false, true]) {
      stack?.remove();
      stack = new SavedStack({ resource: { memory_thing: { a: thing("a") } } });
      await stack.apply();
      const first = { lifecycle: { create_before_destroy: true } };
      stack.declare({ resource: { memory_thing: { a: { ...thing("b"), ...first } } } });
      stack.provider.failing.add("delete a");
      await stack.apply();
      stack.provider.failing.clear();
      if (isGone) stack.provider.things.delete("a");
      const { done } = await stack.applyFile(
        await stack.save(stack.context(), isGone ? "refresh-only" : "normal"),
      );
      expect([done?.remove, stack.asked()]).toEqual(isGone ? [0, ["read a"]] : [1, ["read a", "delete a"]]);
      const { resources } = (await stack.state())!;
      expect(resources.flatMap(({ instances }) => instances.map(({ deposed }) => deposed))).toEqual([
        undefined,
      ]);
    }
  });

  test("a saved plan contains a replacement that the option `replace` requested", async () => {
    stack = new SavedStack({ resource: { memory_thing: { a: thing("a") } } });
    await stack.apply();
    const saved = planIn((await stack.save(stack.context({ replace: ["memory_thing.a"] }))).text);
    const { plan } = await confirmPlan(saved, contextFor(saved, stack.context()), await stack.state());
    expect(plan!.steps.map(({ change }) => change.action)).toEqual(["delete-then-create"]);
  });
});
