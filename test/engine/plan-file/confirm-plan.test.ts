import { error, SetElement } from "../../../src/diagnostics";
import { type Plan, type PlanMode, readRecord } from "../../../src/engine";
import { createPlan } from "../../../src/engine/plan/create-plan";
import { contextFor } from "../../../src/engine/plan-file/check-basis";
import { confirmPlan } from "../../../src/engine/plan-file/confirm-plan";
import type { RunContext } from "../../../src/engine/run/context";
import { LocalBackend } from "../../../src/state/backends/local-backend";
import { applySaved, planIn, planText } from "../support/saved-plan";
import { Stack, thing } from "../support/stack";

// A saved plan is planned again: what it changes is read again, and nothing else.

let stack: Stack;
afterEach(() => stack.remove());

const asked = () => stack.provider.asked.splice(0);

/** The plan as read back from a file. */
async function saved(
  context: RunContext = stack.context(),
  mode: PlanMode = "normal",
  more: Partial<Plan> = {},
) {
  const plan = { ...(await createPlan(context, await stack.state(), mode)), ...more };
  const text = await planText(context, plan);
  asked();
  return { text, saved: planIn(text) };
}

/** Applies it as another process would. */
async function apply({ saved: from }: Awaited<ReturnType<typeof saved>>, context = stack.context()) {
  const { refused, plan, result } = await applySaved(from, context, new LocalBackend(stack.stateFile));
  return { refused, told: plan?.diagnostics ?? [], done: result?.done };
}

const withSecret = (secret: string) =>
  ({
    variables: { secret: { from: "text", text: secret, origin: "TF_VAR_secret" } },
  }) as const;

test("what is changed is read again, sensitive values included, and what stays as it is is not", async () => {
  const things = {
    kept: thing("kept", { secret: "${var.secret}" }),
    other: thing("other", { size: 1 }),
    same: thing("same"),
  };
  stack = new Stack({
    variable: { secret: { type: "string", sensitive: true } },
    resource: { memory_thing: things },
  });
  const context = stack.context(withSecret("hunter2-is-no-password"));
  await stack.apply("normal", withSecret("hunter2-is-no-password"));
  stack.provider.things.get("kept")!["secret"] = "changed-by-hand";
  stack.provider.things.get("other")!["size"] = 9;
  const file = await saved(context);
  expect(file.text).not.toMatch(/hunter2|changed-by-hand/);
  expect((await apply(file, context)).done).toMatchObject({ change: 2 });
  expect(asked().sort()).toEqual(["read kept", "read other", "update kept", "update other"]);
  expect(stack.provider.things.get("kept")).toMatchObject({ secret: "hunter2-is-no-password" });
});

test("a plan with objects that could not be read is applied while they still can't be, and refused once they can", async () => {
  const lookup = { memory_lookup: { now: { name: "now" } } };
  stack = new Stack({ resource: { memory_thing: { a: thing("a"), b: thing("b") } } });
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
    data: lookup,
  });
  for (const what of ["read b", "look now"]) stack.provider.failing.add(what);
  const file = await saved();
  stack.provider.failing.delete("read b");
  expect(await apply(file)).toMatchObject({
    refused: [{ code: "saved_plan_differs", address: "memory_thing.b" }],
  });
  expect(asked().sort()).toEqual(["look now", "read a", "read b"]);
  stack.provider.failing.add("read b");
  const { done, told } = await apply(file);
  expect(done).toMatchObject({ add: 1, change: 1, remove: 0 });
  expect(asked().sort()).toEqual(["create d", "look now", "read a", "read b", "update a"]);
  expect(told.map(({ address }) => address).sort()).toEqual(["data.memory_lookup.now", "memory_thing.b"]);
});

