import type { FixtureInput } from "cdktf-provider-steward/testing";
import fc from "fast-check";
import type { SnapshotOptions } from "../../../src/snapshot";
import { email, pattern, segment, text, WORD } from "./names";

type ContainerSelection = SnapshotOptions["selection"];

type ProjectInput = NonNullable<FixtureInput["projects"]>[number];
type GroupInput = NonNullable<FixtureInput["groups"]>[number];

const USERS = 5;
/** The index of each group's parent; undefined for a top-level group. Parents come before their children. */
const GROUP_PARENTS = [undefined, 0, 1, undefined, undefined, 4] as const;
/** The index of each project's group. The last project is in a personal namespace. */
const PROJECT_GROUPS = [0, 1, 2, 3, 5, undefined] as const;

const user = fc.nat(USERS - 1);
const group = fc.nat(GROUP_PARENTS.length - 1);
const project = fc.nat(PROJECT_GROUPS.length - 1);
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const role = fc.constantFrom("minimal", "guest", "reporter", "developer", "maintainer", "owner" as const);
const expiry = maybe(fc.constantFrom("2998-12-31", "2999-06-30"));
const visibility = fc.constantFrom("private", "private", "internal", "public" as const);
const environmentName = fc.constantFrom(
  "production",
  "staging",
  "review/*",
  "a b: c",
  "null",
  "# 1",
  "\u202eevil",
);

const joined = fc.record({
  members: fc.uniqueArray(fc.record({ user, role, expires_at: expiry }), {
    selector: (one) => one.user,
    maxLength: 3,
  }),
  shared_with: fc.uniqueArray(fc.record({ group, role, expires_at: expiry }), {
    selector: (one) => one.group,
    maxLength: 2,
  }),
  invitations: fc.uniqueArray(
    fc.record({
      email,
      role,
      expires_at: maybe(fc.constantFrom("2020-01-31", "2999-12-31", "2999-12-31T10:00:00.000Z")),
      created_at: fc.constantFrom("2026-01-31T10:20:30.123Z", "2026-02-01"),
      created_by: maybe(user),
      isQueued: fc.boolean(),
    }),
    { selector: (one) => one.email.toLowerCase(), maxLength: 2 },
  ),
  name: maybe(text),
  description: maybe(text),
  visibility,
});

const entry = fc.record({
  who: fc.oneof(
    fc.record({ user }),
    fc.record({ group }),
    fc.record({ access_level: fc.constantFrom(30, 40, 60) }),
  ),
  group_inheritance_type: maybe(fc.constantFrom(0, 1)),
});
const approval = fc.record({ entry, required_approvals: maybe(fc.integer({ min: 1, max: 3 })) });

const settings = fc.record({
  environments: fc.uniqueArray(
    fc.record({
      name: environmentName,
      tier: maybe(fc.constantFrom("production", "staging", "other" as const)),
      external_url: maybe(WORD.map((word) => `https://${word}.example/`)),
      description: maybe(text),
    }),
    { selector: (one) => one.name, maxLength: 3 },
  ),
  protections: fc.uniqueArray(
    fc.record({
      name: environmentName,
      levels: fc.array(entry, { minLength: 1, maxLength: 3 }),
      approvals: fc.array(approval, { maxLength: 2 }),
      count: fc.nat(2),
    }),
    { selector: (one) => one.name, maxLength: 2 },
  ),
  scope: maybe(
    fc.record({
      inbound_enabled: fc.boolean(),
      outbound_enabled: fc.boolean(),
      projects: fc.uniqueArray(project, { maxLength: 3 }),
      groups: fc.uniqueArray(group, { maxLength: 2 }),
    }),
  ),
  pages: maybe(
    fc.record({
      unique_domain_enabled: fc.boolean(),
      force_https: fc.boolean(),
      domains: fc.uniqueArray(WORD, { maxLength: 2 }),
      primary: fc.constantFrom("none", "host", "url"),
      deployments: fc.uniqueArray(
        fc.record({
          created_at: fc.constantFrom("2026-01-31T10:00:00.000Z", "2026-02-01"),
          path_prefix: fc.oneof(fc.constant(""), WORD),
          root_directory: maybe(fc.constantFrom("public", "qqqqzz")),
        }),
        { selector: (one) => one.path_prefix, maxLength: 2 },
      ),
    }),
  ),
  rules: fc.uniqueArray(
    fc.record({
      repository_path_pattern: pattern,
      levels: fc.constantFrom(
        { minimum_access_level_for_push: "maintainer" },
        { minimum_access_level_for_delete: "admin" },
        { minimum_access_level_for_push: "owner", minimum_access_level_for_delete: "owner" },
      ),
    }),
    { selector: (one) => one.repository_path_pattern, maxLength: 3 },
  ),
  topics: fc.uniqueArray(text, { maxLength: 2 }),
  default_branch: maybe(fc.oneof(fc.constant("master"), WORD)),
  archived: fc.boolean(),
});

const fold = (name: string): string => name.toLowerCase();

/**
 * Generates the fixture of an instance. The ids of groups begin at 101, the ids of projects at 201, and the ids of users at
 * 301.
 */
