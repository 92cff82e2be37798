// What the files of this app share. Each of them declares the projects of one subgroup.
import type { TerraformStack } from "cdktf";
import {
  AccessLevel,
  ContainerAccessLevel,
  ProjectSettings,
  type ProjectSettingsConfig,
  type ProtectedEnvironmentDeployAccessLevels,
} from "cdktf-provider-steward";

/** The construct id of a project. Addresses in the state follow from it. */
export const idOf = (project: string) => project.replaceAll("/", "-");

const MAINTAINERS_AND_LEADS: ProtectedEnvironmentDeployAccessLevels[] = [
  { accessLevel: AccessLevel.MAINTAINER },
  { group: "alike/leads" },
];

export const ALLOWLIST_OF_DEPLOY_AND_TOOL_2 = {
  targetProjects: ["alike/tools/deploy", "alike/tools/tool-2"],
  targetGroups: [],
};

export const ALLOWLIST_OF_DEPLOY_AND_TOOL_0 = {
  targetProjects: ["alike/tools/deploy", "alike/tools/tool-0"],
  targetGroups: [],
};

const ENVIRONMENTS = {
  production: {
    deployAccessLevels: [{ accessLevel: AccessLevel.MAINTAINER }],
    approvalRules: [{ group: "alike/leads" }],
  },
  staging: { deployAccessLevels: [{ accessLevel: AccessLevel.DEVELOPER }] },
};

export const PRODUCTION_BY_MAINTAINERS_AND_LEADS = {
  protectedEnvironments: {
    ...ENVIRONMENTS,
    production: { ...ENVIRONMENTS.production, deployAccessLevels: MAINTAINERS_AND_LEADS },
  },
};

export const NO_STAGING = { protectedEnvironments: { production: ENVIRONMENTS.production } };

export const PRODUCTION_BY_MAINTAINERS_AND_LEADS_NO_STAGING = {
  protectedEnvironments: {
    production: { ...ENVIRONMENTS.production, deployAccessLevels: MAINTAINERS_AND_LEADS },
  },
};

export const PRODUCTION_BY_MAINTAINERS_AND_LEADS_WITH_3_APPROVALS = {
  protectedEnvironments: {
    ...ENVIRONMENTS,
    production: {
      deployAccessLevels: MAINTAINERS_AND_LEADS,
      approvalRules: [{ group: "alike/leads", requiredApprovals: 3 }],
    },
  },
};

export const PRODUCTION_WITH_2_APPROVALS_NO_STAGING = {
  protectedEnvironments: {
    production: {
      ...ENVIRONMENTS.production,
      approvalRules: [{ group: "alike/leads", requiredApprovals: 2 }],
    },
  },
};

export const PRODUCTION_WITH_3_APPROVALS = {
  protectedEnvironments: {
    ...ENVIRONMENTS,
    production: {
      ...ENVIRONMENTS.production,
      approvalRules: [{ group: "alike/leads", requiredApprovals: 3 }],
    },
  },
};

/** What a project has. An option of its own entry stands in place of the option here; `{}` leaves that out. */
const BASELINE: Omit<ProjectSettingsConfig, "project"> = {
  inboundEnabled: true,
  allowlist: { targetProjects: ["alike/tools/deploy"], targetGroups: [] },
  protectedEnvironments: ENVIRONMENTS,
};

export function declareProjects(
  stack: TerraformStack,
  projects: Record<string, Omit<ProjectSettingsConfig, "project">>,
): void {
  for (const [project, own] of Object.entries(projects)) {
    new ProjectSettings(stack, idOf(project), {
      project,
      ...BASELINE,
      containerProtectionRules: {
        [`${project}/release*`]: { minimumAccessLevelForPush: ContainerAccessLevel.MAINTAINER },
      },
      ...own,
    });
  }
}
