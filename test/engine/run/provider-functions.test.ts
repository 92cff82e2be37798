import { Stack, thing } from "../support/stack";

describe("functions of providers in expressions", () => {
  let stack: Stack;
  beforeEach(() => {
    stack = new Stack({});
  });
  afterEach(() => stack.remove());
  const outputs = async (expression: string, more: object = {}) => {
    stack.declare({ output: { o: { value: expression } }, ...more });
    return stack.plan();
  };
  const outputValue = async (expression: string, more: object = {}) => {
    const { outputs: found, diagnostics } = await outputs(expression, more);
    expect(diagnostics).toEqual([]);
    return found[0]!.after;
  };

  test("functions of providers have a value in outputs, locals, arguments and conditions", async () => {
    expect(await outputValue('${provider::memory::paint("red", 2)}')).toBe("red 2");
    expect(
      await outputValue("${local.a}", { locals: { a: '${provider::memory::paint("red", null)}' } }),
    ).toBe("red flat");
    stack.declare({
      variable: {
        v: {
          default: "blue",
          validation: { condition: '${provider::memory::paint(var.v, 1) == "blue 1"}', error_message: "no" },
        },
      },
      resource: { memory_thing: { a: { ...thing('${provider::memory::paint(var.v, "3")}'), count: 1 } } },
    });
    expect((await stack.plan()).changes[0]!.after).toMatchObject({ name: "blue 3" });
  });

  test("functions of providers are called by the local name of the provider", async () => {
    const terraform = { required_providers: { m: { source: "registry.steward.example/test/memory" } } };
    expect(await outputValue('${provider::m::paint("red", 2)}', { terraform })).toBe("red 2");
  });

  test("functions of providers are unknown for unknown arguments, and sensitive for sensitive ones", async () => {
    const resource = { memory_thing: { a: thing("a") } };
    stack.declare({
      resource,
      output: { o: { value: '${provider::memory::paint("red", memory_thing.a.serial)}' } },
    });
    expect((await stack.plan()).outputs[0]).toMatchObject({ action: "create", after: expect.anything() });
    const found = await outputs('${provider::memory::paint(sensitive("red"), 1)}');
    expect(found.diagnostics).toMatchObject([{ code: "sensitive_output" }]);
  });

  test.each([
    ["paint()", /takes 2 argument\(s\); "shade" is missing/],
    ['paint("a", 1, 2)', /takes 2 argument\(s\), not 3/],
    ["paint(null, 1)", /Invalid value for "shade": it must not be null\./],
    ['paint("a", "b")', /Invalid value for "depth": /],
    ['paint("none", 1)', /Invalid value for "shade": There is no such shade\. Shades are red and blue\.$/],
    ['paint(sensitive("none"), 1)', /Invalid value for "shade": the reason contains a sensitive value/],
    [
      'pant("a", 1)',
      /There is no function named "provider::memory::pant"\. Did you mean "provider::memory::paint"\?/,
    ],
    ["somethingelse()", /This provider has provider::memory::paint\./],
  ])("%s is an error that names the argument or the function", async (call, detail) => {
    const { diagnostics } = await outputs(`\${provider::memory::${call}}`);
    expect(diagnostics).toMatchObject([
      {
        code: "invalid_expression",
        address: "output.o",
        attribute: ["value"],
        detail: expect.stringMatching(detail),
      },
    ]);
  });

  test.each([
    ["another", /Declare the provider "another" in required_providers/],
    [
      "aws",
      /"provider::aws::f", which belongs to another provider, is not supported by the embedded engine\./,
    ],
  ])("functions of the provider %s are refused", async (provider, detail) => {
    const terraform = {
      required_providers: {
        memory: { source: "registry.steward.example/test/memory" },
        aws: { source: "hashicorp/aws" },
      },
    };
    const { diagnostics } = await outputs(`\${provider::${provider}::f(1)}`, { terraform });
    expect(diagnostics).toMatchObject([{ detail: expect.stringMatching(detail) }]);
  });
});
