import type { Value, ValueObject } from "../../../src/schema";
import { GROUP, type Http, PROJECT, TOKEN, USER } from "./world";

/** A live object, as the Go provider keeps it in its state, and how it is declared with ours. */
export interface GoState {
  readonly from: string;
  readonly schemaVersion: number;
  readonly to: string;
  /** Makes the object, and gives the attributes of the old state. */
  make(http: Http): Promise<ValueObject>;
  /** The new declaration; what is left out is null. */
  readonly config: ValueObject;
  readonly id: string;
}

const web = `/projects/${PROJECT.web}`;
const allow = async (http: Http, list: string, body: object): Promise<void> =>
  void (await http("POST", `${web}/job_token_scope/${list}`, body));
const level = (changes: ValueObject): ValueObject => ({
  access_level: null,
  access_level_description: "a text of the service",
  group_id: null,
  group_inheritance_type: null,
  user_id: null,
  ...changes,
});

async function protect(http: Http): Promise<{ levels: Value[]; rules: Value[] }> {
  const { deploy_access_levels: levels, approval_rules: rules } = (await http(
    "POST",
    `${web}/protected_environments`,
    {
      name: "review/1:2",
      deploy_access_levels: [
        { access_level: 40 },
        { user_id: USER.devon },
        { group_id: GROUP.approvers, group_inheritance_type: 1 },
      ],
      approval_rules: [{ group_id: GROUP.approvers, required_approvals: 2 }, { access_level: 30 }],
    },
  )) as Record<string, { id: number }[]>;
  return {
    levels: [
      level({ id: levels![0]!.id, access_level: "maintainer" }),
      level({ id: levels![1]!.id, user_id: USER.devon }),
      level({ id: levels![2]!.id, group_id: GROUP.approvers, group_inheritance_type: 1 }),
    ],
    rules: [
      level({ id: rules![0]!.id, group_id: GROUP.approvers, required_approvals: 2 }),
      level({ id: rules![1]!.id, access_level: "developer", required_approvals: 1 }),
    ],
  };
}

const environment: Pick<GoState, "from" | "schemaVersion" | "to" | "id"> = {
  from: "gitlab_project_protected_environment",
  schemaVersion: 0,
  to: "steward_protected_environment",
  id: `${PROJECT.web}:review/1:2`,
};
const entry = { from: "gitlab_project_job_token_scope", to: "steward_job_token_allowlist_project" };

