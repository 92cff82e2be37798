import { createProvider } from "../../../src/provider";
import { containerOf, DATA_SAMPLES, expectGone } from "../../provider/samples";
import { ownPath } from "../../provider/support/own-places";
import { providerConfig } from "../../provider/support/world";
import { describeWith } from "../../support/capabilities";
import { Company, TOKEN } from "../support/company";
import {
  allDataSources,
  allResources,
  CHANGEABLE,
  companyOfSamples,
  importBlocks,
  importedHcl,
  importId,
  sampleHcl,
  TYPES,
} from "../support/declarations";
import type { Workspace } from "../support/workspace";

jest.setTimeout(180_000);

const provider = createProvider();
const { schema } = provider;
const addresses = TYPES.map((type) => `${type}.this`);
const every = (...actions: readonly string[]) =>
  Object.fromEntries(addresses.map((address) => [address, actions]));
const SCOPE = "steward_job_token_scope";
const placeOf = (type: string) => `/projects/${encodeURIComponent(ownPath(type))}`;

/** The ids of all objects by type. */
async function idsOf(workspace: Workspace): Promise<Readonly<Record<string, string>>> {
  const state = await workspace.state();
  return Object.fromEntries(TYPES.map((type) => [type, String(state[`${type}.this`]!["id"])]));
}

// Every registered resource goes through `conformance.test.ts`; here stands what a configuration of several looks like.

describeWith("engine", "the lifecycle of resources under a real engine", (engine) => {
  let company: Company;
  let workspace: Workspace;
  beforeAll(async () => {
    company = await Company.installing(engine, companyOfSamples());
    workspace = await company.reattached();
    workspace.write("main.tf", allResources());
  });
  afterAll(() => company.end());

  test("init installs the provider from the mirror", async () => {
    const installing = company.workspace();
    const { output } = await installing.succeed("init");
    expect(output).toContain("registry.steward.example/steward/steward");
    expect(installing.read(".terraform.lock.hcl")).toContain(company.mirror.version);
  });

  test("validate sends no request to the service", async () => {
    company.service.requests.reset();
    await workspace.succeed("validate");
    expect(company.service.requests.all).toEqual([]);
  });

  test("the engine shows the declared schema", async () => {
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

  test("apply creates everything, and the next plan is empty", async () => {
    expect(await workspace.actions()).toEqual(every("create"));
    await workspace.apply();
    expect((await workspace.plan()).changes).toBe(false);
  });

  test('plan -refresh-only exits with 0 after an apply: numbers used to cause exit 2 with "No changes"', async () => {
    const { changes, stdout } = await workspace.plan("-refresh-only");
    expect(stdout).toContain("No changes");
    expect(changes).toBe(false);
  });

  test("data sources return live values", async () => {
    // Terraform 1.16 takes any of them for a change in a plan with -refresh-only.
    workspace.write("main.tf", allResources() + allDataSources());
    await workspace.apply();
    const state = await workspace.state();
    const { provider: run } = provider.configure(
      providerConfig(provider, { base_url: company.service.url, token: TOKEN }),
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

  test("a manual change is shown by plan -refresh-only, and repaired by apply", async () => {
    await company.http("PATCH", `${placeOf(SCOPE)}/job_token_scope`, { enabled: false });
    const refresh = await workspace.plan("-refresh-only");
    expect(refresh.changes).toBe(true);
    expect(refresh.stdout).toContain("inbound_enabled  = true -> false");
    expect(await workspace.actions()).toEqual({ "steward_job_token_scope.this": ["update"] });
    await workspace.apply();
    expect((await workspace.plan()).changes).toBe(false);
  });

  test("a changed declaration is updated in place", async () => {
    workspace.write(
      "main.tf",
      allResources((type) => sampleHcl(type, true)),
    );
    expect(await workspace.actions()).toEqual(
      Object.fromEntries(CHANGEABLE.map((type) => [`${type}.this`, ["update"]])),
    );
    await workspace.apply();
    expect((await workspace.plan()).changes).toBe(false);
  });

  test("another project replaces the object", async () => {
    workspace.write(
      "main.tf",
      allResources((type) => (type === SCOPE ? 'project = "acme/docs"' : sampleHcl(type, true))),
    );
    expect(await workspace.actions()).toEqual({ "steward_job_token_scope.this": ["delete", "create"] });
    workspace.write("main.tf", allResources());
    await workspace.apply();
  });

  test("import blocks with -generate-config-out generate a configuration without changes", async () => {
    const adopting = await company.reattached();
    // Terraform 1.16 takes "steward" for a provider of its own namespace in a block without its resource.
    const imports = importBlocks(await idsOf(workspace));
    adopting.write("imports.tf", imports.replaceAll("import {", "import {\n  provider = steward"));
    await adopting.succeed("plan", "-generate-config-out=generated.tf");
    // With the resources there, no block may name a provider.
    adopting.write("imports.tf", imports);
    const generated = adopting.read("generated.tf");
    for (const type of TYPES) expect(generated).toContain(`resource "${type}" "this"`);
    await adopting.apply();
    adopting.delete("imports.tf");
    expect((await adopting.plan()).changes).toBe(false);
    const [adopted, made] = [await adopting.state(), await workspace.state()];
    for (const address of addresses) expect(adopted[address]!["id"]).toBe(made[address]!["id"]);
  });

  test("import on the command line", async () => {
    const adopting = await company.reattached();
    adopting.write("main.tf", allResources(importedHcl));
    const ids = await idsOf(workspace);
    for (const type of TYPES) await adopting.succeed("import", `${type}.this`, importId(type, ids[type]!));
    expect((await adopting.plan()).changes).toBe(false);
  });

  test("destroy removes everything from the state and the service", async () => {
    expect(await workspace.actions("-destroy")).toEqual(every("delete"));
    await workspace.succeed("destroy", "-auto-approve");
    expect(await workspace.state()).toEqual({});
    for (const type of TYPES) {
      const kind = containerOf(type);
      await expectGone(
        type,
        (method, path) => company.http(method, path),
        `/${kind}s/${encodeURIComponent(ownPath(type))}`,
      );
    }
  });
});

interface Schemas {
  readonly resource_schemas: Record<
    string,
    { readonly block: { readonly attributes: Record<string, object> } }
  >;
}
