import { readFileSync } from "node:fs";
import { planJson } from "../../../src/engine";
import { checkEphemeralVariables } from "../../../src/engine/plan-file/basis";
import type { VariableInput } from "../../../src/engine/stack-run/context";
import type { Provider } from "../../../src/framework";
import { LocalBackend } from "../../../src/state/backends/local-backend";
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

  test("no plan, plan file or state contains the value of an ephemeral variable that configures a provider", async () => {
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

  test("the apply of a saved plan requires a value for each ephemeral variable, and accepts a new value", async () => {
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

  test("the apply of a saved plan refuses a value for an ephemeral variable that had no value in the plan", async () => {
    declare({}, { default: null });
    const saved = planIn(await planText(stack.context(), await stack.plan()));
    expect(checkEphemeralVariables(saved, stack.context())).toEqual([]);
    expect(checkEphemeralVariables(saved, stack.context(given("x")))).toMatchObject([
      { code: "saved_plan_variable" },
    ]);
  });
});
