// The live settings of alike. `steward adopt` wrote this file; from here on, it is yours to edit.
import { App, TerraformStack } from "cdktf";
import {
  AccessLevel,
  ContainerAccessLevel,
  ProjectSettings,
  type ProjectSettingsConfig,
  type ProtectedEnvironmentApprovalRules,
  type ProtectedEnvironmentDeployAccessLevels,
  StewardProvider,
} from "cdktf-provider-steward";
import type { Construct } from "constructs";
import { importLiveObjects } from "./imports";

/** The construct id of a project. Addresses in the state follow from it. */
const idOf = (project: string) => project.replaceAll("/", "-");

const MAINTAINERS: ProtectedEnvironmentDeployAccessLevels[] = [{ accessLevel: AccessLevel.MAINTAINER }];

const MAINTAINERS_AND_LEADS: ProtectedEnvironmentDeployAccessLevels[] = [
  { accessLevel: AccessLevel.MAINTAINER },
  { group: "alike/leads" },
];

const APPROVED_BY_3_OF_LEADS: ProtectedEnvironmentApprovalRules[] = [
  { group: "alike/leads", requiredApprovals: 3 },
];

const PRODUCTION_BY_MAINTAINERS_AND_LEADS = {
  deployAccessLevels: MAINTAINERS_AND_LEADS,
  approvalRules: [{ group: "alike/leads" }],
};

const PRODUCTION_BY_MAINTAINERS = { deployAccessLevels: MAINTAINERS, approvalRules: APPROVED_BY_3_OF_LEADS };

const ALLOWLIST_OF_DEPLOY_AND_TOOL_2 = {
  targetProjects: ["alike/tools/deploy", "alike/tools/tool-2"],
  targetGroups: [],
};

const ALLOWLIST_OF_DEPLOY_AND_TOOL_0 = {
  targetProjects: ["alike/tools/deploy", "alike/tools/tool-0"],
  targetGroups: [],
};

const ENVIRONMENTS = {
  production: { deployAccessLevels: MAINTAINERS, approvalRules: [{ group: "alike/leads" }] },
  staging: { deployAccessLevels: [{ accessLevel: AccessLevel.DEVELOPER }] },
};

/** What the projects below have, as far as nothing else stands there. */
const BASELINE: Omit<ProjectSettingsConfig, "project"> = {
  inboundEnabled: true,
  allowlist: { targetProjects: ["alike/tools/deploy"], targetGroups: [] },
  protectedEnvironments: ENVIRONMENTS,
};

