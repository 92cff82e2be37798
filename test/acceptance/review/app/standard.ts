// The default settings of every service of the company.
import { AccessLevel, ContainerAccessLevel, type ProjectSettingsConfig } from "cdktf-provider-steward";

export const RELEASE_MANAGERS = "acme/release-managers";
export const DEPLOY_TOOLS = "acme/platform/deploy-tools";
export const TEST_RUNNER = "acme/platform/test-runner";

/** All Developers deploy to staging. Maintainers and release managers deploy to production, after two approvals. */
export const service = (project: string): ProjectSettingsConfig => ({
  project,
  inboundEnabled: true,
  allowlist: { targetProjects: [DEPLOY_TOOLS, TEST_RUNNER] },
  protectedEnvironments: {
    staging: { deployAccessLevels: [{ accessLevel: AccessLevel.DEVELOPER }] },
    production: {
      deployAccessLevels: [{ accessLevel: AccessLevel.MAINTAINER }, { group: RELEASE_MANAGERS }],
      approvalRules: [{ group: RELEASE_MANAGERS, requiredApprovals: 2 }],
    },
  },
  containerProtectionRules: {
    [`${project}/release*`]: {
      minimumAccessLevelForPush: ContainerAccessLevel.MAINTAINER,
      minimumAccessLevelForDelete: ContainerAccessLevel.OWNER,
    },
  },
});
