import { UNKNOWN } from "../../../src/schema";
import { actions, Stack } from "../support/stack";

describe("terraform_data", () => {
  let stack: Stack;
  beforeEach(() => {
    stack = new Stack({});
  });
  afterEach(() => stack.remove());

  const data = (declared: Record<string, object>, more: object = {}) =>
    stack.declare({ resource: { terraform_data: declared }, ...more });
  const attributes = async () => (await stack.state())!.resources[0]!.instances[0]!.attributes;

  test("stores a value of any type, with its type in the state", async () => {
    data(
      { a: { input: '${toset(["b", "a"])}' } },
      { output: { o: { value: "${terraform_data.a.output}" } } },
    );
    const [change] = (await stack.plan()).changes;
    expect(change).toMatchObject({
      action: "create",
      after: { input: { value: ["a", "b"], type: ["set", "string"] }, output: UNKNOWN, id: UNKNOWN },
    });
    const { state, diagnostics } = await stack.apply();
    expect(diagnostics).toEqual([]);
    const { id, input, output, triggers_replace } = await attributes();
    expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(input).toEqual({ value: ["a", "b"], type: ["set", "string"] });
    expect(output).toEqual(input);
    expect(triggers_replace).toBeNull();
    expect(state.outputs["o"]).toMatchObject({ value: ["a", "b"], type: ["set", "string"] });
    expect((await stack.plan()).hasChanges).toBe(false);
  });

  test("terraform_data has no output and nothing unknown without an input", async () => {
    data({ a: {} });
    expect((await stack.plan()).changes[0]!.after).toMatchObject({ input: null, output: null });
  });

  test("terraform_data is updated in place when its input changes, and replaced when its trigger changes", async () => {
    data({ a: { input: 1, triggers_replace: ["x"] } });
    await stack.apply();
    const { id } = await attributes();
    data({ a: { input: 2, triggers_replace: ["x"] } });
    await stack.apply();
    expect(await attributes()).toMatchObject({ id, output: { value: 2, type: "number" } });
    data({ a: { input: 2, triggers_replace: ["y"] } });
    const [change] = (await stack.plan()).changes;
    expect(change).toMatchObject({ action: "delete-then-create", replacePaths: [["triggers_replace"]] });
    await stack.apply();
    expect((await attributes())["id"]).not.toBe(id);
  });

  test("distinguishes the same text of different types", async () => {
    data({ a: { input: 1 } });
    await stack.apply();
    data({ a: { input: "1" } });
    expect(actions(await stack.plan())).toEqual({ "terraform_data.a": "update" });
  });

  test("hides sensitive values", async () => {
    data({ a: { input: '${sensitive("hush")}' } });
    const [change] = (await stack.plan()).changes;
    expect(change!.afterSensitive).toEqual([["input"]]);
  });
});
