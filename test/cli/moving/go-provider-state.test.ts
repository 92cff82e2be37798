import { type Place, usePlace } from "../support/place";

const place = usePlace("each");

const GITLAB = 'provider["registry.terraform.io/gitlabhq/gitlab"]';
type Instance = Readonly<Record<string, unknown>>;

const resource = (type: string, name: string, instances: readonly Instance[], more: object = {}) => ({
  mode: "managed",
  type,
  name,
  provider: GITLAB,
  instances,
  ...more,
});
const instance = (attributes: object, more: object = {}): Instance => ({
  schema_version: 0,
  attributes,
  sensitive_attributes: [],
  ...more,
});

/** The resources in `FOREIGN` contain parts of Terraform's state that Steward does not use, but must preserve. */
const TOKEN = "glrt-S3cretRunnersToken";
const FOREIGN = [
  resource("gitlab_group", "acme", [
    instance(
      {
        id: "1",
        name: "acme",
        path: "acme",
        ratio: 1.5,
        big: 12345678901234567890n,
        empty: null,
        list: [],
        map: {},
      },
      { private: "eyJzY2hlbWFfdmVyc2lvbiI6IjEifQ==", future_key: { z: 1, a: [true] } },
    ),
  ]),
  resource("gitlab_project", "each", [
    instance(
      { id: "1", name: "shop", runners_token: TOKEN },
      {
        index_key: 'a"b',
        sensitive_attributes: [[{ type: "get_attr", value: "runners_token" }]],
        dependencies: ["gitlab_group.acme"],
        create_before_destroy: true,
      },
    ),
    instance({ id: "2", name: "tools" }, { index_key: "tools", status: "tainted" }),
    instance({ id: "3", name: "old" }, { index_key: "tools", deposed: "0a1b2c3d" }),
  ]),
  resource("gitlab_project", "legacy", [instance({ id: "9" }, { index_key: 0 })], {
    module: 'module.team["eu"].module.web',
    provider: `module.team.${GITLAB}.eu`,
  }),
  { ...resource("gitlab_project", "read", [instance({ id: "1", name: "shop" })]), mode: "data" },
  resource("random_id", "suffix", [instance({ id: "x" })], {
    provider: 'provider["registry.terraform.io/hashicorp/random"]',
  }),
];

