import { TOKENS, usePlace } from "../cli/support/place";
import { describeFeature } from "../support/compatibility";

// The features that docs/compatibility.md lists, once each with the command. The rules are held beside the engine's rooms.

const place = usePlace("each", {
  users: [{ username: "ida", token: TOKENS.maintainer, admin: true }],
  groups: [{ path: "acme" }],
  projects: [{ path: "acme/shop" }, { path: "acme/tools" }, { path: "acme/docs" }],
});

const REQUIRED = { required_providers: { steward: { source: "registry.steward.example/steward/steward" } } };
const SCOPE = "steward_job_token_scope";

const declare = (configuration: object): void =>
  void place.write("main.tf.json", { terraform: REQUIRED, provider: { steward: [{}] }, ...configuration });
const succeed = async (...args: readonly string[]) => {
  const ended = await place.run([...args, "--config", "."]);
  if (ended.code !== 0)
    throw new Error(`${args.join(" ")} ended with ${ended.code}:\n${ended.out}${ended.err}`);
  return ended;
};
const outputs = async () => {
  const { out } = await succeed("output", "--json");
  const found = JSON.parse(out) as Record<string, { value: unknown }>;
  return Object.fromEntries(Object.entries(found).map(([name, { value }]) => [name, value]));
};

describeFeature("provider", ["embedded-engine"], () => {
  test("an invalid setting of the provider is an error at validate", async () => {
    declare({ provider: { steward: [{ auth_scheme: "basic" }] } });
    const { code, err } = await place.run(["validate", "--config", "."]);
    expect(code).toBe(1);
    expect(err).toContain('"basic" is neither private-token nor bearer');
  });
});

describeFeature("resources", ["embedded-engine"], () => {
  test("resources are created, planned without changes, and destroyed", async () => {
    await succeed("apply", "--auto-approve");
    await succeed("plan", "--detailed-exitcode");
    const { out } = await succeed("destroy", "--auto-approve");
    expect(out).toContain("3 destroyed");
  });
});

describeFeature("plan-destroy", ["embedded-engine"], () => {
  test("a destroy in an archived project is refused at plan", async () => {
    declare({
      resource: { steward_job_token_allowlist: { all: { project: "acme/docs", target_projects: [] } } },
    });
    await succeed("apply", "--auto-approve");
    expect(await place.byHand("PUT", "/projects/acme%2Fdocs", { archived: true })).toBe(200);
    const { code, err } = await place.run(["plan", "--destroy", "--config", "."]);
    expect(code).toBe(1);
    expect(err).toContain("The project is archived");
  });
});

describeFeature("data-sources", ["embedded-engine"], () => {
  test("data sources are read", async () => {
    declare({
      data: { steward_project: { shop: { project: "acme/shop" } } },
      output: { id: { value: "${data.steward_project.shop.id}" } },
    });
    await succeed("apply", "--auto-approve");
    expect(await outputs()).toEqual({ id: "1" });
  });
});

describeFeature("import-by-id", ["embedded-engine"], () => {
  test("an import block takes over an object without a change", async () => {
    declare({
      import: [{ to: `${SCOPE}.limit`, id: "acme/shop" }],
      resource: { [SCOPE]: { limit: { project: "acme/shop" } } },
    });
    const { out } = await succeed("apply", "--auto-approve");
    expect(out).toContain("1 imported, 0 added, 0 changed, 0 destroyed");
    await succeed("plan", "--detailed-exitcode");
  });
});

describeFeature("import-by-identity", ["embedded-engine"], () => {
  test("an import block takes over objects by their identity, one by one and with for_each", async () => {
    const projects = '${{ tools = "acme/tools", docs = "acme/docs" }}';
    declare({
      import: [
        { to: `${SCOPE}.limit`, identity: { project: "acme/shop" } },
        { for_each: projects, to: `${SCOPE}.each[each.key]`, identity: { project: "${each.value}" } },
      ],
      resource: {
        [SCOPE]: {
          limit: { project: "acme/shop" },
          each: { for_each: projects, project: "${each.value}" },
        },
      },
    });
    const { out: planned } = await succeed("plan");
    expect(planned).toContain('# (imported from "1")');
    const { out } = await succeed("apply", "--auto-approve");
    expect(out).toContain("3 imported, 0 added, 0 changed, 0 destroyed");
    await succeed("plan", "--detailed-exitcode");
  });

  test("a saved plan shows the complete identity, and imports by it", async () => {
    declare({
      import: [{ to: `${SCOPE}.limit`, identity: { project: "acme/shop" } }],
      resource: { [SCOPE]: { limit: { project: "acme/shop" } } },
    });
    await succeed("plan", "--out", "plan.steward");
    const { out } = await place.run(["show", "plan.steward", "--json"]);
    expect((JSON.parse(out) as { resource_changes: object[] }).resource_changes).toMatchObject([
      { change: { importing: { identity: { project: "1" } }, after_identity: { project: "1" } } },
    ]);
    const applied = await place.run(["apply", "plan.steward"]);
    expect(applied.out).toContain("1 imported, 0 added, 0 changed, 0 destroyed");
  });

  test("a wrong attribute is an error that names it", async () => {
    declare({
      import: [{ to: `${SCOPE}.limit`, identity: { projects: "acme/shop" } }],
      resource: { [SCOPE]: { limit: { project: "acme/shop" } } },
    });
    const { code, err } = await place.run(["plan", "--config", "."]);
    expect(code).toBe(1);
    expect(err.replace(/\s*│?\s+/g, " ")).toContain(
      'Its identity has no attribute "projects". Did you mean "project"?',
    );
  });
});