const PROJECTS: Record<string, Omit<ProjectSettingsConfig, "project">> = {
  "alike/data/admin": { inboundEnabled: false, containerProtectionRules: {} },
  "alike/data/api": {
    inboundEnabled: false,
    protectedEnvironments: { ...ENVIRONMENTS, production: PRODUCTION_BY_MAINTAINERS_AND_LEADS },
  },
  "alike/data/cache": {
    protectedEnvironments: { ...ENVIRONMENTS, production: PRODUCTION_BY_MAINTAINERS_AND_LEADS },
    containerProtectionRules: {},
  },
  "alike/data/events": { allowlist: ALLOWLIST_OF_DEPLOY_AND_TOOL_2, containerProtectionRules: {} },
  "alike/data/gateway": {
    protectedEnvironments: { ...ENVIRONMENTS, production: PRODUCTION_BY_MAINTAINERS_AND_LEADS },
    pages: { forceHttps: false },
  },
  "alike/data/jobs": {
    protectedEnvironments: { ...ENVIRONMENTS, production: PRODUCTION_BY_MAINTAINERS_AND_LEADS },
    containerProtectionRules: {},
  },
  "alike/data/reports": {},
  "alike/data/sync": {
    protectedEnvironments: { production: ENVIRONMENTS.production },
    containerProtectionRules: {},
  },
  "alike/data/web": {},
  "alike/data/worker": { protectedEnvironments: { production: PRODUCTION_BY_MAINTAINERS_AND_LEADS } },
  "alike/mobile/admin": {
    protectedEnvironments: { production: ENVIRONMENTS.production },
    pages: { forceHttps: false },
  },
  "alike/mobile/api": {},
  "alike/mobile/cache": {
    protectedEnvironments: {
      ...ENVIRONMENTS,
      production: { deployAccessLevels: MAINTAINERS_AND_LEADS, approvalRules: APPROVED_BY_3_OF_LEADS },
    },
  },
  "alike/mobile/events": { protectedEnvironments: { production: PRODUCTION_BY_MAINTAINERS_AND_LEADS } },
  "alike/mobile/gateway": {},
  "alike/mobile/jobs": {
    inboundEnabled: false,
    protectedEnvironments: { production: ENVIRONMENTS.production },
  },
  "alike/mobile/reports": {
    protectedEnvironments: { production: ENVIRONMENTS.production },
    containerProtectionRules: {},
  },
  "alike/mobile/sync": {},
  "alike/mobile/web": {
    protectedEnvironments: {
      production: {
        deployAccessLevels: MAINTAINERS,
        approvalRules: [{ group: "alike/leads", requiredApprovals: 2 }],
      },
    },
  },
  "alike/mobile/worker": {
    allowlist: ALLOWLIST_OF_DEPLOY_AND_TOOL_0,
    protectedEnvironments: { production: ENVIRONMENTS.production },
  },
  "alike/payments/admin": {
    allowlist: { targetProjects: ["alike/tools/deploy", "alike/tools/tool-1"], targetGroups: [] },
    protectedEnvironments: { ...ENVIRONMENTS, production: PRODUCTION_BY_MAINTAINERS },
  },
  "alike/payments/api": {},
  "alike/payments/cache": {
    inboundEnabled: false,
    protectedEnvironments: { ...ENVIRONMENTS, production: PRODUCTION_BY_MAINTAINERS },
  },
  "alike/payments/events": { allowlist: ALLOWLIST_OF_DEPLOY_AND_TOOL_2, containerProtectionRules: {} },
  "alike/payments/gateway": {},
  "alike/payments/jobs": {
    allowlist: ALLOWLIST_OF_DEPLOY_AND_TOOL_0,
    protectedEnvironments: { production: ENVIRONMENTS.production },
  },
  "alike/payments/reports": { allowlist: ALLOWLIST_OF_DEPLOY_AND_TOOL_0, pages: { forceHttps: false } },
  "alike/payments/sync": {},
  "alike/payments/web": { inboundEnabled: false, allowlist: ALLOWLIST_OF_DEPLOY_AND_TOOL_2 },
  "alike/payments/worker": {
    allowlist: { targetProjects: ["alike/tools/deploy", "alike/tools/tool-1"], targetGroups: [] },
    protectedEnvironments: { ...ENVIRONMENTS, production: PRODUCTION_BY_MAINTAINERS },
  },
  "alike/search/admin": {
    inboundEnabled: false,
    protectedEnvironments: { production: ENVIRONMENTS.production },
  },
  "alike/search/api": {
    protectedEnvironments: {
      production: {
        deployAccessLevels: MAINTAINERS,
        approvalRules: [{ group: "alike/leads", requiredApprovals: 2 }],
      },
    },
  },
  "alike/search/cache": { inboundEnabled: false, containerProtectionRules: {} },
  "alike/search/events": {
    inboundEnabled: false,
    protectedEnvironments: { ...ENVIRONMENTS, production: PRODUCTION_BY_MAINTAINERS },
  },
  "alike/search/gateway": { inboundEnabled: false, allowlist: ALLOWLIST_OF_DEPLOY_AND_TOOL_2 },
  "alike/search/jobs": {
    protectedEnvironments: { ...ENVIRONMENTS, production: PRODUCTION_BY_MAINTAINERS },
    pages: { forceHttps: false },
  },
  "alike/search/reports": {},
  "alike/search/sync": {
    inboundEnabled: false,
    protectedEnvironments: { ...ENVIRONMENTS, production: PRODUCTION_BY_MAINTAINERS_AND_LEADS },
  },
  "alike/search/web": {},
  "alike/search/worker": {
    protectedEnvironments: {
      ...ENVIRONMENTS,
      production: { deployAccessLevels: MAINTAINERS_AND_LEADS, approvalRules: APPROVED_BY_3_OF_LEADS },
    },
  },
};

const TOOLS_PROJECTS = [
  "alike/tools/deploy",
  "alike/tools/tool-0",
  "alike/tools/tool-1",
  "alike/tools/tool-2",
];

class AlikeStack extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new StewardProvider(this, "steward"); // address and token come from STEWARD_BASE_URL and STEWARD_TOKEN

    for (const [project, own] of Object.entries(PROJECTS)) {
      new ProjectSettings(this, idOf(project), {
        project,
        ...BASELINE,
        containerProtectionRules: {
          [`${project}/release*`]: { minimumAccessLevelForPush: ContainerAccessLevel.MAINTAINER },
        },
        ...own,
      });
    }

    for (const project of TOOLS_PROJECTS) {
      new ProjectSettings(this, idOf(project), { project, inboundEnabled: true });
    }

    importLiveObjects(this);
  }
}

const app = new App();
new AlikeStack(app, "alike");
app.synth();
