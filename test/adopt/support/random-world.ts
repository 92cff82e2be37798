import type { FixtureInput } from "cdktf-provider-steward/testing";
import fc from "fast-check";
import { HOSTILE_NAMES } from "../groups/odd";
import { PEOPLE } from "../groups/people";

type Project = NonNullable<FixtureInput["projects"]>[number];
type Settings = Omit<Project, "path">;

const PROJECTS = ["g/web", "g/web.shop", "g/web-shop", "g/sub/web", "g/sub/1st", "g/a--b", "g/sub/A_b"];
const GROUPS = ["g", "g/sub", "g/team"];

const names = fc.oneof(
  fc.constantFrom("production", "staging", "review/*", ...HOSTILE_NAMES),
  fc
    .array(
      fc.oneof(
        fc.constantFrom("${", "%{", "$", "`", "\\", '"', "'", "/", "{TfToken[TOKEN.3]}"),
        fc.string({ maxLength: 4 }),
      ),
    )
    .map((parts) => parts.join(""))
    .filter((name) => name.length > 0 && name.length <= 200),
);

const level = fc.constantFrom(30, 40, 60);
const subject = fc.oneof(
  level.map((access_level) => ({ access_level })),
  fc.constant({ user: "devon" }),
  fc.constantFrom(0, 1).map((group_inheritance_type) => ({ group: "g/team", group_inheritance_type })),
);
const subjectKey = (one: object): string =>
  JSON.stringify({ ...one, group_inheritance_type: 0, required_approvals: 0 });
const subjects = fc.uniqueArray(subject, { minLength: 1, maxLength: 3, selector: subjectKey });
const approvals = fc.uniqueArray(
  fc
    .tuple(subject, fc.integer({ min: 1, max: 3 }))
    .map(([one, required_approvals]) => ({ ...one, required_approvals })),
  { maxLength: 2, selector: subjectKey },
);

const environment = fc.record({ name: names, deploy_access_levels: subjects, approval_rules: approvals });

const ruleLevel = fc.constantFrom("maintainer" as const, "owner" as const, "admin" as const);
const rule = fc
  .record({
    pattern: fc.constantFrom("*", "release*", "${x}*", "`%{y}`", "images/base"),
    isBelow: fc.boolean(),
    minimum_access_level_for_push: ruleLevel,
    minimum_access_level_for_delete: fc.option(ruleLevel, { nil: undefined }),
  })
  .map(({ pattern, isBelow, ...levels }) => (path: string) => ({
    repository_path_pattern: isBelow ? `${path}/${pattern}` : pattern,
    ...(levels.minimum_access_level_for_delete === undefined
      ? { minimum_access_level_for_push: levels.minimum_access_level_for_push }
      : (levels as Required<typeof levels>)),
  }));

const invitations = fc.uniqueArray(
  fc.record({
    email: fc.constantFrom("ada@example.com", "grace.hopper@example.com", "o'neill+x@example.com"),
    role: fc.constantFrom("guest" as const, "developer" as const, "owner" as const),
  }),
  { maxLength: 2, selector: ({ email }) => email },
);

const settings: fc.Arbitrary<(path: string) => Settings> = fc
  .record({
    inbound_enabled: fc.boolean(),
    projects: fc.subarray(["g/web", "g/sub/web", "g/a--b"]),
    groups: fc.subarray(GROUPS),
    protected_environments: fc.uniqueArray(environment, { maxLength: 3, selector: ({ name }) => name }),
    rules: fc.array(rule, { maxLength: 2 }),
    pages: fc.record({ unique_domain_enabled: fc.boolean(), force_https: fc.boolean() }),
    invitations,
    archived: fc.constantFrom(false, false, false, true),
  })
  .map(({ inbound_enabled, projects, groups, rules, ...rest }) => (path: string): Settings => {
    const patterns = new Map(rules.map((make) => [make(path).repository_path_pattern, make(path)]));
    return {
      ...rest,
      job_token_scope: { inbound_enabled, projects: projects.filter((target) => target !== path), groups },
      container_rules: [...patterns.values()],
      members: [{ user: "devon", role: "developer" }],
      shared_with: [{ group: "g/team", role: "developer" }],
    };
  });

/** Generates a group with some projects and hostile names. Several of these projects often have the same settings. */
export const randomWorlds: fc.Arbitrary<FixtureInput> = fc
  .record({
    kinds: fc.array(settings, { minLength: 1, maxLength: 3 }),
    projects: fc.subarray(PROJECTS, { minLength: 1 }),
    picks: fc.array(fc.nat(), { minLength: PROJECTS.length, maxLength: PROJECTS.length }),
    groupInvitations: invitations,
  })
  .map(({ kinds, projects, picks, groupInvitations }) => ({
    users: [...PEOPLE, { username: "devon" }],
    groups: [
      { path: "g", members: [{ user: "maya", role: "owner" }], invitations: groupInvitations },
      { path: "g/sub" },
      { path: "g/team", members: [{ user: "devon", role: "developer" }] },
    ],
    projects: PROJECTS.map((path, at) => ({
      path,
      ...(projects.includes(path) ? kinds[picks[at]! % kinds.length]!(path) : {}),
    })),
  }));
