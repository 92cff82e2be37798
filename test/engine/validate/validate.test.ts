import { SOURCE } from "../support/memory-provider";
import { Stack, thing } from "../support/stack";

describe("validating a configuration", () => {
  let stack: Stack;
  beforeEach(() => {
    stack = new Stack({});
  });
  afterEach(() => stack.remove());

  const problems = async (configuration: object) => {
    stack.declare(configuration);
    return (await stack.validate()).map(({ code, address, attribute }) => [
      code,
      address,
      attribute?.join("."),
    ]);
  };
  const things = (declared: Record<string, object>) => ({ resource: { memory_thing: declared } });

  test.each([
    [">= 1.0, < 2.0", []],
    ["~> 1.2.0", []],
    [undefined, []],
    ["= 1.2.4", ["provider_version_unmet"]],
    ["< 1", ["provider_version_unmet"]],
  ])("compares the version constraint %j with the provider's version", async (version, codes) => {
    Object.assign(stack.provider, { version: "1.2.3" });
    const required_providers = { memory: { source: SOURCE, ...(version !== undefined && { version }) } };
    stack.declare({ terraform: { required_providers }, ...things({ a: thing("a") }) });
    const found = await stack.validate();
    expect(found.map(({ code }) => code)).toEqual(codes);
    for (const { detail } of found)
      expect(detail).toMatch(/required_providers asks for .*"[=<].*version 1\.2\.3/);
  });

  test("accepts a valid configuration without a request", async () => {
    const right = {
      ...things({ a: thing("a"), b: thing("${memory_thing.a.id}", { size: "${var.n + 1}" }) }),
      variable: { n: {} },
    };
    expect(await problems(right)).toEqual([]);
    expect(stack.provider.asked).toEqual([]);
  });

  test.each([
    [
      "an unknown attribute",
      things({ a: thing("a", { sise: 1 }) }),
      ["unknown_attribute", "memory_thing.a", "sise"],
    ],
    ["a wrong type", things({ a: thing("a", { size: "large" }) }), ["wrong_type", "memory_thing.a", "size"]],
    ["a required attribute left out", things({ a: {} }), ["missing_attribute", "memory_thing.a", "name"]],
    [
      "a computed attribute set",
      things({ a: thing("a", { serial: 1 }) }),
      ["read_only_attribute", "memory_thing.a", "serial"],
    ],
    [
      "an undeclared reference",
      things({ a: thing("${memory_thing.none.id}") }),
      ["undeclared_reference", "memory_thing.a", "name"],
    ],
    [
      "an attribute that the object does not have",
      things({ a: thing("a"), b: thing("${memory_thing.a.nam}") }),
      ["invalid_expression", "memory_thing.b", "name"],
    ],
    [
      "an unknown resource",
      { resource: { memory_thin: { a: {} } } },
      ["unknown_type", "memory_thin.a", undefined],
    ],
    [
      "an unknown provider",
      { resource: { other_thing: { a: {} } } },
      ["unknown_provider", "other_thing.a", undefined],
    ],
    [
      "a wrong value for the provider",
      { provider: { memory: { regoin: "x" } }, ...things({ a: thing("a") }) },
      ["unknown_attribute", "provider.memory", "regoin"],
    ],
  ])("%s", async (_what, configuration, expected) => {
    expect(await problems(configuration)).toEqual([expected]);
  });

  test("suggests the probable name", async () => {
    stack.declare(things({ a: thing("a", { sise: 1 }) }));
    expect((await stack.validate())[0]!.detail).toContain('Did you mean "size"?');
  });

  test("names a dependency cycle", async () => {
    stack.declare(things({ a: thing("${memory_thing.b.id}"), b: thing("${memory_thing.a.id}") }));
    const [circle, ...others] = await stack.validate();
    expect(circle).toMatchObject({ code: "dependency_cycle" });
    expect(circle!.detail).toMatch(/memory_thing.a -> memory_thing.b|memory_thing.b -> memory_thing.a/);
    expect(others).toEqual([]);
  });

  test("reports errors of all kinds together, each once", async () => {
    const found = await problems({
      resource: {
        memory_thing: {
          a: thing("${memory_thing.none.id}"),
          b: thing("${memory_thing.a.id}", { sise: 1 }),
          c: { size: true },
        },
        memory_thin: { d: thing("d") },
      },
      output: { o: { value: "${var.none}-${memory_thin.d.id}" } },
    });
    expect(found.map(([code, address]) => `${code} ${address}`).sort()).toEqual([
      "undeclared_reference memory_thing.a",
      "undeclared_reference output.o",
      "unknown_attribute memory_thing.b",
      "unknown_type memory_thin.d",
      "wrong_type memory_thing.c",
    ]);
  });

  test("an invalid configuration blocks the apply, and no request is sent", async () => {
    stack.declare(things({ a: thing("a"), b: thing("b", { sise: 1 }) }));
    const plan = await stack.plan();
    expect(plan.applicable).toBe(false);
    expect(plan.changes).toEqual([]);
    expect(stack.provider.asked).toEqual([]);
    expect((await stack.drift()).diagnostics).toHaveLength(1);
  });
});

describe("variables", () => {
  const stack = new Stack({
    variable: {
      size: { type: "number", default: 1 },
      tags: { type: "set(string)" },
      name: { nullable: false, default: "a" },
    },
    resource: { memory_thing: { a: { name: "${var.name}", size: "${var.size}", tags: "${var.tags}" } } },
  });
  afterAll(() => stack.remove());
  const planned = async (values: Record<string, string>) => {
    const variables = Object.fromEntries(
      Object.entries(values).map(([name, text]) => [name, { from: "text" as const, text, origin: "--var" }]),
    );
    return stack.plan("normal", { variables });
  };

  test("variables are taken literally, and parsed as expressions only for collections", async () => {
    const { changes } = await planned({ size: "2", tags: '["x", "y", "x"]', name: '"quoted"' });
    expect(changes[0]!.after).toMatchObject({ size: 2, tags: ["x", "y"], name: '"quoted"' });
  });

  test.each([
    ["without a default and a value", {}, "missing_variable"],
    ["of a wrong type", { tags: "[]", size: "many" }, "invalid_variable"],
    ["that is an expression where a number is due", { tags: "[]", size: "1 + 1" }, "invalid_variable"],
    ["that nobody declared", { tags: "[]", other: "x" }, "undeclared_variable"],
  ])("%s", async (_what, values, code) => {
    const { diagnostics, applicable } = await planned(values);
    expect(diagnostics.map((one) => one.code)).toEqual([code]);
    expect(applicable).toBe(false);
  });

  test("in a file that are not declared cause only a warning: the file may serve several configurations", async () => {
    const variables = {
      tags: { from: "json", json: [], origin: "x.tfvars" },
      other: { from: "json", json: 1, origin: "x.tfvars" },
    } as const;
    const { diagnostics, applicable } = await stack.plan("normal", { variables });
    expect(diagnostics).toMatchObject([{ severity: "warning", code: "undeclared_variable" }]);
    expect(applicable).toBe(true);
  });
});

test("an undeclared provider configuration is named", async () => {
  const stack = new Stack({
    provider: { memory: [{ alias: "eu" }] },
    resource: { memory_thing: { a: { name: "a", provider: "memory.us" } } },
  });
  expect(await stack.validate()).toMatchObject([
    {
      code: "unknown_provider",
      address: "memory_thing.a",
      detail: expect.stringContaining("memory.us") as string,
    },
  ]);
  stack.remove();
});