const stateOf = (resources: readonly object[]): string =>
  // The large number is inserted into the text, because JSON.stringify would round it.
  `${JSON.stringify(
    {
      version: 4,
      terraform_version: "1.11.4",
      serial: 7,
      lineage: "5b8c2f0a-0000-4000-8000-000000000001",
      outputs: {},
      resources,
      check_results: null,
    },
    (_, value: unknown) => (typeof value === "bigint" ? `#${value}#` : value),
    2,
  ).replace(/"#(\d+)#"/g, "$1")}\n`;

/** Returns the text of each instance in a state, by the address of its resource. */
function instanceTexts(text: string): Record<string, string> {
  const texts = text.split("\n    {\n").slice(1);
  return Object.fromEntries(
    texts.map((one) => {
      const [, type] = /"type": "(\w+)"/.exec(one)!;
      const [, name] = /"name": "(\w+)"/.exec(one)!;
      return [
        `${/"mode": "(\w+)"/.exec(one)![1]} ${type}.${name}`,
        one.slice(one.indexOf('"instances"')).replace(/[\s\S]{0,3}\n {2}\][\s\S]*$/, ""),
      ];
    }),
  );
}

/** Writes a state with Terraform's order of resources and its spaces. */
async function writeState(at: Place, resources: readonly object[]): Promise<void> {
  at.write("given.json", stateOf(resources));
  at.write("main.tf.json", { terraform: {} });
  expect((await at.run(["state", "push", "given.json", "--config", "."])).code).toBe(0);
}

const OWN = {
  terraform: { required_providers: { steward: { source: "registry.steward.example/steward/steward" } } },
  provider: { steward: [{}] },
};
const LISTED = "Objects of other providers";

describe("a state that contains objects of the Go provider", () => {
  test("each command leaves another provider's objects in the state unchanged and prints one warning about them", async () => {
    await writeState(place, FOREIGN);
    const before = instanceTexts(place.read("terraform.tfstate"));
    expect(Object.keys(before)).toHaveLength(5);
    place.write("main.tf.json", {
      ...OWN,
      resource: { steward_job_token_scope: { limit: { project: "acme/shop", inbound_enabled: true } } },
    });
    for (const words of [
      "plan",
      "apply --auto-approve",
      "plan",
      "drift",
      "plan --refresh-only",
      "destroy --auto-approve",
    ]) {
      const { out, err, code } = await place.run([...words.split(" "), "--config", "."]);
      expect({ words, code, err }).toMatchObject({ code: 0 });
      const lines = err.replace(/\n│ ?/g, " ").replace(/\s+/g, " ");
      expect(lines.split(LISTED)).toHaveLength(2);
      expect(lines).toContain("6 objects of registry.terraform.io/gitlabhq/gitlab");
      expect(lines).toContain("gitlab_project (4), gitlab_group (1), random_id (1)");
      expect(lines).toContain("steward exec -- terraform plan");
      expect(out + err).not.toContain(TOKEN);
      expect(out).not.toContain("gitlab_project");
    }
    const after = instanceTexts(place.read("terraform.tfstate"));
    expect(after).toEqual(before);
  });

  test("if the state contains 2,000 objects of another provider, apply prints less than 25 lines about them", async () => {
    const many = Array.from({ length: 2000 }, (_, at) =>
      resource("gitlab_project", `p${at}`, [instance({ id: String(at) })]),
    );
    await writeState(place, many);
    place.write("main.tf.json", {
      ...OWN,
      resource: { steward_job_token_scope: { limit: { project: "acme/shop", inbound_enabled: true } } },
    });
    const { code, err } = await place.run(["apply", "--auto-approve", "--config", "."]);
    expect({ code, err }).toMatchObject({ code: 0 });
    expect(err).toContain("2000 objects");
    expect(err.split("\n").length).toBeLessThan(25);
    expect(place.read("terraform.tfstate").match(/"type": "gitlab_project"/g)).toHaveLength(2000);
  });

  test("with removed blocks and destroy = false, apply removes another provider's objects from the state", async () => {
    await writeState(place, FOREIGN);
    const forgets = (from: string) => ({ from, lifecycle: [{ destroy: false }] });
    place.write("main.tf.json", {
      ...OWN,
      removed: [forgets("gitlab_project.each"), forgets("module.team"), forgets("random_id.suffix")],
    });
    const planned = await place.run(["plan", "--config", ".", "--detailed-exitcode", "--out", "p.steward"]);
    expect(planned).toMatchObject({ code: 2 });
    for (const address of [
      'gitlab_project.each["a\\"b"]',
      'gitlab_project.each["tools"]',
      "random_id.suffix",
      'module.team["eu"].module.web.gitlab_project.legacy[0]',
    ])
      expect(planned.out).toContain(address);
    expect(planned.out + planned.err).not.toContain(TOKEN);
    expect((await place.run(["show", "--json", "p.steward"])).code).toBe(0);
    const applied = await place.run(["apply", "p.steward", "--config", "."]);
    expect(applied).toMatchObject({ code: 0 });
    expect(Object.keys(instanceTexts(place.read("terraform.tfstate"))).sort()).toEqual([
      "data gitlab_project.read",
      "managed gitlab_group.acme",
    ]);
    expect((await place.run(["plan", "--config", ".", "--detailed-exitcode"])).code).toBe(0);
  });

  test("if a removed block would destroy another provider's object, apply fails and suggests `steward exec -- terraform apply`", async () => {
    await writeState(place, FOREIGN);
    const before = place.read("terraform.tfstate");
    place.write("main.tf.json", {
      ...OWN,
      removed: [{ from: "gitlab_group.acme", lifecycle: [{ destroy: true }] }],
    });
    const { code, err } = await place.run(["apply", "--auto-approve", "--config", "."]);
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining("steward exec -- terraform apply"),
    });
    expect(place.read("terraform.tfstate")).toBe(before);
  });

  test("moved blocks transfer objects of the Go provider to Steward's provider", async () => {
    await place.byHand("POST", "/projects/1/job_token_scope/allowlist", { target_project_id: 2 });
    await place.byHand("POST", "/projects/1/protected_environments", {
      name: "production",
      deploy_access_levels: [{ access_level: 40 }],
    });
    await writeState(place, [
      ...FOREIGN,
      resource("gitlab_project_job_token_scopes", "each", [
        instance(
          {
            id: "1",
            project: "1",
            project_id: null,
            enabled: null,
            target_project_ids: [2],
            target_group_ids: [],
          },
          { index_key: "shop" },
        ),
      ]),
      resource("gitlab_project_protected_environment", "production", [
        instance({
          id: "1:production",
          project: "1",
          environment: "production",
          deploy_access_levels: [],
          deploy_access_levels_attribute: [
            { access_level: "maintainer", user_id: null, group_id: null, group_inheritance_type: 0 },
          ],
          approval_rules: [],
        }),
      ]),
      resource("gitlab_project_pages_settings", "pages", [
        instance({
          id: "1",
          project: "1",
          is_unique_domain_enabled: true,
          force_https: false,
          keep_settings_on_destroy: true,
        }),
      ]),
    ]);
    place.write("main.tf.json", {
      ...OWN,
      resource: {
        steward_job_token_allowlist: {
          each: {
            for_each: { shop: "acme/shop" },
            project: "${each.value}",
            target_projects: ["acme/tools"],
          },
        },
        steward_protected_environment: {
          production: {
            project: "acme/shop",
            name: "production",
            deploy_access_levels: [{ access_level: 40 }],
          },
        },
        steward_pages_settings: { pages: { project: "acme/shop" } },
      },
      moved: [
        { from: "gitlab_project_job_token_scopes.each", to: "steward_job_token_allowlist.each" },
        {
          from: "gitlab_project_protected_environment.production",
          to: "steward_protected_environment.production",
        },
        { from: "gitlab_project_pages_settings.pages", to: "steward_pages_settings.pages" },
      ],
    });
    const planned = await place.run(["plan", "--config", "."]);
    expect(planned).toMatchObject({
      code: 0,
      out: expect.stringContaining("3 to move, 0 to add, 1 to change, 0 to destroy"),
    });
    expect(planned.err).not.toContain("enabled =");
    const before = instanceTexts(place.read("terraform.tfstate"));
    expect((await place.run(["apply", "--auto-approve", "--config", "."])).code).toBe(0);
    const after = instanceTexts(place.read("terraform.tfstate"));
    for (const address of Object.keys(before).filter((one) => !/job_token|protected|pages/.test(one)))
      expect(after[address]).toBe(before[address]);
    expect((await place.run(["plan", "--config", ".", "--detailed-exitcode"])).code).toBe(0);
  });

  test("if a declared resource belongs to another provider, plan fails and suggests `steward exec -- terraform plan`", async () => {
    await writeState(place, FOREIGN);
    place.write("main.tf.json", {
      ...OWN,
      resource: { gitlab_group: { acme: { name: "acme", path: "acme" } } },
    });
    const declared = await place.run(["plan", "--config", "."]);
    expect(declared).toMatchObject({
      code: 1,
      err: expect.stringContaining("steward exec -- terraform plan"),
    });
    place.write("main.tf.json", OWN);
    const targeted = await place.run(["plan", "--config", ".", "--target", "gitlab_group.acme"]);
    expect(targeted).toMatchObject({
      code: 1,
      err: expect.stringContaining("steward exec -- terraform plan"),
    });
  });
});