test("imports are read again, and data sources are not", async () => {
  stack = new Stack({});
  stack.provider.things.set("found", {
    id: "found",
    name: "found",
    serial: 9,
    colour: "red",
    size: null,
    tags: null,
    secret: null,
  });
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
  const { refused, done } = await apply(await saved());
  expect({ refused, done }).toMatchObject({ refused: [], done: { add: 1, change: 1, import: 1 } });
  expect(asked().sort()).toEqual(["create made", "import found", "update found"]);
});

describe("a deposed object", () => {
  beforeEach(async () => {
    stack = new Stack({ resource: { memory_thing: { a: thing("a") } } });
    await stack.apply();
    stack.declare({
      resource: { memory_thing: { a: { ...thing("b"), lifecycle: { create_before_destroy: true } } } },
    });
    stack.provider.failing.add("delete a");
    await stack.apply();
    stack.provider.failing.clear();
  });

  test("a deposed object is deleted as the plan shows", async () => {
    expect((await apply(await saved())).done).toMatchObject({ remove: 1 });
    expect(asked()).toEqual(["read a", "delete a"]);
  });

  test("leaves the state if it was already gone", async () => {
    stack.provider.things.delete("a");
    expect((await apply(await saved(stack.context(), "refresh-only"))).refused).toEqual([]);
    const { resources } = (await stack.state())!;
    expect(resources.flatMap(({ instances }) => instances.map(({ deposed }) => deposed))).toEqual([
      undefined,
    ]);
  });
});

test("a requested replacement and an observation at a new object's place are restored", async () => {
  stack = new Stack({ resource: { memory_thing: { a: thing("a") } } });
  await stack.apply();
  stack.declare({ resource: { memory_thing: { a: thing("a"), b: thing("b") } } });
  stack.provider.observed.set("b", ["b", "another"]);
  const file = await saved(stack.context({ replace: ["memory_thing.a"] }));
  stack.provider.observed.clear();
  const present = contextFor(file.saved, stack.context());
  const { plan } = await confirmPlan(file.saved, present, await stack.state());
  expect(plan!.steps.map(({ change: { action }, observed }) => [action, observed])).toEqual([
    ["delete-then-create", undefined],
    ["create", { ids: ["b", "another"] }],
  ]);
});

test("regression: a diagnostic about an element of a set caused an internal error when its plan was saved", async () => {
  stack = new Stack({});
  const told = error({
    code: "reference_not_found",
    summary: "No such user",
    detail: "…",
    attribute: ["levels", new SetElement(() => 'user "ada"'), "user"],
  });
  const file = await saved(stack.context(), "normal", { diagnostics: [told] });
  const [shown] = readRecord(file.saved.record, stack.context().providers).diagnostics;
  expect(shown!.attribute!.join(".")).toBe('levels.user "ada".user');
});

test("a value that is nested too deeply for a file is reported when the plan is saved", async () => {
  const deep = JSON.parse(`${"[".repeat(300)}${"]".repeat(300)}`) as unknown;
  stack = new Stack({ variable: { deep: {} }, output: { deep: { value: "${var.deep}" } } });
  const variables = { deep: { from: "json", json: deep, origin: "a file" } } as const;
  await expect(saved(stack.context({ variables }))).rejects.toMatchObject({
    diagnostics: [{ code: "saved_plan_not_written", detail: expect.stringContaining("maximum nesting") }],
  });
});

test("values that look like the encoding of something else stay values", async () => {
  const odd = {
    $unknown: true,
    $withheld: 1,
    $$: [{ $unknown: true }],

    nested: { $withheld: 2 },
  };
  stack = new Stack({ variable: { odd: { default: odd } }, output: { odd: { value: "${var.odd}" } } });
  const file = await saved();
  expect((await apply(file)).refused).toEqual([]);
  const json = JSON.parse('{"__proto__":{"app":"x"},"$x":1}') as unknown;
  const variables = { odd: { from: "json", json, origin: "a file" } } as const;
  const other = await saved(stack.context({ variables }));
  expect((await apply(other)).refused).toEqual([]);
  expect((await stack.state())!.outputs["odd"]!.value).toEqual(json);
});