/** By what is particular about each. */
export const GO_STATES: Readonly<Record<string, GoState>> = {
  "an entry, by ids": {
    ...entry,
    schemaVersion: 1,
    id: `${PROJECT.web}:${PROJECT.tools}`,
    async make(http) {
      await allow(http, "allowlist", { target_project_id: PROJECT.tools });
      return {
        id: `${PROJECT.web}:project:${PROJECT.tools}`,
        project: String(PROJECT.web),
        target_project_id: PROJECT.tools,
        target_group_id: null,
      };
    },
    config: { project: String(PROJECT.web), target_project: String(PROJECT.tools) },
  },
  "an entry of the first schema, by path, declared by path": {
    ...entry,
    schemaVersion: 0,
    id: `${PROJECT.web}:${PROJECT.tools}`,
    async make(http) {
      await allow(http, "allowlist", { target_project_id: PROJECT.tools });
      return { id: `acme/web:${PROJECT.tools}`, project: "acme/web", target_project_id: PROJECT.tools };
    },
    config: { project: "acme/web", target_project: "acme/tools" },
  },
  "an entry of a group": {
    ...entry,
    to: "steward_job_token_allowlist_group",
    schemaVersion: 1,
    id: `${PROJECT.web}:${GROUP.platform}`,
    async make(http) {
      await allow(http, "groups_allowlist", { target_group_id: GROUP.platform });
      return {
        id: `acme/web:group:${GROUP.platform}`,
        project: "acme/web",
        target_project_id: null,
        target_group_id: GROUP.platform,
      };
    },
    config: { project: "acme/web", target_group: "acme/platform" },
  },
  "a whole allowlist": {
    from: "gitlab_project_job_token_scopes",
    schemaVersion: 0,
    to: "steward_job_token_allowlist",
    id: String(PROJECT.web),
    async make(http) {
      await allow(http, "allowlist", { target_project_id: PROJECT.tools });
      await allow(http, "allowlist", { target_project_id: PROJECT.docs });
      await allow(http, "groups_allowlist", { target_group_id: GROUP.platform });
      return {
        id: String(PROJECT.web),
        project: String(PROJECT.web),
        project_id: PROJECT.web,
        enabled: false,
        target_project_ids: [PROJECT.tools, PROJECT.docs],
        target_group_ids: [GROUP.platform],
      };
    },
    config: {
      project: "acme/web",
      target_projects: ["acme/docs", "acme/tools"],
      target_groups: ["acme/platform"],
    },
  },
  "an environment, with levels in blocks": {
    ...environment,
    async make(http) {
      const { levels, rules } = await protect(http);
      return {
        id: "acme/web:review/1:2",
        project: "acme/web",
        environment: "review/1:2",
        deploy_access_levels: levels,
        approval_rules: rules,
      };
    },
    config: {
      project: "acme/web",
      name: "review/1:2",
      deploy_access_levels: [
        { user: "devon" },
        { group: "acme/approvers", group_inheritance_type: 1 },
        { access_level: 40 },
      ],
      approval_rules: [{ access_level: 30 }, { group: "acme/approvers", required_approvals: 2 }],
    },
  },
  "an environment, with levels in an attribute and no rules declared": {
    ...environment,
    async make(http) {
      const { levels, rules } = await protect(http);
      return {
        id: `${PROJECT.web}:review/1:2`,
        project: String(PROJECT.web),
        environment: "review/1:2",
        deploy_access_levels: [],
        deploy_access_levels_attribute: levels,
        approval_rules: rules,
      };
    },
    config: {
      project: String(PROJECT.web),
      name: "review/1:2",
      deploy_access_levels: [
        { access_level: 40 },
        { user: String(USER.devon) },
        { group: String(GROUP.approvers), group_inheritance_type: 1 },
      ],
    },
  },
  "Pages settings": {
    from: "gitlab_project_pages_settings",
    schemaVersion: 0,
    to: "steward_pages_settings",
    id: String(PROJECT.web),
    async make(http) {
      const live = (await http("GET", `${web}/pages`, undefined, TOKEN.maintainer)) as ValueObject;
      return {
        id: String(PROJECT.web),
        project: String(PROJECT.web),
        keep_settings_on_destroy: true,
        url: live["url"]!,
        is_unique_domain_enabled: live["is_unique_domain_enabled"]!,
        force_https: live["force_https"]!,
        deployments: [
          {
            created_at: "2026-01-01T00:00:00Z",
            url: live["url"]!,
            path_prefix: "",
            root_directory: "public",
          },
        ],
      };
    },
    config: { project: "acme/web" },
  },
  "a rule for container repositories": {
    from: "gitlab_project_container_repository_protection",
    schemaVersion: 0,
    to: "steward_container_protection_rule",
    // The first rule of the service.
    id: `${PROJECT.web}:1`,
    async make(http) {
      const { id } = (await http("POST", `${web}/registry/protection/repository/rules`, {
        repository_path_pattern: "acme/web/release*",
        minimum_access_level_for_push: "owner",
      })) as { id: number };
      return {
        id: `acme/web:${id}`,
        project: "acme/web",
        protection_rule_id: id,
        repository_path_pattern: "acme/web/release*",
        minimum_access_level_for_push: "owner",
        minimum_access_level_for_delete: null,
      };
    },
    config: {
      project: "acme/web",
      repository_path_pattern: "acme/web/release*",
      minimum_access_level_for_push: "owner",
    },
  },
};

export const GO_PROVIDER = "registry.terraform.io/gitlabhq/gitlab";
