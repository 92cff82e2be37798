import { formatPath } from "../../src/diagnostics";
import { createProvider } from "../../src/provider";
import { UNKNOWN, type ValueObject } from "../../src/schema";
import { Host } from "./support/host";
import { providerConfig, useWorld, type World } from "./support/world";

// What is wrong with a declaration is said before anything is sent, with the path of the attribute.

const provider = createProvider();
const host = (type: string) => new Host({ provider } as World, `steward_${type}`);
const told = (type: string, config: ValueObject) =>
  host(type)
    .validate(config)
    .map(({ code, attribute, detail }) => [code, formatPath(attribute!), detail]);

const environment = { project: "acme/web", name: "production", deploy_access_levels: [{ access_level: 40 }] };

describe("project, group and user", () => {
  test.each(["42", "acme/web", "acme/platform/ci-images", "Acme/Web.shop_2"])(
    "%s may be a project",
    (project) => {
      expect(told("job_token_scope", { project })).toEqual([]);
    },
  );

  test.each([
    "",
    "web",
    "0",
    "007",
    "-1",
    "acme/",
    "/web",
    "acme//web",
    "acme/my web",
    "https://git.example/acme",
  ])("%j is no project", (project) => {
    expect(told("job_token_scope", { project })).toEqual([
      [
        "invalid_value",
        "project",
        expect.stringContaining(`${JSON.stringify(project)} is not a valid project`),
      ],
    ]);
  });

  test("in a set, the element is named", () => {
    expect(
      told("job_token_allowlist", {
        project: "1",
        target_projects: ["2", "tools"],
        target_groups: ["acme", "a b"],
      }),
    ).toEqual([
      ["invalid_value", 'target_projects["tools"]', expect.stringContaining('"tools"')],
      ["invalid_value", 'target_groups["a b"]', expect.stringContaining("is not a valid group")],
    ]);
  });

  test("an e-mail address is no username", () => {
    const deploy_access_levels = [{ access_level: 40 }, { user: "devon@acme.example" }];
    expect(told("protected_environment", { ...environment, deploy_access_levels })).toEqual([
      [
        "invalid_value",
        'deploy_access_levels[user "devon@acme.example"].user',
        expect.stringContaining("a username"),
      ],
    ]);
  });

  test("a null among the elements is said as such", () => {
    expect(told("job_token_allowlist", { project: "1", target_projects: [null] })).toEqual([
      ["invalid_value", "target_projects[null]", expect.stringContaining("can't be null")],
    ]);
  });
});

describe("an element of an environment", () => {
  const levels = (...deploy_access_levels: ValueObject[]) =>
    told("protected_environment", { ...environment, deploy_access_levels });

  test.each<[ValueObject, string]>([
    [{}, "{}"],
    [{ user: "devon", access_level: 40 }, 'user "devon", access_level 40'],
    [{ user: "1", group: "acme", access_level: 40 }, 'user "1", group "acme", access_level 40'],
  ])("%j names none or more than one", (element, content) => {
    expect(levels({ access_level: 40 }, element)).toEqual([
      [
        "invalid_value",
        `deploy_access_levels[${content}]`,
        expect.stringContaining("Exactly one of user, group and access_level"),
      ],
    ]);
  });

  test.each([0, 10, 20, 35, 50, 61])("the level %d is none of three", (access_level) => {
    expect(levels({ access_level })).toEqual([
      [
        "invalid_value",
        `deploy_access_levels[access_level ${access_level}].access_level`,
        expect.stringContaining("30 (Developer), 40 (Maintainer), 60 (Admin)"),
      ],
    ]);
  });

  test("inheritance is 0 or 1, and 1 is allowed only with a group", () => {
    expect(levels({ group: "acme", group_inheritance_type: 2 })).toEqual([
      ["invalid_value", 'deploy_access_levels[group "acme"].group_inheritance_type', expect.anything()],
    ]);
    expect(levels({ user: "devon", group_inheritance_type: 1 })).toEqual([
      [
        "invalid_value",
        'deploy_access_levels[user "devon"]',
        expect.stringContaining("is allowed only with group"),
      ],
    ]);
    expect(
      levels({ group: "acme", group_inheritance_type: 1 }, { user: "devon", group_inheritance_type: 0 }),
    ).toEqual([]);
  });

  test.each([0, -1, 1.5])("%d is no count of approvals", (required_approvals) => {
    expect(
      told("protected_environment", {
        ...environment,
        approval_rules: [{ user: "devon", required_approvals }],
      }),
    ).toEqual([
      [
        "invalid_value",
        'approval_rules[user "devon"].required_approvals',
        expect.stringContaining("whole number above 0"),
      ],
    ]);
  });

  test("there must be at least one who may deploy, and need be none who approves", () => {
    expect(levels()).toEqual([
      ["invalid_value", "deploy_access_levels", expect.stringContaining("At least one element")],
    ]);
    expect(told("protected_environment", { ...environment, approval_rules: [] })).toEqual([]);
  });

  test("an environment has a name", () => {
    expect(told("protected_environment", { ...environment, name: "" })).toEqual([
      ["invalid_value", "name", expect.anything()],
    ]);
  });
});

