import { usePlace } from "../support/place";

const place = usePlace("each");

const OWN = {
  terraform: { required_providers: { steward: { source: "registry.steward.example/steward/steward" } } },
  provider: { steward: [{}] },
};
const allowlist = (more: object) => ({
  ...OWN,
  resource: { steward_job_token_allowlist: { callers: { project: "acme/shop", ...more } } },
});
const protectedBy = (levels: readonly object[]) => ({
  ...OWN,
  resource: {
    steward_protected_environment: {
      production: { project: "acme/shop", name: "production", deploy_access_levels: levels },
    },
  },
});
const run = (words: string) => place.run([...words.split(" "), "--config", "."]);

async function applied(configuration: object): Promise<void> {
  place.write("main.tf.json", configuration);
  expect(await run("apply --auto-approve")).toMatchObject({ code: 0 });
}

/** Ids 2 and 3 are acme/tools and acme/docs. */
describe("a change between ids and paths of the same objects", () => {
  test("if ids in a list become paths, the plan prints only the projects that leave the list", async () => {
    await applied(allowlist({ target_projects: ["2", "3"], target_groups: [] }));
    place.write("main.tf.json", allowlist({ target_projects: ["acme/tools"] }));
    const { out } = await run("plan --report plan.json --report plan.md --out p.steward");
    expect(out).toContain('- "3",');
    expect(out).not.toMatch(/[-+] "(2|acme\/tools)"/);
    expect(out).not.toContain("loosens");
    const [object] = JSON.parse(place.read("plan.json")).stacks[0].objects;
    expect(object).toMatchObject({ action: "update", strictness: "tighter" });
    expect(place.read("plan.md")).not.toContain("loosens");
    expect((await run("show p.steward")).out).toContain('- "3",');
    expect(await run("apply p.steward")).toMatchObject({ code: 0 });
    expect(await run("plan --detailed-exitcode")).toMatchObject({ code: 0 });
  });

  test("if paths in a list become ids, the plan prints only the projects that join the list", async () => {
    await applied(allowlist({ target_projects: ["acme/tools"], target_groups: ["acme"] }));
    place.write("main.tf.json", allowlist({ target_projects: ["2", "3"], target_groups: ["acme"] }));
    const { out } = await run("plan");
    expect(out).toContain('+ "3"');
    expect(out).not.toMatch(/[-+] "(2|acme\/tools)"/);
    expect(out).toContain("loosens: allows more than before");
  });

  test("if a username replaces the user's id in a declaration, the plan prints no change of the user", async () => {
    await applied(protectedBy([{ user: "1" }, { access_level: 40 }]));
    place.write("main.tf.json", protectedBy([{ user: "maya" }]));
    const { out } = await run("plan");
    expect(out).not.toMatch(/[-+] +user/);
    expect(out).not.toContain("loosens");
  });

  test("if Terraform's plan contains a project's id and path, the report treats the id and the path as equal", async () => {
    const planOf = (more: object, names: readonly object[]) => ({
      format_version: "1.2",
      terraform_version: "1.11.4",
      planned_values: { root_module: {} },
      prior_state: { format_version: "1.0", values: { root_module: { resources: names } } },
      resource_changes: [
        {
          address: "steward_job_token_allowlist.callers",
          mode: "managed",
          type: "steward_job_token_allowlist",
          name: "callers",
          provider_name: "registry.steward.example/steward/steward",
          change: {
            actions: ["update"],
            before: { id: "1", project: "acme/shop", target_projects: ["2", "3"], target_groups: [] },
            after: {
              id: "1",
              project: "acme/shop",
              target_projects: ["acme/tools"],
              target_groups: null,
              ...more,
            },
            after_unknown: {},
            before_sensitive: {},
            after_sensitive: {},
          },
        },
      ],
    });
    const tools = {
      address: "data.steward_project.tools",
      mode: "data",
      type: "steward_project",
      name: "tools",
      values: { id: "2", full_path: "acme/tools", project: "acme/tools" },
    };
    place.write("plan.json", planOf({}, [tools]));
    const known = await place.run(["report", "--plan-json", "plan.json"]);
    expect(known).toMatchObject({ code: 0 });
    expect(known.out).toContain('- "3",');
    expect(known.out).not.toContain("loosens");
    place.write("plan.json", planOf({}, []));
    const unknown = await place.run(["report", "--plan-json", "plan.json"]);
    expect(unknown.out).toContain('+ "acme/tools"');
  });
});
