import { App, Fn, TerraformLocal, TerraformOutput, TerraformStack, Token } from "cdktf";
import { AccessLevel, ProtectedEnvironment, StewardProvider } from "cdktf-provider-steward";
import { createProvider } from "../../../src/provider";
import { schemaJson } from "../../../src/schema";
import { describeFeature } from "../../support/compatibility";
import { useCompany } from "../support/company";

jest.setTimeout(240_000);

describeFeature("functions", ["terraform-1.11", "terraform-1.16", "opentofu-1.12"], (program) => {
  const company = useCompany(program);

  const outputs = async (hcl: Readonly<Record<string, string>>) => {
    const workspace = await company().reattached();
    const written = Object.entries(hcl).map(([name, value]) => `output "${name}" {\n  value = ${value}\n}\n`);
    workspace.write("main.tf", written.join(""));
    const planned = await workspace.run(["apply", "-auto-approve"]);
    const { stdout } = planned.code === 0 ? await workspace.succeed("output", "-json") : { stdout: "{}" };
    const values = JSON.parse(stdout) as Record<string, { value: unknown }>;
    return {
      ...planned,
      values: Object.fromEntries(Object.entries(values).map(([name, { value }]) => [name, value])),
    };
  };

  test("the provider's functions convert a text to a number, and a number to a text", async () => {
    const { values } = await outputs({
      level: 'provider::steward::access_level("Maintainer")',
      name: 'provider::steward::access_level_name("40")',
      id: 'provider::steward::parse_id("42:eu:west")',
      whole: "provider::steward::parse_id(42)",
    });
    expect(values).toEqual({
      level: 40,
      name: "maintainer",
      id: { container_id: "42", key: "eu:west" },
      whole: { container_id: "42", key: null },
    });
  });

  test("parse_id accepts an id that is unknown until apply", async () => {
    const workspace = await company().reattached();
    workspace.write(
      "main.tf",
      `resource "steward_job_token_scope" "this" {
  project = "acme/web-shop"
}
resource "steward_job_token_allowlist" "this" {
  project         = provider::steward::parse_id(steward_job_token_scope.this.id).container_id
  target_projects = []
}
output "project" {
  value = steward_job_token_allowlist.this.project
}
`,
    );
    await workspace.apply();
    // The second apply is needed, because the create keeps undeclared entries of the list, and only the next plan removes
    // them.
    await workspace.apply();
    const { stdout } = await workspace.succeed("output", "-raw", "project");
    expect(stdout).toMatch(/^[0-9]+$/);
    expect((await workspace.plan()).changes).toBe(false);
    await workspace.succeed("destroy", "-auto-approve");
  });

  test("a cdktf app can call the provider's functions in strings and tokens", async () => {
    const app = new App({ outdir: "/nowhere" });
    const stack = new TerraformStack(app, "functions");
    new StewardProvider(stack, "steward");
    new ProtectedEnvironment(stack, "production", {
      project: "acme/web-shop",
      name: "production",
      deployAccessLevels: [
        {
          accessLevel: AccessLevel.fromToken(
            Token.asNumber('${provider::steward::access_level("maintainer")}'),
          ),
        },
      ],
    });
    // The expression is in a local value, because `Fn` refuses a string with quotes as an argument.
    const parts = new TerraformLocal(stack, "parts", '${provider::steward::parse_id("42:production")}');
    new TerraformOutput(stack, "key", { value: Fn.upper(Fn.lookup(parts.expression, "key", "")) });
    const workspace = await company().reattached();
    workspace.delete("versions.tf");
    const synthesized = JSON.parse(JSON.stringify(stack.toTerraform())) as Record<string, unknown>;
    // The workspace already configures the provider in HCL.
    delete synthesized["provider"];
    workspace.write("cdk.tf.json", JSON.stringify(synthesized));
    await workspace.apply();
    expect(JSON.parse((await workspace.succeed("output", "-json")).stdout)).toMatchObject({
      key: { value: "PRODUCTION" },
    });
    const [environment] = Object.values(await workspace.state());
    expect(environment).toMatchObject({ deploy_access_levels: [{ access_level: 40 }] });
    await workspace.succeed("destroy", "-auto-approve");
  });

  test("`terraform providers schema` and `steward schema` list the same function signatures", async () => {
    const workspace = await company().reattached();
    const { stdout } = await workspace.succeed("providers", "schema", "-json");
    const [schema] = Object.values(
      (JSON.parse(stdout) as { provider_schemas: Record<string, { functions: unknown }> }).provider_schemas,
    );
    const own = Object.values(schemaJson(createProvider().schema).provider_schemas)[0]!;
    expect(schema!.functions).toEqual(own.functions);
  });
});
