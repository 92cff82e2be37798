import { describeWith } from "../../support/capabilities";
import { useCompany } from "../support/company";

jest.setTimeout(120_000);

const MODULE = `variable "level" {
  type    = number
  default = 40
}
resource "steward_protected_environment" "this" {
  project              = "acme/web-shop"
  name                 = "production"
  deploy_access_levels = [{ access_level = var.level }]
}
data "steward_project" "this" {
  project = steward_protected_environment.this.project
}
`;

/**
 * A test file of Terraform. Its `run` blocks plan, apply and check, and one of these blocks must fail. At the end,
 * Terraform destroys the objects.
 */
const RUNS = `run "planned" {
  command = plan
  assert {
    condition     = steward_protected_environment.this.name == "production"
    error_message = "The name is planned."
  }
}
run "made" {
  assert {
    condition     = steward_protected_environment.this.id == "\${data.steward_project.this.id}:production"
    error_message = "The id begins with the project's."
  }
}
run "changed" {
  variables {
    level = 30
  }
  assert {
    condition     = [for each in steward_protected_environment.this.deploy_access_levels : each.access_level] == [30]
    error_message = "The level is 30 now."
  }
}
run "refused" {
  command = plan
  variables {
    level = 35
  }
}
`;

describeWith("engine", "the engine's own test command", (engine) => {
  const company = useCompany(engine);

  test("terraform test plans, applies and destroys a module, and prints the failed `run` block", async () => {
    const workspace = await company().reattached();
    workspace.write("main.tf", MODULE);
    workspace.write("tests/environment.tftest.hcl", RUNS);
    const { code, output } = await workspace.run(["test"]);
    expect(code).toBe(1);
    for (const name of ["planned", "made", "changed"]) expect(output).toContain(`run "${name}"... pass`);
    expect(output).toContain('run "refused"... fail');
    expect(output).toContain("35");
    expect(output).toContain("3 passed, 1 failed");
    expect(await company().http("GET", "/projects/acme%2Fweb-shop/protected_environments")).toEqual([]);
  });
});
