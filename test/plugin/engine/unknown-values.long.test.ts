import { describeWith } from "../../support/capabilities";
import { useCompany } from "../support/company";

jest.setTimeout(120_000);

/**
 * A builtin resource whose output is known only after the apply. Every value that must be unknown during the plan
 * depends on this output.
 */
const LATER = `resource "terraform_data" "later" {
  input = {
    project = "acme/web-shop"
    target  = "acme/deploy-tools"
    targets = ["acme/test-runner", "acme/deploy-tools"]
    user    = "devon"
    name    = "production"
    enabled = true
    level   = 40
    levels  = [{ access_level = 40 }]
  }
}
locals {
  later = terraform_data.later.output
}
`;

/** The declarations that use the unknown values. No two resources own the same list. */
const PLACES = `
# The project.
resource "steward_job_token_scope" "this" {
  project         = local.later.project
  inbound_enabled = local.later.enabled
}
# A whole set.
resource "steward_job_token_allowlist" "whole" {
  project         = "acme/docs"
  target_projects = local.later.targets
}
# An element of a set.
resource "steward_job_token_allowlist" "element" {
  project         = "acme/web-shop"
  target_projects = ["acme/test-runner", local.later.target]
  target_groups   = ["acme/\${local.later.name == "production" ? "platform" : "release-managers"}"]
}
# A refined unknown, of which a prefix is known.
resource "steward_job_token_allowlist_project" "this" {
  project        = "acme/deploy-tools"
  target_project = "acme/\${local.later.name == "production" ? "test-runner" : ""}"
}
# Attributes of nested elements.
resource "steward_protected_environment" "elements" {
  project              = "acme/web-shop"
  name                 = local.later.name
  deploy_access_levels = [{ user = local.later.user }, { access_level = local.later.level }]
  approval_rules       = [{ access_level = 40, required_approvals = local.later.enabled ? 2 : 1 }]
}
# A whole nested set.
resource "steward_protected_environment" "whole" {
  project              = "acme/docs"
  name                 = "production"
  deploy_access_levels = local.later.levels
}
# The argument of a data source.
data "steward_project" "this" {
  project = local.later.target
}
resource "steward_job_token_scope" "read" {
  project = data.steward_project.this.id
}
`;

const OF_PROVIDER = 'auth_scheme = local.later.enabled ? "private-token" : "bearer"';
const ENVIRONMENT = `resource "steward_protected_environment" "this" {
  project              = "acme/web-shop"
  name                 = "production"
  deploy_access_levels = [{ user = "devon" }, { access_level = 40 }]
}
`;

describeWith("engine", "values that are known after apply only", (engine) => {
  const company = useCompany(engine);

  test("any argument of resources and data sources accepts a value that is known only after apply", async () => {
    const workspace = await company().reattached();
    workspace.write("main.tf", LATER + PLACES);
    await workspace.succeed("validate");
    await workspace.apply();
    // The second apply is needed, because the create keeps undeclared entries of a list, and only the next plan removes them.
    await workspace.apply();
    expect((await workspace.plan()).changes).toBe(false);
    // The replacement makes all these values unknown again, but does not change them.
    await workspace.apply("-replace=terraform_data.later");
    expect((await workspace.plan()).changes).toBe(false);
    await workspace.succeed("destroy", "-auto-approve");
  });

  test("if a provider setting is unknown until apply, Terraform plans new objects, but fails for existing objects", async () => {
    const workspace = await company().reattached(OF_PROVIDER);
    workspace.write("main.tf", LATER + ENVIRONMENT);
    await workspace.succeed("validate");
    await workspace.apply();
    expect((await workspace.plan()).changes).toBe(false);
    const { code, output } = await workspace.run(["plan", "-replace=terraform_data.later"]);
    expect(code).toBe(1);
    expect(output).toContain("Provider configuration not known yet");
    expect(output).toContain("--target");
    await workspace.succeed("destroy", "-auto-approve");
  });
});
