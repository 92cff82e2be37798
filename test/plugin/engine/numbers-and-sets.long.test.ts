import { describeWith } from "../../support/capabilities";
import { Company } from "../support/company";

jest.setTimeout(120_000);

describeWith("engine", "big numbers, sets in any order, diagnostics in their place", (engine) => {
  let company: Company;
  beforeAll(async () => {
    company = await Company.start(engine);
  });
  afterAll(() => company.end());

  async function prepared(hcl: string, settings?: string) {
    const workspace = await company.reattached(settings);
    workspace.write("main.tf", hcl);
    return workspace;
  }
  const environment = (
    rules: string,
    levels = "[{ access_level = 40 }]",
  ) => `resource "steward_protected_environment" "this" {
  project              = "acme/web-shop"
  name                 = "production"
  deploy_access_levels = ${levels}
  approval_rules       = ${rules}
}
`;

  test("a number that can't be represented is refused, with its digits", async () => {
    const workspace = await prepared(
      environment("[{ access_level = 40, required_approvals = 9007199254740993 }]"),
    );
    const { code, output } = await workspace.run(["validate"]);
    expect(code).toBe(1);
    expect(output).toContain("9007199254740993 has more");
  });

  test("fractions and large numbers reach the provider's own check", async () => {
    for (const [level, shown] of [
      ["40.5", "40.5"],
      ["1e30", "1e+30"],
    ]) {
      const workspace = await prepared(environment(`[{ access_level = ${level} }]`));
      expect((await workspace.run(["validate"])).output).toContain(`${shown} is not one of`);
    }
  });

  test("a number with a fraction in the provider's configuration is taken as it stands", async () => {
    const workspace = await prepared('data "steward_current_user" "this" {}\n', "request_timeout = 7.25");
    await workspace.plan();
  });

  test("the order of a set is no change", async () => {
    const [one, other] = ['{ user = "devon" }', "{ access_level = 40 }"];
    const workspace = await prepared(environment("[]", `[${one}, ${other}]`));
    await workspace.apply();
    workspace.write("main.tf", environment("[]", `[${other}, ${one}]`));
    expect((await workspace.plan()).changes).toBe(false);
    await workspace.succeed("destroy", "-auto-approve");
  });

  test("the same object by id or by path is no change", async () => {
    const allowlist = (targets: string) =>
      `resource "steward_job_token_allowlist" "this" {\n  project = "acme/docs"\n  target_projects = ${targets}\n}\n`;
    const workspace = await prepared(allowlist('["acme/deploy-tools", "acme/test-runner"]'));
    await workspace.apply();
    workspace.write("main.tf", allowlist('["3", "acme/deploy-tools"]'));
    expect((await workspace.plan()).changes).toBe(false);
    await workspace.succeed("destroy", "-auto-approve");
  });

  test("a provider without configuration names what is missing, and where to set it", async () => {
    const workspace = await prepared('data "steward_current_user" "this" {}\n');
    workspace.write("provider.tf", `provider "steward" {\n  base_url = "${company.service.url}"\n}\n`);
    const { code, output } = await workspace.run(["plan"]);
    expect(code).toBe(1);
    expect(output).toContain("STEWARD_TOKEN");
  });

  test("an error is shown at its line, also within an element of a set", async () => {
    const workspace = await prepared(environment('[{ user = "devon", access_level = 40 }]'));
    const { code, output } = await workspace.run(["validate"]);
    expect(code).toBe(1);
    expect(output).toMatch(/on main\.tf line 5, in resource "steward_protected_environment" "this"/);
    expect(output).toContain('approval_rules[user "devon", access_level 40]');
  });

  test("a refusal by the service is shown at the resource, and nothing is in the state", async () => {
    const workspace = await prepared(
      'resource "steward_job_token_scope" "this" {\n  project = "acme/nothing-here"\n}\n',
    );
    const { code, output } = await workspace.run(["apply", "-auto-approve"]);
    expect(code).toBe(1);
    expect(output).toContain("with steward_job_token_scope.this");
    expect(await workspace.state()).toEqual({});
  });
});
