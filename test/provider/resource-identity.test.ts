import { createProvider } from "../../src/provider";
import type { ValueObject } from "../../src/schema";
import { containerOf, describeEvery, SAMPLES } from "./samples";
import { Host } from "./support/host";
import { PROJECT, USER, useWorld } from "./support/world";

// Tests the identity of objects: Terraform's import blocks, lists and states refer to an object by its identity. Every
// test that uses `Host` also checks that the identity of an object does not change.

const world = useWorld();
const provider = createProvider();
const { resources } = provider.schema;

/** The attributes of each resource's identity, with their presence. Exactly one of the attributes with `?` is given. */
const IDENTITIES = {
  steward_container_protection_rule: ["project", "rule_id"],
  steward_group_invitation: ["group", "email?", "user?"],
  steward_job_token_allowlist: ["project"],
  steward_job_token_allowlist_group: ["project", "target_group"],
  steward_job_token_allowlist_project: ["project", "target_project"],
  steward_job_token_scope: ["project"],
  steward_pages_settings: ["project"],
  steward_project_invitation: ["project", "email?", "user?"],
  steward_protected_environment: ["project", "name"],
};

const PATHS = { project: "acme/web", group: "acme/platform" };

test("the identity of each resource consists of the project or group and the key", () => {
  const described = Object.entries(resources).map(([type, { identity }]) => [
    type,
    Object.entries(identity!.attributes).map(([name, { presence }]) =>
      presence === "required" ? name : `${name}?`,
    ),
  ]);
  expect(Object.fromEntries(described)).toEqual(IDENTITIES);
});

test("in identities, the value of rule_id is a number, and every other value is a text", () => {
  for (const [type, { identity }] of Object.entries(resources)) {
    for (const [name, attribute] of Object.entries(identity!.attributes)) {
      const isText = ["string", "reference"].includes(attribute.type.kind);
      expect([type, name, isText]).toEqual([type, name, name !== "rule_id"]);
    }
  }
});

describeEvery((type, { config, id }) => {
  const kind = containerOf(type);

  test("an object's identity agrees with the object's id in states, imports and lists, also after a rename of the project", async () => {
    const host = new Host(world(), type);
    const made = await host.bring(undefined, config);
    const [container = ""] = id.split(":");
    expect(made.identity![kind]).toBe(container);
    const values = Object.values(made.identity!).filter((value) => value !== null);
    expect(values.map(String).join(":")).toBe(id);
    const imported = await host.import(id);
    expect(imported.identity).toEqual(made.identity);
    expect(await host.importIdentity(made.identity!)).toEqual(imported);
    const byPath = await host.importIdentity({ ...made.identity, [kind]: PATHS[kind] });
    expect([byPath.identity, byPath.attributes]).toEqual([made.identity, imported.attributes]);
    const { objects } = await world().connect().listResource({ type, within: PATHS[kind] });
    for (const { state } of objects) expect(state.identity).toMatchObject({ [kind]: container });
    if (kind === "group") return;
    await world().http("PUT", `/projects/${PROJECT.web}`, { path: "renamed" });
    expect((await host.refresh(made))!.identity).toEqual(made.identity);
  });

  test("the provider refuses an identity that lacks its project, group or key, or has an unknown attribute", async () => {
    const { identity } = await new Host(world(), type).bring(undefined, config);
    const without = (name: string) => ({ ...identity, [name]: null });
    const wrong = [{}, without(kind), { ...identity, colour: "red" }];
    const keys = Object.keys(identity!).filter((name) => name !== kind);
    if (keys.length > 0) wrong.push({ [kind]: identity![kind]! });
    for (const one of wrong) {
      const { state, diagnostics } = await world()
        .connect()
        .importResource({ type, identity: one as ValueObject });
      expect(state).toBeUndefined();
      expect(diagnostics).toMatchObject([{ code: "invalid_import_id", summary: "Invalid import identity" }]);
      expect(diagnostics[0]!.detail).toContain(`It must have exactly \`${kind}\``);
    }
  });

  test("if no object has the imported identity, the error shows the identity", async () => {
    const identity = { ...(await new Host(world(), type).bring(undefined, config)).identity, [kind]: "999" };
    const { diagnostics } = await world().connect().importResource({ type, identity });
    expect(diagnostics).toMatchObject([{ code: "import_not_found" }]);
    expect(diagnostics[0]!.detail).toContain(`{ ${kind} = "999"`);
  });
});

test("an import by identity accepts paths for target projects and usernames for users", async () => {
  const host = (type: string) => new Host(world(), type);
  const project = host("steward_job_token_allowlist_project");
  await project.bring(undefined, SAMPLES["steward_job_token_allowlist_project"]!.config);
  const target = SAMPLES["steward_job_token_allowlist_project"]!.id.replace(/.*:/, "");
  const identity = { project: "acme/web", target_project: "acme/tools" };
  expect((await project.importIdentity(identity)).identity).toEqual({ project: "1", target_project: target });

  const invitation = host("steward_project_invitation");
  await invitation.bring(undefined, { project: "acme/web", user: "stranger", access_level: 20 });
  const { identity: known } = await invitation.importIdentity({ project: "acme/web", user: "stranger" });
  expect(known).toEqual({ project: "1", email: null, user: String(USER.stranger) });
});

test("an import refuses the identity of an invitation that has both an e-mail address and a user", async () => {
  const identity = { project: "1", email: "ada@example.com", user: "21" };
  const { diagnostics } = await world()
    .connect()
    .importResource({ type: "steward_project_invitation", identity });
  expect(diagnostics[0]!.detail).toContain("exactly `project`, and one of `email` and `user`");
});

test("the provider sends no request for an identity whose rule_id is not a whole number", async () => {
  const { service } = world();
  const before = service.requests.count();
  const identity = { project: "1", rule_id: 7.5 };
  const { diagnostics } = await world()
    .connect()
    .importResource({ type: "steward_container_protection_rule", identity });
  expect(diagnostics).toMatchObject([{ code: "invalid_import_id" }]);
  expect(service.requests.count()).toBe(before);
});

test("the plan of a new object contains no identity", async () => {
  const { planned } = await new Host(world(), "steward_protected_environment").plan(
    undefined,
    SAMPLES["steward_protected_environment"]!.config,
  );
  expect(planned).not.toHaveProperty("identity");
});

test("if the state of an older release has no identity, a read adds the identity", async () => {
  const host = new Host(world(), "steward_job_token_scope");
  const { identity, ...older } = await host.bring(undefined, { project: "acme/web", inbound_enabled: true });
  expect((await host.refresh(older))!.identity).toEqual(identity);
});

test("the upgrade of an identity drops attributes that the schema lacks, and sets missing attributes to null", () => {
  const type = "steward_protected_environment";
  const upgrade = (version: number, identity: ValueObject) =>
    provider.upgradeIdentity!(type, version, identity);
  expect(upgrade(0, { project: "1", name: "qa", colour: "red" })).toEqual({
    attributes: { project: "1", name: "qa" },
    diagnostics: [],
  });
  expect(upgrade(0, { name: "qa" }).attributes).toEqual({ project: null, name: "qa" });
  expect(upgrade(1, {})).toMatchObject({
    diagnostics: [
      {
        code: "state_schema_newer",
        detail: expect.stringContaining("identity of this steward_protected_environment"),
      },
    ],
  });
});