describeFeature("ephemeral-values", ["embedded-engine"], () => {
  test("the token of the provider comes from an ephemeral variable, and is not stored", async () => {
    declare({
      variable: { token: { ephemeral: true } },
      provider: { steward: [{ token: "${var.token}" }] },
      resource: { [SCOPE]: { limit: { project: "acme/shop" } } },
    });
    const env = { STEWARD_TOKEN: "", TF_VAR_token: TOKENS.maintainer };
    const { code, out } = await place.run(["apply", "--auto-approve", "--config", "."], env);
    expect(code).toBe(0);
    expect(`${out}${place.read("terraform.tfstate")}`).not.toContain(TOKENS.maintainer);
  });
});

describeFeature("functions", ["embedded-engine"], () => {
  test("functions are called in expressions, with converted arguments", async () => {
    declare({
      output: {
        level: { value: '${provider::steward::access_level("Maintainer")}' },
        name: { value: '${provider::steward::access_level_name("40")}' },
        id: { value: '${provider::steward::parse_id("42:eu:west")}' },
        whole: { value: "${provider::steward::parse_id(42)}" },
      },
    });
    await succeed("apply", "--auto-approve");
    expect(await outputs()).toEqual({
      level: 40,
      name: "maintainer",
      id: { container_id: "42", key: "eu:west" },
      whole: { container_id: "42", key: null },
    });
  });

  test("an invalid argument is an error of the call that names the argument and lists what is valid", async () => {
    declare({ output: { level: { value: '${provider::steward::access_level("boss")}' } } });
    const { code, err } = await place.run(["plan", "--config", "."]);
    expect(code).toBe(1);
    expect(err.replace(/\s+/g, " ")).toContain(
      '"boss" is not the name of an access level. The names are no_access (0)',
    );
  });
});

describeFeature("identity", ["embedded-engine"], () => {
  const ENVIRONMENT = "steward_protected_environment";
  const IDENTITY = { project: "1", name: "production" };
  const declared = (level: number) =>
    declare({
      resource: {
        [ENVIRONMENT]: {
          production: {
            project: "acme/shop",
            name: "production",
            deploy_access_levels: [{ access_level: level }],
          },
        },
      },
    });
  const instance = () => {
    const state = JSON.parse(place.read("terraform.tfstate")) as {
      resources: { instances: Record<string, unknown>[] }[];
    };
    return { state, stored: state.resources[0]!.instances[0]! };
  };
  const shown = async (file: string) =>
    JSON.parse((await place.run(["show", file, "--json"])).out) as {
      values: { root_module: { resources: object[] } };
      resource_changes: { change: object }[];
    };
  beforeEach(async () => {
    declared(40);
    await succeed("apply", "--auto-approve");
  });

  test("the identity is in the state, and in the JSON of states and plans", async () => {
    const identified = { identity_schema_version: 0, identity: IDENTITY };
    expect(instance().stored).toMatchObject(identified);
    expect((await shown("terraform.tfstate")).values.root_module.resources).toMatchObject([identified]);
    declared(30);
    await succeed("plan", "--out", "plan.steward");
    const { resource_changes: changes } = await shown("plan.steward");
    expect(changes).toMatchObject([{ change: { before_identity: IDENTITY, after_identity: IDENTITY } }]);
    expect((await place.run(["apply", "plan.steward"])).code).toBe(0);
    expect(instance().stored).toMatchObject(identified);
  });

  test("a state of an older release lacks identities: its plans and saved plans work, and an apply adds them", async () => {
    const { state, stored } = instance();
    delete stored["identity"];
    delete stored["identity_schema_version"];
    place.write("terraform.tfstate", state);
    await succeed("plan", "--detailed-exitcode", "--out", "plan.steward");
    expect((await place.run(["apply", "plan.steward"])).code).toBe(0);
    await succeed("apply", "--auto-approve");
    expect(instance().stored).toMatchObject({ identity_schema_version: 0, identity: IDENTITY });
    const text = place.read("terraform.tfstate");
    await succeed("apply", "--auto-approve");
    expect(place.read("terraform.tfstate")).toBe(text);
  });

  test("an identity of a newer version of its schema is refused, and one with other attributes is completed", async () => {
    const { state, stored } = instance();
    stored["identity_schema_version"] = 1;
    place.write("terraform.tfstate", state);
    const { code, err } = await place.run(["plan", "--config", "."]);
    expect(code).toBe(1);
    expect(err).toContain("State of a newer release");
    Object.assign(stored, { identity_schema_version: 0, identity: { colour: "red" } });
    place.write("terraform.tfstate", state);
    declared(30);
    await succeed("apply", "--auto-approve");
    expect(instance().stored).toMatchObject({ identity_schema_version: 0, identity: IDENTITY });
  });

  test("the identity of a sensitive name is not in a saved plan", async () => {
    declare({
      variable: { name: { type: "string", sensitive: true, default: "staging" } },
      resource: {
        [ENVIRONMENT]: {
          production: {
            project: "acme/shop",
            name: "${var.name}",
            deploy_access_levels: [{ access_level: 40 }],
          },
        },
      },
    });
    await succeed("apply", "--auto-approve");
    await succeed("plan", "--out", "plan.steward");
    expect(instance().stored).toMatchObject({ identity: { name: "staging" } });
    expect(place.read("plan.steward")).not.toContain('"staging"');
  });

  test("the schema lists identities", async () => {
    const { out } = await place.run(["schema"]);
    const [{ resource_identity_schemas: schemas }] = Object.values(
      (JSON.parse(out) as { provider_schemas: Record<string, { resource_identity_schemas: object }> })
        .provider_schemas,
    ) as [{ resource_identity_schemas: Record<string, { attributes: object }> }];
    expect(Object.keys(schemas[ENVIRONMENT]!.attributes)).toEqual(["name", "project"]);
  });
});
