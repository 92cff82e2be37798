import type { Value, ValueObject } from "../../../src/provider/schema";
import { GROUP, type Http, MEMBER_ROLE, PROJECT, TOKEN, USER } from "./world";

/** How the conformance suite gets to know one resource. */
export interface Sample {
  /** A declaration that says something of every attribute. */
  readonly config: ValueObject;
  /** Another value for each attribute that can be declared, and what that does. */
  readonly variations: Readonly<Record<string, Value>>;
  /** What else has to change with an attribute, because only one of them may be declared. */
  readonly together?: Readonly<Record<string, ValueObject>>;
  /** Changes each attribute that is not the object's identity behind the code's back. */
  readonly byHand: Readonly<Record<string, (http: Http) => Promise<unknown>>>;
  /** Ends the object behind the code's back; absent where there is always one. */
  readonly deleteByHand?: (http: Http) => Promise<unknown>;
  /** What the service shows of the object after `destroy`; fails the test where anything is left. */
  readonly expectGone: (http: Http) => Promise<void>;
}

/** The declaration with one attribute changed, and what has to change with it. */
export const varied = ({ config, variations, together }: Sample, name: string): ValueObject => ({
  ...config,
  ...together?.[name],
  [name]: variations[name]!,
});

const project = "acme/web";
const scope = `/projects/${PROJECT.web}/job_token_scope`;
const rules = `/projects/${PROJECT.web}/registry/protection/repository/rules`;
const pages = `/projects/${PROJECT.web}/pages`;
const environments = `/projects/${PROJECT.web}/protected_environments`;

interface Environment {
  readonly deploy_access_levels: readonly { id: number; user_id: number | null }[];
  readonly approval_rules: readonly { id: number; group_id: number | null }[];
}

const ada = "ada+reviews@example.com";

/** Invitations to a project and to a group differ in nothing but where they stand. */
function invitationSample(within: ValueObject, elsewhere: ValueObject, path: string): Sample {
  const invitation = `${path}/invitations/${encodeURIComponent(ada)}`;
  return {
    config: {
      ...within,
      email: ada,
      user: null,
      access_level: 30,
      expires_at: "2099-12-31",
      member_role_id: MEMBER_ROLE.reviewer,
      invite_source: "steward",
    },
    variations: {
      ...elsewhere,
      email: "grace@example.com",
      user: "stranger",
      access_level: 20,
      expires_at: "2099-06-30",
      member_role_id: MEMBER_ROLE.releaser,
      invite_source: "another",
    },
    together: { user: { email: null } },
    byHand: {
      access_level: (http) => http("PUT", invitation, { access_level: 20 }),
      expires_at: (http) => http("PUT", invitation, { access_level: 30, expires_at: "2098-01-01" }),
    },
    deleteByHand: (http) => http("DELETE", invitation),
    expectGone: async (http) => expect(await http("GET", `${path}/invitations`)).toEqual([]),
  };
}

const patchPages = (change: object) => (http: Http) => http("PATCH", pages, change, TOKEN.administrator);
const patchRule = (change: object) => async (http: Http) => {
  const [rule] = (await http("GET", rules)) as readonly { id: number }[];
  return http("PATCH", `${rules}/${rule!.id}`, change);
};

