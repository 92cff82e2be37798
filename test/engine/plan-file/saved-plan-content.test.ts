import { DiagnosticError, error, SetElement } from "../../../src/diagnostics";
import { parsePlanFile, planJson } from "../../../src/engine";
import { checkConfiguration, checkState, checkVariables } from "../../../src/engine/plan-file/basis";
import type { RunContext } from "../../../src/engine/stack-run/context";
import { planIn, VERSION } from "../support/saved-plan";
import { SavedStack } from "../support/saved-stack";
import { thing } from "../support/stack";

// The tests check the content of a saved plan's file, and its comparison with the state, the configuration and the variables.

const SECRET = "hunter2-is-no-password";

let stack: SavedStack;
afterEach(() => stack.remove());

const SECOND = {
  resource: { memory_thing: { a: thing("a", { size: 2 }), b: thing("renamed"), c: thing("c") } },
  output: { serial: { value: "${memory_thing.c.serial}" } },
};
describe("the content of a plan file", () => {
  test("a plan with a diagnostic about an element of a set can be saved", async () => {
    stack = new SavedStack({});
    const told = error({
      code: "reference_not_found",
      summary: "No such user",
      detail: "…",
      attribute: ["levels", new SetElement(() => 'user "ada"'), "user"],
    });
    const { text } = await stack.save(stack.context(), "normal", { diagnostics: [told] });
    expect(stack.recordOf(text).diagnostics[0]!.attribute!.join(".")).toBe('levels.user "ada".user');
  });

  test("if a value is nested too deeply for a plan file, saving the plan fails", async () => {
    const deep = JSON.parse(`${"[".repeat(300)}${"]".repeat(300)}`) as unknown;
    stack = new SavedStack({ variable: { deep: {} }, output: { deep: { value: "${var.deep}" } } });
    const variables = { deep: { from: "json", json: deep, origin: "a file" } } as const;
    await expect(stack.save(stack.context({ variables }))).rejects.toMatchObject({
      diagnostics: [{ code: "saved_plan_not_written", detail: expect.stringContaining("nested levels") }],
    });
  });

  test("values that look like the plan file's marks for unknown or sensitive values are restored unchanged", async () => {
    const odd = { $unknown: true, $sensitive: 1, $$: [{ $unknown: true }], nested: { $sensitive: 2 } };
    stack = new SavedStack({ variable: { odd: { default: odd } }, output: { odd: { value: "${var.odd}" } } });
    expect((await stack.applyFile(await stack.save())).refused).toEqual([]);
    const json = JSON.parse('{"__proto__":{"app":"x"},"$x":1}') as unknown;
    const variables = { odd: { from: "json", json, origin: "a file" } } as const;
    expect((await stack.applyFile(await stack.save(stack.context({ variables })))).refused).toEqual([]);
    expect((await stack.state())!.outputs["odd"]!.value).toEqual(json);
  });

  test("the error for a refused plan file contains the cause, such as another version or a Terraform plan", async () => {
    stack = new SavedStack(SECOND);
    const { text } = await stack.save();
    const inFormat = (format: number) => text.replace('"steward_plan":3', `"steward_plan":${format}`);
    for (const [file, version, words] of [
      [text, "9.9.9", "by Steward 1.2.3, but this is Steward 9.9.9"],
      [inFormat(4), VERSION, "in format 4"],
      [inFormat(2), VERSION, "in format 2"],
      ["PK\u0003\u0004rest", VERSION, "a plan of Terraform"],
    ] as const)
      expect(() => parsePlanFile(Buffer.from(file), "f", version)).toThrow(words);
    for (const file of ["{}", ""])
      expect(() => parsePlanFile(Buffer.from(file), "f", VERSION)).toThrow(DiagnosticError);
  });

  test("a saved plan is stale if the content of the state changed and the serial did not", async () => {
    stack = new SavedStack(SECOND);
    await stack.apply();
    const saved = planIn((await stack.save()).text);
    const state = (await stack.state())!;
    expect(checkState(saved, { ...state, outputs: {} }, "here")).toMatchObject([
      {
        detail: `The content of serial ${state.serial} in here changed after the plan was saved. Nothing was sent. Plan again.`,
      },
    ]);
    const required_providers = { memory: { source: stack.provider.schema.source } };
    const backend = { local: { path: "/elsewhere/x.tfstate" } };
    stack.declare({ ...SECOND, terraform: { backend, required_providers } });
    expect(checkConfiguration(saved, stack.context())).toEqual([]);
  });
});

const SENSITIVE = {
  variable: { secret: { type: "string", sensitive: true } },
  resource: {
    memory_thing: {
      // The id of a thing is its name, so it contains the secret too.
      named: thing("${var.secret}", { tags: ["${var.secret}-tag"] }),
      kept: thing("kept", { secret: "${var.secret}" }),
    },
  },
  output: { secret: { value: "${var.secret}", sensitive: true } },
};
const given = (text: string): Partial<RunContext> => ({
  variables: { secret: { from: "text", text, origin: "TF_VAR_secret" } },
});

describe("secrets and a saved plan", () => {
  test("a plan file contains no sensitive value and nothing derived from one", async () => {
    stack = new SavedStack(SENSITIVE);
    const context = stack.context(given(SECRET));
    const texts = [(await stack.save(context)).text];
    await stack.applyFile({ text: texts[0]! }, context);
    texts.push((await stack.save(context)).text);
    stack.provider.things.get("kept")!["secret"] = "changed-by-hand";
    texts.push((await stack.save(context)).text, (await stack.save(context, "destroy")).text);
    for (const text of texts) {
      for (const spelling of ["utf8", "base64", "hex"] as const)
        expect(text).not.toContain(Buffer.from(SECRET).toString(spelling));
      expect(text).not.toContain("changed-by-hand");
      expect(JSON.stringify(planJson(stack.recordOf(text), stack.schemaOf))).not.toContain(SECRET);
    }
  });

  test("apply takes the sensitive values, which the plan file omits, from the state and the service", async () => {
    stack = new SavedStack(SENSITIVE);
    await stack.apply("normal", given(SECRET));
    const { memory_thing } = SENSITIVE.resource;
    stack.declare({ ...SENSITIVE, resource: { memory_thing: { kept: { ...memory_thing.kept, size: 5 } } } });
    stack.provider.things.get("kept")!["secret"] = "changed-by-hand";
    const context = stack.context(given(SECRET));
    expect((await stack.applyFile(await stack.save(context), context)).done).toMatchObject({
      change: 1,
      remove: 1,
    });
    expect([...stack.provider.things.values()]).toMatchObject([{ name: "kept", secret: SECRET, size: 5 }]);
  });

  test("if a sensitive variable differs or is missing at the apply, the error names the variable", async () => {
    stack = new SavedStack(SENSITIVE);
    const saved = planIn((await stack.save(stack.context(given(SECRET)))).text);
    const [missing] = checkVariables(saved, stack.context());
    expect(missing).toMatchObject({ code: "saved_plan_variable", address: "var.secret" });
    expect(missing!.detail).toContain("TF_VAR_secret");
    const [wrong] = checkVariables(saved, stack.context(given("another one")));
    expect(wrong!.detail).toContain("different from the value in the plan");
    expect(wrong!.detail).not.toContain("another one");
  });
});
