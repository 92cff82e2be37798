import { formatPath } from "../../src/diagnostics";
import { createProvider } from "../../src/provider";
import { UNKNOWN, type ValueObject } from "../../src/schema";
import { Host } from "./support/host";
import { providerConfig, type World } from "./support/world";

// Errors of a declaration are found without a request, and have the path of the attribute. The conformance tests cover
// the rules that all attributes share.

const provider = createProvider();
const told = (type: string, config: ValueObject) =>
  new Host({ provider } as World, `steward_${type}`)
    .validate(config)
    .map(({ code, attribute, detail }) => [code, formatPath(attribute!), detail]);

type Declared = [type: string, config: ValueObject];
const environment = (more: ValueObject): Declared => [
  "protected_environment",
  { project: "acme/web", name: "production", deploy_access_levels: [{ access_level: 40 }], ...more },
];
const levels = (...deploy_access_levels: readonly ValueObject[]) => environment({ deploy_access_levels });
const rule = (more: ValueObject): Declared => [
  "container_protection_rule",
  { project: "acme/web", repository_path_pattern: "acme/web/*", ...more },
];
const NONE = "Exactly one of user, group and access_level";

type Refused = [declared: Declared, at: string, detail: string];
test.each<Refused>([
  ...[
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
  ].map(
    (project): Refused => [
      ["job_token_scope", { project }],
      "project",
      `${JSON.stringify(project)} is not a valid project`,
    ],
  ),
  [
    ["job_token_allowlist", { project: "1", target_projects: ["2", "tools"] }],
    'target_projects["tools"]',
    '"tools"',
  ],
  [
    ["job_token_allowlist", { project: "1", target_groups: ["acme", "a b"] }],
    'target_groups["a b"]',
    "is not a valid group",
  ],
  [
    ["job_token_allowlist", { project: "1", target_projects: [null] }],
    "target_projects[null]",
    "can't be null",
  ],
  [
    levels({ access_level: 40 }, { user: "devon@acme.example" }),
    'deploy_access_levels[user "devon@acme.example"].user',
    "a username",
  ],
  [levels({ access_level: 40 }, {}), "deploy_access_levels[{}]", NONE],
  [levels({ user: "devon", access_level: 40 }), 'deploy_access_levels[user "devon", access_level 40]', NONE],
  [
    levels({ user: UNKNOWN, group: "acme", access_level: 40 }),
    'deploy_access_levels[user (known after apply), group "acme", access_level 40]',
    NONE,
  ],
  ...[0, 10, 20, 35, 50, 61].map(
    (access_level): Refused => [
      levels({ access_level }),
      `deploy_access_levels[access_level ${access_level}].access_level`,
      "30 (Developer), 40 (Maintainer), 60 (Admin)",
    ],
  ),
  [
    levels({ group: "acme", group_inheritance_type: 2 }),
    'deploy_access_levels[group "acme"].group_inheritance_type',
    "",
  ],
  [
    levels({ user: "devon", group_inheritance_type: 1 }),
    'deploy_access_levels[user "devon"]',
    "is allowed only with group",
  ],
  ...[0, -1, 1.5].map(
    (required_approvals): Refused => [
      environment({ approval_rules: [{ user: "devon", required_approvals }] }),
      'approval_rules[user "devon"].required_approvals',
      "whole number above 0",
    ],
  ),
  [levels(), "deploy_access_levels", "At least one element"],
  [rule({}), "minimum_access_level_for_push", ""],
])("the value %j is refused at %s", ([type, config], at, detail) => {
  expect(told(type, config)).toEqual([["invalid_value", at, expect.stringContaining(detail)]]);
});

test.each<Declared>([
  ...["42", "acme/platform/ci-images", "Acme/Web.shop_2"].map(
    (project): Declared => ["job_token_scope", { project }],
  ),
  ["job_token_allowlist", { project: UNKNOWN, target_projects: UNKNOWN }],
  ["job_token_allowlist", { project: "1", target_projects: ["2", UNKNOWN] }],
  environment({ deploy_access_levels: [UNKNOWN] }),
  environment({ approval_rules: [] }),
  levels({ user: UNKNOWN }),
  // One of the two values is unknown and may be null in the end.
  levels({ user: UNKNOWN, access_level: 40 }),
  levels({ group: "acme", group_inheritance_type: 1 }, { user: "devon", group_inheritance_type: 0 }),
  rule({ minimum_access_level_for_push: UNKNOWN }),
  rule({ minimum_access_level_for_delete: "admin" }),
])("a %s with %j is valid, even if values are known only after apply", (type, config) => {
  expect(told(type, config)).toEqual([]);
});

test.each([
  ["auth_scheme", "basic"],
  ["request_timeout", 0],
  ["total_timeout", -5],
  ["max_attempts", 1.5],
  ["max_concurrency", 0],
  ["templates_path", "ci/templates"],
  ["templates_path", ""],
])(
  "the provider refuses the setting %s = %s, and accepts a configuration without settings",
  (name, value) => {
    const problems = (given: Record<string, string | number>) =>
      provider
        .validateProvider(providerConfig(provider, given))
        .map(({ attribute }) => formatPath(attribute!));
    expect(problems({ [name]: value })).toEqual([name]);
    expect(problems({})).toEqual([]);
  },
);

test("if the provider configuration is unusable, the diagnostic does not contain the token", () => {
  const config = providerConfig(provider, { base_url: "http://git.example.com", token: "secret-token" });
  const answer = provider.configure(config, {});
  expect(answer.provider).toBeUndefined();
  expect(answer.diagnostics).toMatchObject([{ severity: "error", code: "plain_http_refused" }]);
  expect(JSON.stringify(answer)).not.toContain("secret-token");
});