export const world: fc.Arbitrary<FixtureInput> = fc
  .record({
    segments: fc.uniqueArray(segment, { selector: fold, minLength: 12, maxLength: 12 }),
    usernames: fc.uniqueArray(segment, { selector: fold, minLength: USERS, maxLength: USERS }),
    users: fc.tuple(
      ...Array.from({ length: USERS }, () =>
        fc.record({
          name: maybe(text),
          email: maybe(email),
          state: fc.constantFrom("active", "active", "blocked" as const),
        }),
      ),
    ),
    groups: fc.tuple(...GROUP_PARENTS.map(() => joined)),
    projects: fc.tuple(...PROJECT_GROUPS.map(() => fc.record({ joined, settings }))),
    instance: fc.record({
      pages_enabled: maybe(fc.boolean()),
      pages_host: maybe(WORD.map((word) => `${word}.example`)),
    }),
    hasRole: fc.boolean(),
  })
  .map((drawn) => {
    const { segments } = drawn;
    // Usernames begin with x, so that no username equals the path of a top-level group: both are names of namespaces.
    const usernames = drawn.usernames.map((name) => `x${name}`);
    const groupPaths: string[] = [];
    for (const [at, parent] of GROUP_PARENTS.entries())
      groupPaths.push(parent === undefined ? segments[at]! : `${groupPaths[parent]}/${segments[at]}`);
    const projectPaths = PROJECT_GROUPS.map(
      (parent, at) => `${parent === undefined ? usernames[0] : groupPaths[parent]}/${segments[6 + at]}`,
    );
    const addresses = new Set<string>();
    const users = drawn.users.map(({ name, email: address, state }, at) => {
      const isFree = address !== undefined && !addresses.has(fold(address));
      if (isFree) addresses.add(fold(address));
      return { username: usernames[at]!, id: 301 + at, name, state, ...(isFree && { email: address }) };
    });
    const addressOf = (at: number) => users[at]!.email ?? `${usernames[at]}@example.com`;
    const named = ({
      user: who,
      group: which,
      ...level
    }: {
      user?: number;
      group?: number;
      access_level?: number;
    }) => ({
      ...level,
      ...(who !== undefined && { user: usernames[who]! }),
      ...(which !== undefined && { group: groupPaths[which]! }),
    });
    const joinedOf = (
      { members, shared_with, invitations, ...record }: (typeof drawn.groups)[number],
      own: string,
      customRole?: number,
    ) => ({
      ...record,
      members: members.map(({ user: at, ...member }, index) => ({
        user: usernames[at]!,
        ...member,
        ...(customRole !== undefined &&
          index === 0 && { role: "developer" as const, member_role: customRole }),
      })),
      shared_with: shared_with
        .filter((share) => groupPaths[share.group] !== own)
        .map(({ group: at, ...share }) => ({ group: groupPaths[at]!, ...share })),
      invitations: invitations.flatMap(({ created_by, isQueued, email: address, ...invitation }, index) => {
        const queued = isQueued && invitations.length === 1;
        return [
          {
            ...invitation,
            email: queued ? addressOf(index) : address,
            ...(queued && { queued_user: usernames[index]! }),
            ...(created_by !== undefined && { created_by: usernames[created_by]! }),
          },
        ];
      }),
    });
    const takenDomains = new Set<string>();
    return {
      instance: drawn.instance,
      users,
      groups: drawn.groups.map(
        (one, at): GroupInput => ({
          path: groupPaths[at]!,
          id: 101 + at,
          ...joinedOf(one, groupPaths[at]!, drawn.hasRole && at === 1 ? 51 : undefined),
          ...(drawn.hasRole &&
            at === 0 && { member_roles: [{ id: 51, name: "Qzqzqz", base_role: "developer" as const }] }),
        }),
      ),
      projects: drawn.projects.map(({ joined: one, settings: set }, at): ProjectInput => {
        const domains = (set.pages?.domains ?? [])
          .map((word) => `${word}.example`)
          .filter((domain) => !takenDomains.has(domain));
        for (const domain of domains) takenDomains.add(domain);
        const [first] = domains;
        const primary = set.pages?.primary === "none" || first === undefined ? undefined : first;
        return {
          path: projectPaths[at]!,
          id: 201 + at,
          ...joinedOf(one, ""),
          topics: set.topics,
          archived: set.archived,
          default_branch: set.default_branch,
          environments: set.environments,
          ...(set.scope && {
            job_token_scope: {
              ...set.scope,
              projects: set.scope.projects.map((target) => projectPaths[target]!),
              groups: set.scope.groups.map((target) => groupPaths[target]!),
            },
          }),
          protected_environments: set.protections.map(({ name, levels, approvals, count }) => ({
            name,
            required_approval_count: count,
            deploy_access_levels: levels.map(({ who, ...more }) => ({ ...named(who), ...more })),
            approval_rules: approvals.map(({ entry: { who, ...more }, required_approvals }) => ({
              ...named(who),
              ...more,
              required_approvals,
            })),
          })),
          ...(set.pages && {
            pages: {
              unique_domain_enabled: set.pages.unique_domain_enabled,
              force_https: set.pages.force_https,
              domains,
              deployments: set.pages.deployments,
              ...(primary && {
                primary_domain: set.pages.primary === "url" ? `https://${primary}` : primary,
              }),
            },
          }),
          container_rules: set.rules.map(({ repository_path_pattern, levels }, index) => ({
            id: 1000 * (at + 1) - index,
            repository_path_pattern,
            ...(levels as { minimum_access_level_for_push?: "maintainer" }),
          })),
        };
      }),
    } satisfies FixtureInput;
  });

const named = fc.record({
  names: fc.uniqueArray(fc.constantFrom("101", "102", "104", "105", "201", "203", "206"), {
    minLength: 1,
    maxLength: 3,
  }),
  contents: fc.constantFrom("none", "direct", "nested" as const),
});

/** Generates a selection: of some groups and projects, or of all. */
export const selected: fc.Arbitrary<ContainerSelection> = fc.oneof(
  { arbitrary: named, weight: 4 },
  { arbitrary: fc.constant({ names: [], contents: "none", all: {} } as const), weight: 1 },
);
/** Generates a selection of some groups and projects. */
export const selectedByName = named;
