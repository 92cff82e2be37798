import { compareStrictness } from "../../src/provider";

const level = (access_level: number) => ({ access_level });
const deploys = (...entries: object[]) => ({ deploy_access_levels: entries, approval_rules: [] });
const approves = (...rules: object[]) => ({ deploy_access_levels: [level(40)], approval_rules: rules });

/** The rows: the type, the values before and after, and how the access compares. */
const ROWS: readonly [string, object | null, object | null, string][] = [
  ["job_token_scope", { inbound_enabled: false }, { inbound_enabled: true }, "tighter"],
  ["job_token_scope", { inbound_enabled: null }, { inbound_enabled: false }, "looser"],
  ["job_token_scope", null, null, "equal"],
  ["job_token_allowlist", { target_projects: ["a/b", "a/c"] }, { target_projects: ["A/B"] }, "tighter"],
  ["job_token_allowlist", { target_projects: ["a/b"] }, { target_projects: ["a/c"] }, "mixed"],
  [
    "job_token_allowlist",
    { target_projects: ["a/b"], target_groups: [] },
    { target_projects: [], target_groups: ["a"] },
    "mixed",
  ],
  ["job_token_allowlist", { target_projects: null }, { target_projects: ["a/b"] }, "tighter"],
  ["job_token_allowlist_project", null, { target_project: "a/b" }, "looser"],
  ["protected_environment", null, deploys(level(40)), "tighter"],
  ["protected_environment", deploys(level(30)), deploys(level(40)), "tighter"],
  ["protected_environment", deploys(level(40)), deploys(level(40), { user: "ada" }), "looser"],
  [
    "protected_environment",
    deploys({ group: "a", group_inheritance_type: 1 }),
    deploys({ group: "a" }),
    "tighter",
  ],
  ["protected_environment", deploys({ user: "ada" }), deploys({ group: "a" }), "mixed"],
  [
    "protected_environment",
    deploys(level(40)),
    deploys({ access_level: 40, group_inheritance_type: null }),
    "equal",
  ],
  ["protected_environment", approves(), approves({ ...level(40), required_approvals: 1 }), "tighter"],
  [
    "protected_environment",
    approves({ ...level(40), required_approvals: 2 }),
    approves({ ...level(40) }),
    "looser",
  ],
  ["protected_environment", approves({ ...level(30) }), approves({ ...level(40) }), "tighter"],
  ["pages_settings", { force_https: true }, { force_https: false, primary_domain: "a.example" }, "looser"],
  [
    "container_protection_rule",
    { minimum_access_level_for_push: "maintainer", minimum_access_level_for_delete: "admin" },
    { minimum_access_level_for_push: "owner", minimum_access_level_for_delete: null },
    "mixed",
  ],
  ["project_invitation", { access_level: 30 }, null, "tighter"],
  ["project_invitation", { access_level: 30 }, { access_level: 30, expires_at: "2030-01-01" }, "tighter"],
  [
    "group_invitation",
    { access_level: 30, expires_at: "2030-01-01" },
    { access_level: 30, expires_at: "2031-01-01" },
    "looser",
  ],
];

const OPPOSITE: Readonly<Record<string, string>> = { tighter: "looser", looser: "tighter" };

describe("compareStrictness", () => {
  it.each(ROWS)(
    "for a %s, the change from %j to %j is %s, and the reverse change has the opposite result",
    (type, before, after, expected) => {
      const compare = (one: object | null, other: object | null) =>
        compareStrictness(
          `steward_${type}`,
          one as Record<string, unknown>,
          other as Record<string, unknown>,
        );
      expect(compare(before, after)).toBe(expected);
      expect(compare(after, before)).toBe(OPPOSITE[expected] ?? expected);
      expect([compare(before, before), compare(after, after)]).toEqual(["equal", "equal"]);
    },
  );
});

it("a change from target_groups = [] to omitted target_groups neither tightens nor loosens access", () => {
  const [empty, none] = [{ target_groups: [] }, { target_groups: null }];
  expect(compareStrictness("steward_job_token_allowlist", empty, none)).toBe("equal");
  expect(compareStrictness("steward_job_token_allowlist", none, empty)).toBe("tighter");
});
