import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { createProvider } from "../../../src/provider";
import { describeFeature } from "../../support/compatibility";
import { Company, TOKEN } from "../support/company";
import {
  allDataSources,
  allResources,
  companyOfSamples,
  importBlocks,
  importedHcl,
  TYPES,
} from "../support/declarations";
import type { Workspace } from "../support/workspace";

// For docs/compatibility.md, this file tests each feature once under each program. The other files of this folder test the
// details, under the first program on the PATH.

jest.setTimeout(240_000);

const CURRENT_USER = 'data "steward_current_user" "this" {}\n';

const companies = new Map<string, Promise<Company>>();
const companyOf = (program: string): Promise<Company> => {
  const started = companies.get(program) ?? Company.installing(program, companyOfSamples());
  companies.set(program, started);
  return started;
};
afterAll(async () => {
  for (const company of companies.values()) await (await company).end();
});

/** Opens a workspace with this configuration. The provider runs in this process. */
async function workspaceOf(program: string, hcl: string, settings = ""): Promise<Workspace> {
  const workspace = await (await companyOf(program)).reattached(settings);
  workspace.write("main.tf", hcl);
  return workspace;
}

/** Returns the text of an error without its frame. */
const textOf = (output: string): string => output.replace(/[│╷╵]/g, " ").replace(/\s+/g, " ");

describeFeature("provider", ["terraform-1.11", "terraform-1.16", "opentofu-1.12"], (program) => {
  test("`terraform init` installs the provider from a mirror, and `terraform plan` starts the provider", async () => {
    const workspace = (await companyOf(program)).workspace();
    workspace.write("main.tf", CURRENT_USER);
    await workspace.succeed("init");
    await workspace.succeed("validate");
    expect((await workspace.plan()).changes).toBe(false);
  });

  test("`terraform validate` prints an error for an invalid setting of the provider", async () => {
    const workspace = await workspaceOf(program, CURRENT_USER, 'auth_scheme = "basic"');
    const { code, output } = await workspace.run(["validate"]);
    expect(code).toBe(1);
    expect(textOf(output)).toContain('"basic" is not a valid value. Use "private-token" or "bearer"');
  });
});

describeFeature("resources", ["terraform-1.11", "terraform-1.16", "opentofu-1.12"], (program) => {
  test("after an apply that creates one object of each type, the next plan is empty", async () => {
    const workspace = await workspaceOf(program, allResources());
    await workspace.apply();
    expect((await workspace.plan()).changes).toBe(false);
    expect((await workspace.plan("-refresh-only")).changes).toBe(false);
    expect(Object.keys(await workspace.state())).toHaveLength(TYPES.length);
    await workspace.succeed("destroy", "-auto-approve");
  });
});

describeFeature("plan-destroy", ["terraform-1.11", "terraform-1.16", "opentofu-1.12"], (program) => {
  test("plan -destroy fails for an object in an archived project", async () => {
    const company = await companyOf(program);
    const workspace = await workspaceOf(
      program,
      'resource "steward_job_token_allowlist_project" "this" {\n  project = "acme/docs"\n  target_project = "acme/deploy-tools"\n}\n',
    );
    await workspace.apply();
    await company.http("PUT", "/projects/acme%2Fdocs", { archived: true });
    const { code, output } = await workspace.run(["plan", "-destroy"]);
    expect(code).toBe(1);
    expect(textOf(output)).toContain("The project is archived");
    await company.http("PUT", "/projects/acme%2Fdocs", { archived: false });
    await workspace.succeed("destroy", "-auto-approve");
  });
});

describeFeature("data-sources", ["terraform-1.11", "terraform-1.16", "opentofu-1.12"], (program) => {
  test("apply reads every data source of the provider", async () => {
    const workspace = await workspaceOf(program, allDataSources());
    await workspace.apply();
    expect(Object.keys(await workspace.state()).length).toBe(
      Object.keys(createProvider().schema.dataSources).length,
    );
  });
});

describeFeature("import-by-id", ["terraform-1.11", "terraform-1.16", "opentofu-1.12"], (program) => {
  test("import blocks import one object of each type without a change", async () => {
    const owner = await workspaceOf(program, allResources());
    await owner.apply();
    const state = await owner.state();
    const ids = Object.fromEntries(TYPES.map((type) => [type, String(state[`${type}.this`]!["id"])]));
    const workspace = await workspaceOf(program, allResources(importedHcl) + importBlocks(ids));
    const { output } = await workspace.apply();
    expect(output).toContain(`${TYPES.length} imported, 0 added, 0 changed, 0 destroyed`);
    expect((await workspace.plan()).changes).toBe(false);
    await owner.succeed("destroy", "-auto-approve");
  });
});

describeFeature("ephemeral-values", ["terraform-1.11", "terraform-1.16", "opentofu-1.12"], (program) => {
  test("if the provider's token comes from an ephemeral variable, neither plan nor state contains the token", async () => {
    const company = await companyOf(program);
    const workspace = await company.reattached();
    workspace.write(
      "provider.tf",
      `variable "token" {
  type      = string
  ephemeral = true
}
provider "steward" {
  base_url = "${company.service.url}"
  token    = var.token
}
resource "steward_job_token_scope" "this" {
  project = "acme/web-shop"
}
`,
    );
    await workspace.succeed("plan", "-out=planned", `-var=token=${TOKEN}`);
    await workspace.succeed("apply", `-var=token=${TOKEN}`, "planned");
    for (const file of readdirSync(workspace.folder).filter((name) => /planned|tfstate/.test(name)))
      expect(readFileSync(path.join(workspace.folder, file), "latin1")).not.toContain(TOKEN);
    await workspace.succeed("destroy", "-auto-approve", `-var=token=${TOKEN}`);
  });
});

describeFeature("ephemeral-resources", ["terraform-1.11", "terraform-1.16", "opentofu-1.12"], (program) => {
  test("`terraform validate` refuses an ephemeral resource of the provider, because the provider has none", async () => {
    const workspace = await workspaceOf(program, 'ephemeral "steward_token" "this" {}\n');
    const { code, output } = await workspace.run(["validate"]);
    expect(code).toBe(1);
    expect(textOf(output)).toContain('does not support ephemeral resource "steward_token"');
  });
});

describeFeature("actions", ["terraform-1.16"], (program) => {
  test("`terraform validate` refuses an action of the provider, because the provider has none", async () => {
    const workspace = await workspaceOf(program, 'action "steward_run" "this" {}\n');
    const { code, output } = await workspace.run(["validate"]);
    expect(code).toBe(1);
    expect(textOf(output)).toContain("does not have an action schema for steward_run");
  });
});