/** The samples by type. A registered resource without one fails the suite. */
export const SAMPLES: Readonly<Record<string, Sample>> = {
  steward_project_invitation: invitationSample(
    { project },
    { project: "acme/docs" },
    `/projects/${PROJECT.web}`,
  ),

  steward_group_invitation: invitationSample(
    { group: "acme/platform" },
    { group: "acme/approvers" },
    `/groups/${GROUP.platform}`,
  ),

  steward_job_token_scope: {
    config: { project, inbound_enabled: true },
    variations: { project: "acme/tools", inbound_enabled: false },
    byHand: { inbound_enabled: (http) => http("PATCH", scope, { enabled: false }) },
    // The setting exists for every project, and stays as it was declared last.
    expectGone: async (http) => expect(await http("GET", scope)).toMatchObject({ inbound_enabled: true }),
  },

  steward_job_token_allowlist: {
    config: {
      project,
      target_projects: ["acme/tools", String(PROJECT.runner)],
      target_groups: ["acme/platform"],
    },
    variations: {
      project: "acme/hidden",
      target_projects: ["acme/docs", "acme/tools"],
      target_groups: [],
    },
    byHand: {
      target_projects: (http) => http("POST", `${scope}/allowlist`, { target_project_id: PROJECT.docs }),
      target_groups: (http) => http("POST", `${scope}/groups_allowlist`, { target_group_id: 13 }),
    },
    async expectGone(http) {
      expect(await http("GET", `${scope}/allowlist`)).toMatchObject([{ id: PROJECT.web }]);
      expect(await http("GET", `${scope}/groups_allowlist`)).toEqual([]);
    },
  },

  steward_job_token_allowlist_group: {
    config: { project, target_group: "acme/platform" },
    variations: { project: "acme/docs", target_group: "acme/approvers" },
    byHand: {},
    deleteByHand: (http) => http("DELETE", `${scope}/groups_allowlist/${GROUP.platform}`),
    expectGone: async (http) => expect(await http("GET", `${scope}/groups_allowlist`)).toEqual([]),
  },

  steward_job_token_allowlist_project: {
    config: { project, target_project: "acme/tools" },
    variations: { project: "acme/docs", target_project: "acme/runner" },
    byHand: {},
    deleteByHand: (http) => http("DELETE", `${scope}/allowlist/${PROJECT.tools}`),
    expectGone: async (http) =>
      expect(await http("GET", `${scope}/allowlist`)).toMatchObject([{ id: PROJECT.web }]),
  },

  steward_container_protection_rule: {
    config: {
      project,
      repository_path_pattern: "acme/web/release*",
      minimum_access_level_for_push: "maintainer",
      minimum_access_level_for_delete: "owner",
    },
    variations: {
      project: "acme/docs",
      repository_path_pattern: "acme/web/*",
      minimum_access_level_for_push: "admin",
      minimum_access_level_for_delete: null,
    },
    byHand: {
      repository_path_pattern: patchRule({ repository_path_pattern: "acme/web/other" }),
      minimum_access_level_for_push: patchRule({ minimum_access_level_for_push: "" }),
      minimum_access_level_for_delete: patchRule({ minimum_access_level_for_delete: "admin" }),
    },
    async deleteByHand(http) {
      const [rule] = (await http("GET", rules)) as readonly { id: number }[];
      return http("DELETE", `${rules}/${rule!.id}`);
    },
    expectGone: async (http) => expect(await http("GET", rules)).toEqual([]),
  },

  steward_pages_settings: {
    config: {
      project,
      unique_domain_enabled: true,
      force_https: false,
      primary_domain: "web.example.com",
      unpublish_on_destroy: true,
    },
    variations: {
      project: "acme/docs",
      unique_domain_enabled: false,
      force_https: true,
      primary_domain: "",
      unpublish_on_destroy: false,
    },
    // A domain belongs to one project.
    together: { project: { primary_domain: "docs.example.com" } },
    byHand: {
      unique_domain_enabled: patchPages({ pages_unique_domain_enabled: false }),
      force_https: patchPages({ pages_https_only: true }),
      primary_domain: patchPages({ pages_primary_domain: "www.example.com" }),
    },
    // The settings exist for every project; what was published is gone, as was declared.
    expectGone: async (http) =>
      expect(await http("GET", pages)).toMatchObject({
        is_unique_domain_enabled: true,
        primary_domain: "web.example.com",
        deployments: [],
      }),
  },

  steward_protected_environment: {
    config: {
      project,
      name: "production",
      deploy_access_levels: [{ user: "devon" }, { access_level: 40 }],
      approval_rules: [{ group: "acme/approvers", required_approvals: 2, group_inheritance_type: 1 }],
    },
    variations: {
      // The same users and groups have access there too.
      project: "acme/web-two",
      name: "staging",
      deploy_access_levels: [{ group: "acme/platform" }, { access_level: 40 }],
      approval_rules: [{ group: "acme/approvers", required_approvals: 3 }],
    },
    byHand: {
      async deploy_access_levels(http) {
        const { deploy_access_levels: levels } = (await http(
          "GET",
          `${environments}/production`,
        )) as Environment;
        const { id } = levels.find((level) => level.user_id === USER.devon)!;
        await http("PUT", `${environments}/production`, {
          deploy_access_levels: [{ id, _destroy: true }, { access_level: 30 }],
        });
      },
      async approval_rules(http) {
        const { approval_rules: rules } = (await http("GET", `${environments}/production`)) as Environment;
        await http("PUT", `${environments}/production`, {
          approval_rules: [{ id: rules[0]!.id, required_approvals: 1 }],
        });
      },
    },
    deleteByHand: (http) => http("DELETE", `${environments}/production`),
    expectGone: async (http) => expect(await http("GET", environments)).toEqual([]),
  },
};
