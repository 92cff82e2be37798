import { createProvider } from "../../../src/provider";
import { schemaJson } from "../../../src/schema";
import { numbers } from "../../provider/support/crowd";
import { describeFeature } from "../../support/compatibility";
import { HOSTILE } from "../../support/hostile";
import { Company, TOKEN, useCompany } from "../support/company";
import { allResources, companyOfSamples, TYPES } from "../support/declarations";

jest.setTimeout(300_000);

const SCOPE = "steward_job_token_scope";
const MANY = 60;

/** Returns the company of the samples, with one more group of many manually configured projects. */
function fixture() {
  const company = companyOfSamples();
  return {
    ...company,
    groups: [
      ...company.groups!,
      { path: "acme/estate" },
      { path: "acme/estate/inner" },
      { path: "acme/odd" },
    ],
    projects: [
      ...company.projects!,
      ...numbers(MANY).map((index) => ({
        path: `acme/estate/p${index}`,
        job_token_scope: { inbound_enabled: index % 2 === 0, projects: ["acme/tools"] },
        protected_environments: [
          { name: "production", deploy_access_levels: [{ access_level: 40 as const }] },
          {
            name: `review/${index}`,
            deploy_access_levels: [{ access_level: 30 as const }, { access_level: 40 as const }],
            approval_rules: [{ access_level: 40 as const, required_approvals: 2 }],
          },
        ],
        container_rules: [
          {
            repository_path_pattern: `acme/estate/p${index}/*`,
            minimum_access_level_for_push: "owner" as const,
          },
        ],
        invitations: [
          { email: `p${index}@example.com`, role: "developer" as const, expires_at: "2099-01-31" },
        ],
      })),
      { path: "acme/estate/inner/deep" },
      { path: "acme/estate/old", archived: true },
      {
        path: "acme/odd/names",
        protected_environments: [{ name: HOSTILE, deploy_access_levels: [{ access_level: 40 as const }] }],
      },
    ],
  };
}

const list = (type: string, config: string, more = "") => `list "${type}" "all" {
  provider = steward
  limit    = 10000
${more}
  config {
    ${config}
  }
}
`;

/** A line of the output of `terraform query -json` about one object. */
interface Found {
  readonly display_name: string;
  readonly identity: Record<string, string>;
  readonly resource_type: string;
  readonly resource_object?: Record<string, unknown>;
}

const foundIn = (output: string): Found[] =>
  output
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as { type: string; list_resource_found?: Found })
    .flatMap((event) => event.list_resource_found ?? []);

const textOf = (output: string): string => output.replace(/[│╷╵]/g, " ").replace(/\s+/g, " ");

describeFeature("list-resources", ["terraform-1.16"], (program) => {
  const company = useCompany(program, fixture(), Company.installing);

  const query = async (hcl: string, ...options: readonly string[]) => {
    const workspace = await company().reattached();
    workspace.write("main.tfquery.hcl", hcl);
    return { workspace, ...(await workspace.run(["query", ...options])) };
  };

  test("`terraform query` for a group returns the name, identity and values of objects of each type", async () => {
    const owner = await company().reattached();
    owner.write("main.tf", allResources());
    await owner.apply();
    const { code, output } = await query(
      TYPES.map((type) =>
        list(type, 'group = "acme"\n    include_subgroups = true', "  include_resource = true"),
      ).join(""),
      "-json",
    );
    expect(code).toBe(0);
    const found = foundIn(output);
    const state = await owner.state();
    for (const type of TYPES) {
      const id = state[`${type}.this`]!["id"];
      const [object] = found
        .filter(({ resource_object }) => resource_object?.["id"] === id && resource_object !== undefined)
        .filter(({ resource_type }) => resource_type === type);
      expect([type, object]).toEqual([type, expect.anything()]);
      expect(object!.display_name).toMatch(/^acme\//);
      expect(Object.values(object!.identity)).toContain(String(id).split(":")[0]);
    }
    await owner.succeed("destroy", "-auto-approve");
  });

  test("`terraform providers schema` and `steward schema` print the same schemas of queries", async () => {
    const workspace = await company().reattached();
    const { stdout } = await workspace.succeed("providers", "schema", "-json");
    const { provider_schemas } = JSON.parse(stdout) as ReturnType<typeof schemaJson>;
    const [[source, shown] = ["", undefined]] = Object.entries(provider_schemas);
    const own = schemaJson(createProvider().schema).provider_schemas[source]!;
    expect(shown!.list_resource_schemas).toEqual(own.list_resource_schemas);
  });

  test("no output, log or generated file of a query contains the token", async () => {
    const workspace = company().workspace();
    workspace.write("main.tf", 'provider "steward" {}\n');
    workspace.write("main.tfquery.hcl", list(SCOPE, 'group = "acme/estate"', "  include_resource = true"));
    await workspace.succeed("init");
    const { code, output } = await workspace.run(["query", "-generate-config-out=generated.tf"], {
      TF_LOG: "trace",
    });
    expect(code).toBe(0);
    expect(output.length).toBeGreaterThan(10_000);
    expect(output + workspace.read("generated.tf")).not.toContain(TOKEN);
  });
});

describeFeature("generated-configuration", ["terraform-1.16"], (program) => {
  const company = useCompany(program, fixture());

  test("the plan of a configuration that `terraform query` generated contains only imports", async () => {
    const types = TYPES.filter(
      (type) => !["steward_job_token_allowlist_project", "steward_job_token_allowlist_group"].includes(type),
    );
    const workspace = await company().reattached();
    workspace.write("main.tfquery.hcl", types.map((type) => list(type, 'group = "acme/estate"')).join(""));
    await workspace.succeed("query", "-generate-config-out=generated.tf");
    workspace.delete("main.tfquery.hcl");
    const generated = workspace.read("generated.tf");
    expect(generated.match(/^import \{/gm)).toHaveLength(7 * MANY);
    expect(generated).not.toMatch(/^\s+(id|url|status|outbound_enabled|required_approval_count)\s+=/m);
    await workspace.succeed("plan", "-out=planned");
    const { stdout } = await workspace.succeed("show", "planned");
    expect(textOf(stdout)).toMatch(/Plan: \d+ to import, 0 to add, 0 to change, 0 to destroy\./);
    company().service.requests.reset();
    await workspace.succeed("apply", "planned");
    expect(company().service.requests.all.filter(({ method }) => method !== "GET")).toEqual([]);
    expect((await workspace.plan()).changes).toBe(false);
  });
});
