import { PROJECT } from "../../src/provider/samples/company";
import type { Value, ValueObject } from "../../src/schema";
import type { FixtureInput } from "../../src/service";

/** The ids of the company's objects. These ids are so large that the service never assigns one of them. */
export const ID = {
  owner: 900_001,
  devon: 900_002,
  maya: 900_003,
  /** A user without a role, so that the first role waits for an administrator if promotions need approval. */
  idle: 900_004,
  acme: 900_011,
  platform: 900_012,
  approvers: 900_013,
  crowd: 900_014,
  web: 900_021,
  tools: 900_022,
  crowded: 900_023,
  /** A project whose Pages settings the tests change. Each test first sets all of these settings. */
  site: 900_024,
  reviewer: 900_031,
} as const;

/** The ids of the objects in this company, by the names that samples use. */
const NAMED: Readonly<Record<string, number>> = {
  devon: ID.devon,
  acme: ID.acme,
  "acme/platform": ID.platform,
  "acme/approvers": ID.approvers,
  "acme/web": ID.web,
  "acme/docs": ID.web,
  "acme/tools": ID.tools,
  [PROJECT.runner]: ID.crowded,
};

/** Returns the declaration of a sample with ids instead of names, so that the provider needs no look-up. */
export function inIds(value: ValueObject): ValueObject {
  const one = (given: Value): Value => {
    if (typeof given === "string") return given in NAMED ? String(NAMED[given]) : given;
    if (Array.isArray(given)) return given.map(one);
    return typeof given === "object" && given !== null ? inIds(given as ValueObject) : given;
  };
  return Object.fromEntries(Object.entries(value).map(([name, given]) => [name, one(given)]));
}

export const OWNER_TOKEN = "token-of-the-owner";

/** The numbers of 101 records: one record more than fits on a page. */
const MANY = Array.from({ length: 101 }, (_unused, index) => index + 1);

/**
 * The ids of projects with published Pages. Only a fixture can create published Pages, so each run of a test uses a
 * different project.
 */
export const PUBLISHED: readonly number[] = MANY.map((index) => 940_000 + index);

const text = (index: number): string => String(index).padStart(3, "0");

