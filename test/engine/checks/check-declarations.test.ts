import { actions, Stack, thing } from "../support/stack";

describe("conditions of variables, outputs and checks", () => {
  let stack: Stack;
  beforeEach(() => {
    stack = new Stack({});
  });
  afterEach(() => stack.remove());

  const given = (values: Record<string, unknown>) => ({
    variables: Object.fromEntries(
      Object.entries(values).map(([name, json]) => [name, { from: "json" as const, json, origin: "x" }]),
    ),
  });
  const checks = async () =>
    ((await stack.state())!.checkResults as { config_addr: string; status: string; objects: object[] }[]).map(
      ({ config_addr: address, status, objects }) => [address, status, objects],
    );

  describe("of a variable", () => {
    const rule = (condition: string, message: string) => ({ condition, error_message: message });
    beforeEach(() =>
      stack.declare({
        variable: {
          low: { default: 1, type: "number" },
          high: {
            type: "number",
            validation: [
              rule("${var.high > var.low}", "Must be above ${var.low}."),
              rule("${var.high < length(data.memory_lookup.limit.found)}", "Too high."),
            ],
          },
        },
        data: { memory_lookup: { limit: { name: "x" } } },
        resource: { memory_thing: { a: thing("a", { size: "${var.high}" }) } },
      }),
    );

    test("a failed validation blocks everything that uses the variable", async () => {
      const { applicable, diagnostics, changes } = await stack.plan("normal", given({ high: 1 }));
      expect([applicable, changes.filter(({ mode }) => mode === "managed")]).toEqual([false, []]);
      expect(diagnostics).toMatchObject([
        {
          code: "condition_failed",
          address: "var.high",
          detail: "Must be above 1.",
          attribute: ["validation", 0],
        },
      ]);
    });

    test("conditions of a variable may refer to other variables and to data sources", async () => {
      expect((await stack.plan("normal", given({ high: 70 }))).diagnostics).toMatchObject([
        { detail: "Too high.", attribute: ["validation", 1] },
      ]);
      await stack.apply("normal", given({ high: 5 }));
      expect(await checks()).toEqual([["var.high", "pass", [{ object_addr: "var.high", status: "pass" }]]]);
    });

    test("conditions of a variable are not evaluated while no value is known", async () => {
      expect(await stack.validate()).toEqual([]);
    });
  });

  test("a failed output precondition keeps the output from being saved", async () => {
    const output = (condition: string) => ({
      output: {
        o: { value: "${memory_thing.a.id}", precondition: { condition, error_message: "Not now." } },
      },
      resource: { memory_thing: { a: thing("a") } },
    });
    stack.declare(output('${memory_thing.a.id == "b"}'));
    expect((await stack.plan()).diagnostics).toEqual([]);
    expect((await stack.apply()).diagnostics).toMatchObject([
      { code: "condition_failed", address: "output.o" },
    ]);
    expect((await stack.state())!.outputs).toEqual({});
    stack.declare(output('${memory_thing.a.id == "a"}'));
    expect((await stack.apply()).diagnostics).toEqual([]);
    expect((await stack.state())!.outputs).toMatchObject({ o: { value: "a" } });
  });

  describe("of a check", () => {
    const declare = (condition: string, more: object = {}, size = 1) =>
      stack.declare({
        resource: { memory_thing: { a: thing("a", { size }) } },
        check: {
          c: {
            ...more,
            assert: [
              {
                condition: "${memory_thing.a.size == 1}",
                error_message: "The size is ${memory_thing.a.size}.",
              },
              { condition, error_message: "Found ${data.memory_lookup.seen.found}." },
            ],
          },
        },
      });
    const seen = { data: { memory_lookup: { seen: { name: "x" } } } };
    const holds = '${data.memory_lookup.seen.found == "found x"}';

    test("assertions of a check are warnings if they fail, and their results are stored in the state", async () => {
      declare("${data.memory_lookup.seen.found == memory_thing.a.colour}", seen, 2);
      expect((await stack.plan()).diagnostics).toMatchObject([
        { severity: "warning", code: "condition_failed", detail: "The size is 2.", address: "check.c" },
      ]);
      const { diagnostics } = await stack.apply();
      expect(diagnostics.map(({ severity, detail }) => [severity, detail])).toEqual([
        ["warning", "The size is 2."],
        ["warning", "Found found x."],
      ]);
      expect(await checks()).toEqual([
        [
          "check.c",
          "fail",
          [
            {
              object_addr: "check.c",
              status: "fail",
              failure_messages: ["The size is 2.", "Found found x."],
            },
          ],
        ],
      ]);
    });

    test("assertions of a check are reported as unknown while a value is known only after apply", async () => {
      declare("${data.memory_lookup.seen.found == memory_thing.a.id}", seen);
      const plan = await stack.plan();
      expect(plan.diagnostics).toMatchObject([{ severity: "warning", code: "check_open" }]);
      expect(plan.checks).toMatchObject([{ declaration: "check.c", status: "unknown" }]);
    });

    test("read their data source for the plan and again at apply", async () => {
      declare(holds, seen);
      const plan = await stack.plan();
      expect(plan.changes.find(({ mode }) => mode === "data")).toMatchObject({
        action: "read",
        reason: "read_because_check_nested",
        after: { found: "found x" },
      });
      expect(plan.checks).toMatchObject([{ status: "pass" }]);
      stack.provider.asked.length = 0;
      await stack.apply();
      expect(stack.provider.asked.filter((what) => what === "look x")).toHaveLength(2);
      expect((await stack.plan()).hasChanges).toBe(true);
      expect((await stack.plan("refresh-only")).hasChanges).toBe(false);
    });

    test("fail, without failing the plan, if their data source can't be read", async () => {
      declare(holds, seen);
      stack.provider.failing.add("look x");
      const plan = await stack.plan();
      expect(plan.applicable).toBe(true);
      expect(plan.diagnostics).toMatchObject([{ severity: "warning", code: "forbidden" }]);
      expect(actions(plan)).toEqual({ "memory_thing.a": "create", "data.memory_lookup.seen": "read" });
      expect((await stack.apply()).diagnostics).toMatchObject([{ severity: "warning" }]);
      expect(await checks()).toMatchObject([
        ["check.c", "fail", [{ failure_messages: [expect.stringMatching(/Refused/)] }]],
      ]);
    });

    test("reject references to their data source from outside", async () => {
      declare(holds, seen);
      const configuration = { output: { o: { value: "${data.memory_lookup.seen.found}" } } };
      stack.declare({
        ...configuration,
        check: { c: { ...seen, assert: { condition: holds, error_message: "x" } } },
      });
      expect((await stack.plan()).diagnostics).toMatchObject([
        {
          code: "undeclared_reference",
          address: "output.o",
          detail: expect.stringContaining("check.c") as string,
        },
      ]);
    });

    test("assertions of a check are not evaluated in a destroy or for drift", async () => {
      declare(holds, seen);
      await stack.apply();
      stack.provider.asked.length = 0;
      expect((await stack.plan("destroy")).diagnostics).toEqual([]);
      await stack.drift();
      expect(stack.provider.asked).not.toContain("look x");
    });
  });
});
