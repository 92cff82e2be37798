import { Stack, thing } from "../support/stack";

const that = (condition: string, message = "not so") => [{ condition, error_message: message }];

describe("conditions of resources", () => {
  let stack: Stack;
  beforeEach(() => {
    stack = new Stack({});
  });
  afterEach(() => stack.remove());

  const things = (declared: Record<string, object>, more: object = {}) =>
    stack.declare({
      resource: { memory_thing: declared },
      locals: { yes: true, no: false, nothing: null },
      ...more,
    });
  const a = (lifecycle: object, more: object = {}) => thing("a", { lifecycle, ...more });
  const results = async () => (await stack.state())!.checkResults;

  test("a failed precondition stops the plan with its own message", async () => {
    things({ a: a({ precondition: that("${local.no}", "no ${local.yes}") }) });
    const plan = await stack.plan();
    expect(plan.applicable).toBe(false);
    expect(plan.diagnostics).toMatchObject([
      {
        code: "condition_failed",
        detail: "no true",
        address: "memory_thing.a",
        attribute: ["lifecycle", "precondition", 0],
      },
    ]);
    expect(plan.checks).toMatchObject([
      { declaration: "memory_thing.a", status: "fail", objects: [{ failureMessages: ["no true"] }] },
    ]);
  });

  test("a failed condition hides no other planned changes, and blocks the whole apply", async () => {
    things(
      {
        a: a({ precondition: that("${local.no}") }),
        promised: thing("p", { lifecycle: { postcondition: that("${self.size == 3}") } }),
        other: thing("other"),
        dependent: thing("${memory_thing.a.id}"),
      },
      { output: { other: { value: "${memory_thing.other.name}" }, not: { value: "${memory_thing.a.id}" } } },
    );
    const plan = await stack.plan();
    expect(plan.changes.map(({ address, action }) => [address, action])).toEqual([
      ["memory_thing.other", "create"],
      ["memory_thing.promised", "create"],
    ]);
    expect(plan.outputs.map(({ name, action }) => [name, action])).toEqual([
      ["not", "no-op"],
      ["other", "create"],
    ]);
    expect([plan.summary.add, plan.applicable]).toEqual([2, false]);
    await expect(stack.apply()).rejects.toThrow("can't be applied");
    expect(stack.provider.asked).toEqual([]);
  });

  test("a condition on unknown values is evaluated at apply, before a request for the object", async () => {
    things({
      a: thing("a"),
      b: thing("b", { lifecycle: { precondition: that("${memory_thing.a.serial == 7}") } }),
    });
    expect((await stack.plan()).checks).toMatchObject([{ status: "unknown" }]);
    expect((await stack.apply()).diagnostics).toMatchObject([
      { code: "condition_failed", address: "memory_thing.b" },
    ]);
    expect([...stack.provider.things.keys()]).toEqual(["a"]);
  });

  test("a postcondition sees the created object as self and blocks its dependents", async () => {
    things({
      a: a({ postcondition: that('${self.colour == "red"}', "it is ${self.colour}") }),
      b: thing("b-${memory_thing.a.id}"),
    });
    expect((await stack.apply()).diagnostics).toContainEqual(
      expect.objectContaining({ code: "condition_failed", detail: "it is grey" }),
    );
    expect([...stack.provider.things.keys()]).toEqual(["a"]);
    expect(await results()).toEqual([
      {
        object_kind: "resource",
        config_addr: "memory_thing.a",
        status: "fail",
        objects: [{ object_addr: "memory_thing.a", status: "fail", failure_messages: ["it is grey"] }],
      },
    ]);
  });

  test("the state stores the results of each instance, and of a declaration without instances", async () => {
    things({
      n: thing("n${count.index}", { count: 2, lifecycle: { precondition: that("${count.index < 5}") } }),
      none: thing("z", { count: 0, lifecycle: { precondition: that("${local.yes}") } }),
    });
    await stack.apply();
    expect(await results()).toEqual([
      {
        object_kind: "resource",
        config_addr: "memory_thing.n",
        status: "pass",
        objects: [
          { object_addr: "memory_thing.n[0]", status: "pass" },
          { object_addr: "memory_thing.n[1]", status: "pass" },
        ],
      },
      { object_kind: "resource", config_addr: "memory_thing.none", status: "pass", objects: null },
    ]);
  });

  test("a refresh-only plan reports failed conditions as warnings", async () => {
    things({ a: a({ postcondition: that("${self.size == 1}") }, { size: 1 }) });
    await stack.apply();
    stack.provider.things.get("a")!["size"] = 2;
    const plan = await stack.plan("refresh-only");
    expect(plan.diagnostics).toMatchObject([{ severity: "warning", code: "condition_failed" }]);
    expect(plan.applicable).toBe(true);
  });

  test("a sensitive message is not shown", async () => {
    things({ a: a({ precondition: that("${local.no}", '${sensitive("hush")}') }) });
    const { diagnostics, checks } = await stack.plan();
    expect(diagnostics.map(({ code }) => code)).toEqual(["condition_failed", "invalid_condition"]);
    expect(JSON.stringify([diagnostics, checks])).not.toContain("hush");
  });

  test.each([
    ["a condition that is null", that("${local.nothing}"), /null/],
    ["a condition that is no truth", that("${upper(tostring(local.yes))} !"), /bool/],
    ["a message that is null", that("${local.no}", "${local.nothing}"), /null/],
  ])("%s is rejected", async (_what, precondition, detail) => {
    things({ a: a({ precondition }) });
    const { diagnostics } = await stack.plan();
    expect(diagnostics).toContainEqual(
      expect.objectContaining({ code: "invalid_condition", detail: expect.stringMatching(detail) as string }),
    );
  });

  test("validate rejects a precondition that refers to its own object", async () => {
    things({ a: a({ precondition: that("${self.id == local.yes}") }) });
    expect(await stack.validate()).toContainEqual(expect.objectContaining({ code: "invalid_condition" }));
  });

  test("a data source with conditions is read after the changes of its dependencies", async () => {
    stack.declare({
      data: {
        memory_lookup: {
          d: { name: "x", lifecycle: { postcondition: that("${memory_thing.a.serial == 1}") } },
        },
      },
      resource: { memory_thing: { a: thing("a") } },
    });
    const plan = await stack.plan();
    expect(plan.changes[0]).toMatchObject({ action: "read", reason: "read_because_dependency_pending" });
    expect((await stack.apply()).diagnostics).toEqual([]);
  });
});