/** A company in which no field of a record is empty, if a fixture can set the field. */
export const COMPANY: FixtureInput = {
  users: [
    { username: "owner", id: ID.owner, admin: true, token: OWNER_TOKEN },
    {
      username: "devon",
      id: ID.devon,
      name: "Devon Achebe",
      email: "devon@acme.example",
      enterprise_group: "acme",
      created_at: "2024-03-01T10:00:00Z",
      two_factor_enabled: true,
      profile: {
        bio: "Builds",
        location: "Accra",
        public_email: "public@acme.example",
        commit_email: "commits@acme.example",
        skype: "devon.s",
        linkedin: "devon-l",
        twitter: "devon-t",
        website_url: "https://devon.example",
        organization: "Acme",
        job_title: "Engineer",
        pronouns: "they/them",
        work_information: "Engineer at Acme",
        avatar_url: "https://avatars.example/devon.png",
        last_sign_in_at: "2025-01-01T00:00:00Z",
        current_sign_in_at: "2025-01-02T00:00:00Z",
        last_activity_on: "2025-01-02",
      },
      identities: [{ provider: "group_saml", extern_uid: "devon@acme", saml_provider_id: 7 }],
      scim_identities: [{ group: "acme", extern_uid: "devon-scim" }],
    },
    {
      username: "maya",
      id: ID.maya,
      name: "Maya Lindqvist",
      enterprise_group: "acme",
      state: "blocked",
      created_at: "2020-03-01T10:00:00Z",
    },
    { username: "idle", id: ID.idle },
    ...MANY.map((index) => ({
      username: `user-${text(index)}`,
      id: 910_000 + index,
      enterprise_group: "crowd",
    })),
  ],
  groups: [
    {
      path: "acme",
      id: ID.acme,
      members: [
        { user: "owner", role: "owner" },
        { user: "devon", role: "developer" },
        { user: "maya", role: "developer" },
      ],
      member_roles: [{ id: ID.reviewer, name: "Reviewer", base_role: "developer" }],
      invitations: [
        { email: "ada@acme.example", role: "developer", expires_at: "2035-12-31", created_by: "owner" },
        { email: "grace@acme.example", role: "reporter", created_by: "owner" },
      ],
    },
    { path: "acme/platform", id: ID.platform, members: [{ user: "owner", role: "owner" }] },
    { path: "acme/approvers", id: ID.approvers, members: [{ user: "owner", role: "owner" }] },
    {
      path: "crowd",
      id: ID.crowd,
      members: [{ user: "owner", role: "owner" }],
      invitations: MANY.map((index) => ({ email: `guest-${text(index)}@crowd.example`, role: "guest" })),
    },
    ...MANY.map((index) => ({ path: `crowd/group-${text(index)}`, id: 920_000 + index })),
  ],
  projects: [
    {
      path: "acme/platform/web",
      id: ID.web,
      shared_with: [{ group: "acme/approvers", role: "developer" }],
      job_token_scope: {
        inbound_enabled: true,
        outbound_enabled: true,
        projects: ["acme/platform/tools"],
        groups: ["acme/platform"],
      },
      protected_environments: [
        {
          name: "production",
          deploy_access_levels: [
            { user: "devon" },
            { group: "acme/approvers", group_inheritance_type: 1 },
            { access_level: 40 },
          ],
          approval_rules: [
            { user: "devon" },
            { group: "acme/approvers", group_inheritance_type: 1, required_approvals: 2 },
            { access_level: 60, required_approvals: 3 },
          ],
          required_approval_count: 4,
        },
      ],
      pages: {
        unique_domain_enabled: true,
        domains: ["web.example.com", "www.example.com"],
        primary_domain: "web.example.com",
        deployments: [
          { created_at: "2025-01-01T00:00:00Z", root_directory: "public" },
          { created_at: "2025-01-02T00:00:00Z", path_prefix: "next", root_directory: "dist" },
        ],
      },
      container_rules: [
        {
          repository_path_pattern: "acme/platform/web/release*",
          minimum_access_level_for_push: "maintainer",
          minimum_access_level_for_delete: "owner",
        },
      ],
      invitations: [
        { email: "ada@acme.example", role: "developer", expires_at: "2035-12-31", created_by: "owner" },
        { email: "grace@acme.example", role: "reporter", created_by: "owner" },
      ],
    },
    {
      path: "acme/platform/tools",
      id: ID.tools,
      description: "Scripts that bring a release to production",
      topics: ["tooling"],
      star_count: 3,
    },
    {
      path: "acme/platform/site",
      id: ID.site,
      pages: { domains: ["site.example.com"], deployments: [{ root_directory: "public" }] },
    },
    {
      path: "crowd/crowded",
      id: ID.crowded,
      job_token_scope: {
        projects: MANY.map((index) => `crowd/project-${text(index)}`),
        groups: MANY.map((index) => `crowd/group-${text(index)}`),
      },
      protected_environments: MANY.map((index) => ({
        name: `environment-${text(index)}`,
        deploy_access_levels: [{ access_level: 40 }],
      })),
      container_rules: MANY.map((index) => ({
        repository_path_pattern: `crowd/crowded/${text(index)}`,
        minimum_access_level_for_push: "admin",
      })),
      invitations: MANY.map((index) => ({ email: `guest-${text(index)}@crowd.example`, role: "guest" })),
    },
    ...MANY.map((index) => ({ path: `crowd/project-${text(index)}`, id: 930_000 + index })),
    ...PUBLISHED.map((id) => ({ path: `crowd/published-${id}`, id, pages: { deployments: [{}] } })),
  ],
  templates: [
    { key: "Node", content: "image: node" },
    ...MANY.map((index) => ({ key: `Template-${text(index)}`, content: "image: plain" })),
  ],
};
