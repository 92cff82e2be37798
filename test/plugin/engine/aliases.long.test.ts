import { describeWith } from "../../support/capabilities";
import { Company } from "../support/company";

jest.setTimeout(120_000);

const ALIASES = `variable "readonly_token" {
  type      = string
  sensitive = true
}
provider "steward" {}
provider "steward" {
  alias = "audit"
  token = var.readonly_token
}
data "steward_current_user" "owner" {}
data "steward_current_user" "audit" {
  provider = steward.audit
}
resource "steward_job_token_scope" "this" {
  project = "acme/web-shop"
}
resource "steward_job_token_scope" "audit" {
  provider = steward.audit
  project  = "acme/docs"
}
output "users" {
  value = [data.steward_current_user.owner.username, data.steward_current_user.audit.username]
}
`;

describeWith("engine", "provider aliases and modules", (engine) => {
  let company: Company;
  beforeAll(async () => {
    company = await Company.start(engine);
  });
  afterAll(() => company.end());

  test("each alias has its own client", async () => {
    const workspace = company.workspace({ TF_VAR_readonly_token: "quickstart-readonly-token" });
    workspace.write("main.tf", ALIASES);
    await workspace.succeed("init");
    await workspace.apply();
    const { stdout } = await workspace.succeed("output", "-json", "users");
    expect(JSON.parse(stdout)).toEqual(["oskar", "audit-bot"]);
    expect((await workspace.plan()).changes).toBe(false);
  });

  test("a provider without configuration names what is missing, and where to set it", async () => {
    const workspace = company.workspace({ STEWARD_TOKEN: "" });
    workspace.write("main.tf", 'data "steward_current_user" "this" {}\n');
    await workspace.succeed("init");
    const { code, output } = await workspace.run(["plan"]);
    expect(code).toBe(1);
    expect(output).toContain("STEWARD_TOKEN");
  });

  test("terraform test runs its own plans and applies, and cleans up", async () => {
    const workspace = company.workspace();
    workspace.write(
      "main.tf",
      'variable "enabled" {\n  type = bool\n}\nresource "steward_job_token_scope" "this" {\n  project = "acme/deploy-tools"\n  inbound_enabled = var.enabled\n}\n',
    );
    workspace.write(
      "scope.tftest.hcl",
      `run "off" {
  variables {
    enabled = false
  }
  assert {
    condition     = steward_job_token_scope.this.inbound_enabled == false
    error_message = "It should be off."
  }
}
run "on" {
  command = plan
  variables {
    enabled = true
  }
  assert {
    condition     = steward_job_token_scope.this.id == "2"
    error_message = "It should stay the same object."
  }
}
`,
    );
    await workspace.succeed("init");
    const { stdout } = await workspace.succeed("test");
    expect(stdout).toContain("2 passed, 0 failed");
  });
});
