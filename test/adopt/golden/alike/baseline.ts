// What the files of this app share. Each of them declares the projects of one subgroup.
import type { TerraformStack } from "cdktf";
import {
  AccessLevel,
  ContainerAccessLevel,
  Fleet,
  type FleetBaseline,
  type FleetLayerSettings,
  ProjectSettings,
} from "cdktf-provider-steward";

/** The construct id of a project. Addresses in the state follow from it. */
export const idOf = (project: string) => project.replaceAll("/", "-");

export const NO_CONTAINER_RULES: FleetLayerSettings = { containerProtectionRules: Fleet.unmanaged };

export const PRODUCTION_BY_MAINTAINERS_AND_LEADS: FleetLayerSettings = {
  protectedEnvironments: {
    production: { deployAccessLevels: [{ accessLevel: AccessLevel.MAINTAINER }, { group: "alike/leads" }] },
  },
};

export const ALLOWLIST_OF_DEPLOY_AND_TOOL_2: FleetLayerSettings = {
  allowlist: { targetProjects: ["alike/tools/deploy", "alike/tools/tool-2"] },
};

export const NO_STAGING: FleetLayerSettings = { protectedEnvironments: { staging: Fleet.unmanaged } };

export const PRODUCTION_WITH_3_APPROVALS: FleetLayerSettings = {
  protectedEnvironments: { production: { approvalRules: [{ group: "alike/leads", requiredApprovals: 3 }] } },
};

export const PRODUCTION_WITH_2_APPROVALS: FleetLayerSettings = {
  protectedEnvironments: { production: { approvalRules: [{ group: "alike/leads", requiredApprovals: 2 }] } },
};

export const ALLOWLIST_OF_DEPLOY_AND_TOOL_0: FleetLayerSettings = {
  allowlist: { targetProjects: ["alike/tools/deploy", "alike/tools/tool-0"] },
};

/** What a project has. The layers in its entry change attributes of it; `Fleet.unmanaged` leaves one out. */
const BASELINE: FleetBaseline = {
  inboundEnabled: true,
  allowlist: { targetProjects: ["alike/tools/deploy"], targetGroups: [] },
  protectedEnvironments: {
    production: {
      deployAccessLevels: [{ accessLevel: AccessLevel.MAINTAINER }],
      approvalRules: [{ group: "alike/leads" }],
    },
    staging: { deployAccessLevels: [{ accessLevel: AccessLevel.DEVELOPER }] },
  },
  containerProtectionRules: {
    "{project}/release*": { minimumAccessLevelForPush: ContainerAccessLevel.MAINTAINER },
  },
};

export function declareProjects(
  stack: TerraformStack,
  projects: Record<string, readonly FleetLayerSettings[]>,
): void {
  for (const [project, layers] of Object.entries(projects)) {
    new ProjectSettings(stack, idOf(project), Fleet.merge(project, BASELINE, layers));
  }
}
