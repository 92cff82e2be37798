import { createProvider } from "../../../src/provider";
import { DATA_SAMPLES } from "../../provider/samples";
import { ownPath } from "../../provider/support/own-places";
import { providerConfig } from "../../provider/support/world";
import { describeWith } from "../../support/capabilities";
import { TOKEN, useCompany } from "../support/company";
import {
  allDataSources,
  allResources,
  companyOfSamples,
  importBlocks,
  importedHcl,
  importId,
  TYPES,
} from "../support/declarations";
import type { Workspace } from "../support/workspace";

jest.setTimeout(180_000);

const provider = createProvider();
const { schema } = provider;
const addresses = TYPES.map((type) => `${type}.this`);
const SCOPE = "steward_job_token_scope";
const placeOf = (type: string) => `/projects/${encodeURIComponent(ownPath(type))}`;

/** Returns the ids of all objects, by type. */
async function idsOf(workspace: Workspace): Promise<Readonly<Record<string, string>>> {
  const state = await workspace.state();
  return Object.fromEntries(TYPES.map((type) => [type, String(state[`${type}.this`]!["id"])]));
}

// These tests use the first engine on the PATH. `conformance.long.test.ts` covers every resource, and `programs.long.test.ts`
// covers each program.

describeWith("engine", "the lifecycle of resources under a real engine", (engine) => {
  const company = useCompany(engine, companyOfSamples());
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await company().reattached();
    workspace.write("main.tf", allResources());
    await workspace.apply();
  });

  test("`terraform providers schema` prints the schema of the provider", async () => {
    const { stdout } = await workspace.succeed("providers", "schema", "-json");
    const { provider_schemas: shown } = JSON.parse(stdout) as { provider_schemas: Record<string, Schemas> };
    const { resource_schemas: resources } = shown[schema.source]!;
    expect(Object.keys(resources).sort()).toEqual(Object.keys(schema.resources).sort());
    const levels = resources["steward_protected_environment"]!.block.attributes["deploy_access_levels"]!;
    expect(levels).toMatchObject({
      required: true,
      nested_type: { nesting_mode: "set", attributes: { access_level: { type: "number", optional: true } } },
    });
  });

  test("after an apply, `terraform plan -refresh-only` finds no change", async () => {
    const { changes, stdout } = await workspace.plan("-refresh-only");
    expect(stdout).toContain("No changes");
    expect(changes).toBe(false);
  });

  test("after an apply, the state contains the live values of each data source", async () => {
    // The data sources are declared only now. With -refresh-only, Terraform 1.16 would count each value of a data
    // source as a change.
    workspace.write("main.tf", allResources() + allDataSources());
    await workspace.apply();
    const state = await workspace.state();
    const { provider: run } = provider.configure(
      providerConfig(provider, { base_url: company().service.url, token: TOKEN }),
      {},
    );
    for (const [type, { config }] of Object.entries(DATA_SAMPLES)) {
      const { attributes } = schema.dataSources[type]!;
      const nothing = Object.fromEntries(Object.keys(attributes).map((name) => [name, null]));
      const live = await run!.readDataSource({ type, config: { ...nothing, ...config } });
      expect(live.diagnostics).toEqual([]);
      expect(state[`data.${type}.this`]).toEqual(live.attributes);
    }
    await run!.close();
  });

  test("if an attribute was changed manually, `terraform plan -refresh-only` prints the change", async () => {
    await company().http("PATCH", `${placeOf(SCOPE)}/job_token_scope`, { enabled: false });
    const refresh = await workspace.plan("-refresh-only");
    expect(refresh.changes).toBe(true);
    expect(refresh.stdout).toContain("inbound_enabled  = true -> false");
    expect(await workspace.actions()).toEqual({ "steward_job_token_scope.this": ["update"] });
    await workspace.apply();
    expect((await workspace.plan()).changes).toBe(false);
  });

  test("after an apply of import blocks with generated configuration, the next plan is empty", async () => {
    const adopting = await company().reattached();
    // The import blocks say which provider they use. Otherwise, Terraform 1.16 would look for "hashicorp/steward",
    // because the resources are not declared yet.
    const imports = importBlocks(await idsOf(workspace));
    adopting.write("imports.tf", imports.replaceAll("import {", "import {\n  provider = steward"));
    await adopting.succeed("plan", "-generate-config-out=generated.tf");
    // Now the resources are declared, so the import blocks must not name the provider.
    adopting.write("imports.tf", imports);
    const generated = adopting.read("generated.tf");
    for (const type of TYPES) expect(generated).toContain(`resource "${type}" "this"`);
    await adopting.apply();
    adopting.delete("imports.tf");
    expect((await adopting.plan()).changes).toBe(false);
    const [adopted, made] = [await adopting.state(), await workspace.state()];
    for (const address of addresses) expect(adopted[address]!["id"]).toBe(made[address]!["id"]);
  });

  test("terraform import on the command line imports one object of each type without a change", async () => {
    const adopting = await company().reattached();
    adopting.write("main.tf", allResources(importedHcl));
    const ids = await idsOf(workspace);
    for (const type of TYPES) await adopting.succeed("import", `${type}.this`, importId(type, ids[type]!));
    expect((await adopting.plan()).changes).toBe(false);
  });
});

interface Schemas {
  readonly resource_schemas: Record<
    string,
    { readonly block: { readonly attributes: Record<string, object> } }
  >;
}
