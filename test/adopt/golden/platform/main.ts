// The live settings of platform. `steward adopt` wrote this file; from here on, it is yours to edit.
import { App, Fn, TerraformStack, TerraformVariable } from "cdktf";
import {
  AccessLevel,
  ContainerAccessLevel,
  Fleet,
  type FleetBaseline,
  type FleetLayerSettings,
  GroupInheritanceType,
  GroupInvitation,
  ProjectInvitation,
  ProjectSettings,
  type ProtectedEnvironmentDeployAccessLevels,
  StewardProvider,
} from "cdktf-provider-steward";
import type { Construct } from "constructs";
import { importLiveObjects } from "./imports";

/** The construct id of a project. Addresses in the state follow from it. */
const idOf = (project: string) => project.replaceAll("/", "-");

const MAINTAINERS_AND_CI_DEPLOYER: ProtectedEnvironmentDeployAccessLevels[] = [
  { accessLevel: AccessLevel.MAINTAINER },
  { user: "ci-deployer" },
];

const PRODUCTION_ENVIRONMENT = {
  deployAccessLevels: [{ group: "platform/release-managers" }, { user: "ci-deployer" }],
  approvalRules: [
    { group: "platform/release-managers", requiredApprovals: 2 },
    { group: "platform/security", groupInheritanceType: GroupInheritanceType.INHERITED },
  ],
};

/** What a project has. The layers in its entry change attributes of it; `Fleet.unmanaged` leaves one out. */
const BASELINE: FleetBaseline = {
  inboundEnabled: true,
  allowlist: {
    targetProjects: ["platform/tooling/deploy-tools", "platform/tooling/test-runner"],
    targetGroups: [],
  },
  protectedEnvironments: {
    production: PRODUCTION_ENVIRONMENT,
    "review/*": { deployAccessLevels: [{ accessLevel: AccessLevel.DEVELOPER }] },
    staging: { deployAccessLevels: MAINTAINERS_AND_CI_DEPLOYER },
  },
  containerProtectionRules: {
    "{project}/release/*": {
      minimumAccessLevelForPush: ContainerAccessLevel.MAINTAINER,
      minimumAccessLevelForDelete: ContainerAccessLevel.OWNER,
    },
  },
};

const PROJECTS: Record<string, readonly FleetLayerSettings[]> = {
  "platform/gateway": [
    {
      protectedEnvironments: {
        production: { deployAccessLevels: [{ accessLevel: AccessLevel.MAINTAINER }] },
      },
      containerProtectionRules: Fleet.unmanaged,
    },
  ],
  "platform/services/accounts": [],
  "platform/services/audit-log": [],
  "platform/services/billing": [],
  "platform/services/catalog": [],
  "platform/services/customers": [],
  "platform/services/documents": [],
  "platform/services/events": [],
  "platform/services/fulfilment": [],
  "platform/services/identity": [],
  "platform/services/inventory": [],
  "platform/services/ledger": [],
  "platform/services/mailer": [],
};

const LIBRARIES_PROJECTS = [
  "platform/libraries/api-client",
  "platform/libraries/design-system",
  "platform/libraries/feature-flags",
  "platform/libraries/http-toolkit",
  "platform/libraries/logging",
  "platform/libraries/test-fixtures",
];

