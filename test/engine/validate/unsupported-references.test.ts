import { Stack, thing } from "../support/stack";

describe("references and functions that only Terraform or OpenTofu supports", () => {
  let stack: Stack;
  beforeEach(() => {
    stack = new Stack({});
  });
  afterEach(() => stack.remove());
  const validate = (name: string) => {
    stack.declare({ resource: { memory_thing: { a: thing(name) } } });
    return stack.validate();
  };

  test.each([
    ["${module.network.name}", "A reference to module.network", "terraform plan"],
    ["${ephemeral.memory_secret.x}", "A reference to ephemeral.memory_secret", "terraform plan"],
    ["${action.memory_restart.x}", "A reference to action.memory_restart", "terraform plan"],
    ["${list.memory_thing.x}", "A reference to list.memory_thing", "terraform query"],
    ["${terraform.applying}", "A reference to terraform.applying", "terraform plan"],
    ["${tofu.workspace}", "A reference to tofu.workspace", "tofu plan"],
    ["${templatestring(local.a, {})}", 'The function "templatestring"', "terraform plan"],
    ['${convert("1", number)}', 'The function "convert"', "terraform plan"],
    ['${file("a")}', 'The function "file", which reads files,', "terraform plan"],
    ["${timestamp()}", 'The function "timestamp"', "terraform plan"],
    ['${urldecode("a")}', 'The function "urldecode"', "tofu plan"],
    [
      "${provider::terraform::encode_expr(1)}",
      'The function "provider::terraform::encode_expr"',
      "terraform plan",
    ],
  ])("the error for %s names the program that supports the expression", (expression, what, program) => {
    const found = validate(expression).filter(({ detail }) => detail.startsWith(what));
    expect(found).toMatchObject([
      {
        address: "memory_thing.a",
        attribute: ["name"],
        detail: expect.stringContaining(
          `is not supported by the embedded engine. Run ${program.startsWith("tofu") ? "OpenTofu" : "Terraform"} on this configuration.`,
        ),
        action: { kind: "other", program },
      },
    ]);
  });

  test("resource.TYPE.NAME has the same meaning as TYPE.NAME", () => {
    stack.declare({
      resource: { memory_thing: { a: thing("a"), b: thing("${resource.memory_thing.a.name}") } },
    });
    expect(stack.validate()).toEqual([]);
  });
});
