import { describeWith } from "../../support/capabilities";
import { Company } from "../support/company";
import type { Workspace } from "../support/workspace";

jest.setTimeout(120_000);

/** A builtin resource whose output is known after apply only: it stands before whatever shall be unknown at plan. */
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

const PLACES: Readonly<Record<string, string>> = {
  "the project": `resource "steward_job_token_scope" "this" {
  project         = local.later.project
  inbound_enabled = local.later.enabled
}`,
  "a whole set": `resource "steward_job_token_allowlist" "this" {
  project         = "acme/docs"
  target_projects = local.later.targets
}`,
  "an element of a set": `resource "steward_job_token_allowlist" "this" {
  project         = "acme/docs"
  target_projects = ["acme/test-runner", local.later.target]
  target_groups   = ["acme/\${local.later.name == "production" ? "platform" : "release-managers"}"]
}`,
  "a refined unknown, of which a prefix is known": `resource "steward_job_token_allowlist_project" "this" {
  project        = "acme/docs"
  target_project = "acme/\${local.later.name == "production" ? "test-runner" : ""}"
}`,
  "attributes of nested elements": `resource "steward_protected_environment" "this" {
  project              = "acme/web-shop"
  name                 = local.later.name
  deploy_access_levels = [{ user = local.later.user }, { access_level = local.later.level }]
  approval_rules       = [{ access_level = 40, required_approvals = local.later.enabled ? 2 : 1 }]
}`,
  "a whole nested set": `resource "steward_protected_environment" "this" {
  project              = "acme/web-shop"
  name                 = "production"
  deploy_access_levels = local.later.levels
}`,
  "the argument of a data source": `data "steward_project" "this" {
  project = local.later.project
}
resource "steward_job_token_scope" "this" {
  project = data.steward_project.this.id
}`,
  "the provider's own configuration": `provider "steward" {
  auth_scheme = local.later.enabled ? "private-token" : "bearer"
}
resource "steward_protected_environment" "this" {
  project              = "acme/web-shop"
  name                 = "production"
  deploy_access_levels = [{ user = "devon" }, { access_level = 40 }]
}`,
};

describeWith("engine", "values that are known after apply only", (engine) => {
  let company: Company;
  beforeAll(async () => {
    company = await Company.start(engine);
  });
  afterAll(() => company.end());

  test.each(Object.entries(PLACES))("in %s", async (_, hcl) => {
    const workspace = hcl.startsWith("provider") ? company.workspace() : await company.reattached();
    workspace.write("main.tf", LATER + hcl);
    await workspace.succeed("init");
    await workspace.succeed("validate");
    await workspace.apply();
    expect((await workspace.plan()).changes).toBe(false);
    await changeLater(workspace);
    await workspace.succeed("destroy", "-auto-approve");
  });

  test(
    "an existing object can't be read while the provider's configuration is unknown, which " + "is an error",
    async () => {
      const workspace = company.workspace();
      const provider = PLACES["the provider's own configuration"]!;
      workspace.write("main.tf", LATER + provider);
      await workspace.succeed("init");
      await workspace.apply();
      const { code, output } = await workspace.run(["plan", "-replace=terraform_data.later"]);
      expect(code).toBe(1);
      expect(output).toContain("Provider configuration is not known yet");
      expect(output).toContain("--target");
      await workspace.succeed("destroy", "-auto-approve");
    },
  );
});

/** Everything that stood there is unknown again, now with a prior state; the values stay the same. */
async function changeLater(workspace: Workspace): Promise<void> {
  const main = workspace.read("main.tf");
  if (main.includes('provider "steward"')) return;
  await workspace.apply("-replace=terraform_data.later");
  expect((await workspace.plan()).changes).toBe(false);
}