class PlatformStack extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new StewardProvider(this, "steward"); // address and token come from STEWARD_BASE_URL and STEWARD_TOKEN

    // The addresses of invitations are in emails.auto.tfvars.json, which is not committed.
    const emails = new TerraformVariable(this, "emails", { type: "map(string)" });
    const email = (name: string) => Fn.lookupNested(emails.value, [name]);

    for (const [project, layers] of Object.entries(PROJECTS)) {
      new ProjectSettings(this, idOf(project), Fleet.merge(project, BASELINE, layers));
    }

    for (const project of LIBRARIES_PROJECTS) {
      new ProjectSettings(this, idOf(project), {
        project,
        inboundEnabled: true,
        allowlist: { targetProjects: [], targetGroups: ["platform/services"] },
      });
    }

    for (const project of ["platform/infrastructure/cluster", "platform/infrastructure/databases"]) {
      new ProjectSettings(this, idOf(project), {
        project,
        inboundEnabled: true,
        allowlist: { targetProjects: ["platform/tooling/deploy-tools"], targetGroups: [] },
        protectedEnvironments: {
          "production/eu": PRODUCTION_ENVIRONMENT,
          "production/us": PRODUCTION_ENVIRONMENT,
          staging: { deployAccessLevels: MAINTAINERS_AND_CI_DEPLOYER },
        },
      });
    }

    for (const project of ["platform/playground", "platform/tooling/sandbox"]) {
      new ProjectSettings(this, idOf(project), { project, inboundEnabled: true });
    }

    for (const project of ["platform/tooling/deploy-tools", "platform/tooling/test-runner"]) {
      new ProjectSettings(this, idOf(project), { project, inboundEnabled: false });
    }

    // platform
    new GroupInvitation(this, "platform-invitee-1", {
      group: "platform",
      email: email("invitee-1"),
      accessLevel: AccessLevel.DEVELOPER,
      expiresAt: "2099-03-31",
    });

    new GroupInvitation(this, "platform-invitee-2", {
      group: "platform",
      email: email("invitee-2"),
      accessLevel: AccessLevel.DEVELOPER,
      expiresAt: "2099-03-31",
    });

    new GroupInvitation(this, "platform-invitee-3", {
      group: "platform",
      email: email("invitee-3"),
      accessLevel: AccessLevel.REPORTER,
    });

    // platform/infrastructure
    new GroupInvitation(this, "platform-infrastructure-invitee-2", {
      group: "platform/infrastructure",
      email: email("invitee-2"),
      accessLevel: AccessLevel.MAINTAINER,
      expiresAt: "2099-03-31",
    });

    new ProjectSettings(this, "platform-infrastructure-dns", {
      project: "platform/infrastructure/dns",
      inboundEnabled: true,
      allowlist: { targetProjects: ["platform/tooling/deploy-tools"], targetGroups: [] },
      protectedEnvironments: {
        production: {
          deployAccessLevels: [{ accessLevel: AccessLevel.MAINTAINER }],
          approvalRules: [{ user: "sam" }],
        },
      },
    });

    new ProjectSettings(this, "platform-infrastructure-monitoring", {
      project: "platform/infrastructure/monitoring",
      inboundEnabled: true,
      protectedEnvironments: {
        production: PRODUCTION_ENVIRONMENT,
        staging: { deployAccessLevels: MAINTAINERS_AND_CI_DEPLOYER },
      },
    });

    new ProjectSettings(this, "platform-infrastructure-vault", {
      project: "platform/infrastructure/vault",
      inboundEnabled: true,
      protectedEnvironments: {
        production: {
          deployAccessLevels: [{ accessLevel: AccessLevel.ADMIN }],
          approvalRules: [
            {
              group: "platform/security",
              groupInheritanceType: GroupInheritanceType.INHERITED,
              requiredApprovals: 2,
            },
          ],
        },
      },
    });

    // platform/tooling
    new ProjectSettings(this, "platform-tooling-ci-images", {
      project: "platform/tooling/ci-images",
      inboundEnabled: true,
      allowlist: { targetProjects: [], targetGroups: ["platform/libraries", "platform/services"] },
      containerProtectionRules: {
        "platform/tooling/ci-images/*": {
          minimumAccessLevelForPush: ContainerAccessLevel.MAINTAINER,
          minimumAccessLevelForDelete: ContainerAccessLevel.OWNER,
        },
        "platform/tooling/ci-images/base*": {
          minimumAccessLevelForPush: ContainerAccessLevel.OWNER,
          minimumAccessLevelForDelete: ContainerAccessLevel.ADMIN,
        },
      },
    });

    new ProjectSettings(this, "platform-tooling-handbook", {
      project: "platform/tooling/handbook",
      inboundEnabled: true,
      pages: { uniqueDomainEnabled: true },
    });

    new ProjectInvitation(this, "platform-tooling-handbook-invitee-2", {
      project: "platform/tooling/handbook",
      email: email("invitee-2"),
      accessLevel: AccessLevel.REPORTER,
    });

    importLiveObjects(this);
  }
}

const app = new App();
new PlatformStack(app, "platform");
app.synth();