describe("what is not known yet is passed over", () => {
  test.each([
    ["a whole attribute", "job_token_allowlist", { project: UNKNOWN, target_projects: UNKNOWN }],
    ["an element", "job_token_allowlist", { project: "1", target_projects: ["2", UNKNOWN] }],
    [
      "an element of nested attributes",
      "protected_environment",
      { ...environment, deploy_access_levels: [UNKNOWN] },
    ],
    ["who is named", "protected_environment", { ...environment, deploy_access_levels: [{ user: UNKNOWN }] }],
    [
      "one of two, which may turn out to be null",
      "protected_environment",
      { ...environment, deploy_access_levels: [{ user: UNKNOWN, access_level: 40 }] },
    ],
  ])("%s", (_, type, config) => {
    expect(told(type, config as ValueObject)).toEqual([]);
  });

  test("two declarations that are known are two", () => {
    const deploy_access_levels = [{ user: UNKNOWN, group: "acme", access_level: 40 }];
    expect(told("protected_environment", { ...environment, deploy_access_levels })).toHaveLength(1);
  });
});

describe("required and read-only", () => {
  test.each([
    ["job_token_scope", {}, ["project"]],
    ["job_token_allowlist_project", {}, ["project", "target_project"]],
    ["protected_environment", {}, ["project", "name", "deploy_access_levels"]],
  ])("%s says each attribute that is missing", (type, config, names) => {
    expect(told(type, config).map(([code, path]) => [code, path])).toEqual(
      names.map((name) => ["missing_attribute", name]),
    );
  });

  test("what the service alone sets can't be set", () => {
    expect(told("job_token_scope", { project: "1", outbound_enabled: true })).toEqual([
      ["read_only_attribute", "outbound_enabled", expect.anything()],
    ]);
  });
});

describe("the provider's own configuration", () => {
  const problems = (given: Record<string, string | number>) =>
    provider.validateProvider(providerConfig(provider, given)).map(({ attribute }) => formatPath(attribute!));

  test("nothing is required: the environment gives the rest", () => {
    expect(problems({})).toEqual([]);
  });

  test.each([
    ["auth_scheme", "basic"],
    ["request_timeout", 0],
    ["total_timeout", -5],
    ["max_attempts", 1.5],
    ["max_concurrency", 0],
    ["templates_path", "ci/templates"],
    ["templates_path", ""],
  ])("%s may not be %s", (name, value) => {
    expect(problems({ [name]: value })).toEqual([name]);
  });

  test("what can't be used is a diagnostic of configure, and asks nothing", () => {
    const config = providerConfig(provider, { base_url: "http://git.example.com", token: "secret-token" });
    const answer = provider.configure(config, {});
    expect(answer.provider).toBeUndefined();
    expect(answer.diagnostics).toMatchObject([{ severity: "error", code: "plain_http_refused" }]);
    expect(JSON.stringify(answer)).not.toContain("secret-token");
  });
});

describe("data sources", () => {
  const world = useWorld();
  const read = (type: string, config: ValueObject) => world().connect().readDataSource({ type, config });

  test("project: by id or path, with an id that can be passed on", async () => {
    const byPath = await read("steward_project", { project: "acme/web" });
    expect(byPath.diagnostics).toEqual([]);
    expect(byPath.attributes).toMatchObject({ id: "1", full_path: "acme/web", path: "web", archived: false });
    const { project: _, ...byId } = (await read("steward_project", { project: "1" })).attributes!;
    expect(byPath.attributes).toMatchObject(byId);
    expect((await read("steward_project", { project: "acme/archived" })).attributes).toMatchObject({
      archived: true,
    });
  });

  test("project: one that is not there is an error with the attribute", async () => {
    expect(await read("steward_project", { project: "acme/nowhere" })).toMatchObject({
      diagnostics: [{ severity: "error", code: "reference_not_found", attribute: ["project"] }],
    });
  });

  test("current_user: whose token it is", async () => {
    expect((await read("steward_current_user", {})).attributes).toMatchObject({
      id: "21",
      username: "maya",
      is_admin: false,
    });
    const run = world().connect("no-token-of-anybody");
    expect(await run.readDataSource({ type: "steward_current_user", config: {} })).toMatchObject({
      diagnostics: [{ severity: "error", code: "unauthorized" }],
    });
    const root = world().connect(world().service.adminToken);
    const { attributes } = await root.readDataSource({ type: "steward_current_user", config: {} });
    expect(attributes).toMatchObject({ username: "root", is_admin: true });
  });
});
