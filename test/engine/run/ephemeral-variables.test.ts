import { readFileSync } from "node:fs";
import { planJson } from "../../../src/engine";
import { checkEphemeralVariables } from "../../../src/engine/plan-file/check-basis";
import type { VariableInput } from "../../../src/engine/run/context";
import type { Provider } from "../../../src/framework";
import { LocalBackend } from "../../../src/state/backends/local-backend";
import { SensitiveTexts } from "../../../src/text";
import { applySaved, planIn, planText } from "../support/saved-plan";
import { actions, Stack, thing } from "../support/stack";

const SECRET = "ephemeral-and-never-stored";

const given = (text: string): { variables: Record<string, VariableInput> } => ({
  variables: { token: { from: "text", text, origin: "--var" } },
});

describe("an ephemeral variable", () => {
  let stack: Stack;
  beforeEach(() => {
    stack = new Stack({});
  });
  afterEach(() => stack.remove());

  const declare = (more: object = {}, token: object = {}) =>
    stack.declare({
      variable: { token: { ephemeral: true, type: "string", ...token } },
      provider: { memory: { region: "${local.all.token}" } },
      locals: { all: { token: "${var.token}", name: "a" } },
      resource: { memory_thing: { a: thing("${local.all.name}") } },
      ...more,
    });

  test("configures a provider, also by way of a local, and is stored nowhere", async () => {
    declare();
    const configure = jest.spyOn(stack.provider as Provider, "configure");
    const plan = await stack.plan("normal", given(SECRET));
    expect(plan.diagnostics).toEqual([]);
    expect(configure.mock.calls[0]![0]).toEqual({ region: SECRET });
    expect(actions(plan)).toEqual({ "memory_thing.a": "create" });
    expect(plan.basis.variables).toEqual({});
    expect(JSON.stringify(planJson(plan, () => undefined))).not.toContain(SECRET);
    expect(await planText(stack.context(given(SECRET)), plan)).not.toContain(SECRET);
    await stack.apply("normal", given(SECRET));
    expect(readFileSync(stack.stateFile, "utf8")).not.toContain(SECRET);
  });

  test.each([
    [
      "an attribute",
      { resource: { memory_thing: { a: thing("x-${var.token}") } } },
      "memory_thing.a",
      ["name"],
    ],
    [
      "a part of an attribute",
      { resource: { memory_thing: { a: thing("a", { tags: ["x", "${upper(var.token)}"] }) } } },
      "memory_thing.a",
      ["tags"],
    ],
    [
      "a data source",
      { data: { memory_lookup: { a: { name: "${var.token}" } } } },
      "data.memory_lookup.a",
      ["name"],
    ],
    ["an output", { output: { o: { value: { a: ["${var.token}"] } } } }, "output.o", ["value"]],
    [
      "a sensitive output",
      { output: { o: { sensitive: true, value: "${length(local.all) > 0 ? var.token : 1}" } } },
      "output.o",
      ["value"],
    ],
    [
      "the input of terraform_data",
      { resource: { terraform_data: { a: { input: { deep: "${var.token}" } } } } },
      "terraform_data.a",
      ["input"],
    ],
  ])("an ephemeral variable is refused in %s", async (_what, more, address, attribute) => {
    declare(more);
    const expected = [{ code: "ephemeral_value", address, attribute: expect.arrayContaining(attribute) }];
    expect((await stack.plan("normal", given(SECRET))).diagnostics).toMatchObject(expected);
    expect(stack.validate()).toMatchObject(expected);
  });

  test.each([
    ["count", { count: "${length(var.token)}" }],
    ["for_each", { for_each: "${toset([var.token])}" }],
  ])("an ephemeral variable is refused in %s", async (argument, repetition) => {
    declare({ resource: { memory_thing: { a: { ...thing("a"), ...repetition } } } });
    const { diagnostics } = await stack.plan("normal", given(SECRET));
    expect(diagnostics).toMatchObject([{ code: "invalid_repetition", attribute: [argument] }]);
    expect(diagnostics[0]!.detail).toContain("it is ephemeral");
  });

  test("an ephemeral variable is refused in the id of an import, and in the message of a condition", async () => {
    declare({ import: { to: "memory_thing.a", id: "${var.token}" } });
    const { diagnostics } = await stack.plan("normal", given("a"));
    expect(diagnostics).toMatchObject([{ code: "import_block_invalid" }]);
    declare({}, { validation: { condition: '${var.token != "bad"}', error_message: "not ${var.token}" } });
    expect((await stack.plan("normal", given("good"))).diagnostics).toEqual([]);
    expect((await stack.plan("normal", given("bad"))).diagnostics).toMatchObject([
      { code: "condition_failed" },
      { code: "invalid_condition", detail: expect.stringContaining("ephemeral") },
    ]);
  });

  test("an ephemeral variable is null under ephemeralasnull, and the rest of an object keeps its values", async () => {
    declare({ output: { o: { value: "${ephemeralasnull(local.all)}" }, n: { value: "${local.all.name}" } } });
    const { outputs, diagnostics } = await stack.plan("normal", given(SECRET));
    expect(diagnostics).toEqual([]);
    expect(outputs.map(({ after }) => after)).toEqual(["a", { name: "a", token: null }]);
  });

  test("an ephemeral variable has to be given again for a saved plan, with any value", async () => {
    declare();
    const planned = stack.context(given(SECRET));
    const saved = planIn(await planText(planned, await stack.plan("normal", given(SECRET))));
    expect(saved.ephemeral).toEqual(["token"]);
    expect(checkEphemeralVariables(saved, stack.context())).toMatchObject([
      { code: "saved_plan_variable", address: "var.token", detail: expect.stringContaining("TF_VAR_token") },
    ]);
    const other = stack.context(given("rotated"));
    expect(checkEphemeralVariables(saved, other)).toEqual([]);
    const { refused, result } = await applySaved(saved, other, new LocalBackend(stack.stateFile));
    expect([refused, result!.diagnostics]).toEqual([[], []]);
  });

  test("an ephemeral variable that had no value for a saved plan must not get one", async () => {
    declare({}, { default: null });
    const saved = planIn(await planText(stack.context(), await stack.plan()));
    expect(checkEphemeralVariables(saved, stack.context())).toEqual([]);
    expect(checkEphemeralVariables(saved, stack.context(given("x")))).toMatchObject([
      { code: "saved_plan_variable" },
    ]);
  });

  test("an ephemeral variable does not appear in messages", async () => {
    declare({ output: { o: { value: "${tonumber(var.token)}" } } });
    const { diagnostics } = await stack.plan("normal", { ...given(SECRET), sensitive: new SensitiveTexts() });
    expect(diagnostics).toHaveLength(1);
    expect(JSON.stringify(diagnostics)).not.toContain(SECRET);
  });

  test("as an output of the root module is an error, as under Terraform", () => {
    expect(() => {
      declare({ output: { o: { value: 1, ephemeral: true } } });
      stack.context();
    }).toThrow(/output\.o: an output of the root module can't be ephemeral/);
  });
});
