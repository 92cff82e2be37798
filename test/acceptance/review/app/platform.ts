// The tooling that all teams use.
import { TerraformStack } from "cdktf";
import {
  AccessLevel,
  GroupInvitation,
  JobTokenAllowlist,
  ProjectSettings,
  ProtectedEnvironment,
  StewardProvider,
} from "cdktf-provider-steward";
import type { Construct } from "constructs";
import { RELEASE_MANAGERS } from "./standard";

export class Platform extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new StewardProvider(this, "steward"); // STEWARD_BASE_URL and STEWARD_TOKEN say where, and who

    for (const name of ["deploy-tools", "test-runner", "ci-images"])
      new JobTokenAllowlist(this, `${name}-callers`, {
        project: `acme/platform/${name}`,
        targetGroups: ["acme/storefront", "acme/commerce", "acme/data"],
      });

    new ProjectSettings(this, "cluster-config", {
      project: "acme/platform/cluster-config",
      inboundEnabled: true,
      protectedEnvironments: {
        production: {
          deployAccessLevels: [{ accessLevel: AccessLevel.MAINTAINER }],
          approvalRules: [{ group: "acme/security", requiredApprovals: 1 }],
        },
      },
    });

    new ProtectedEnvironment(this, "dns", {
      project: "acme/platform/dns",
      name: "production",
      deployAccessLevels: [{ accessLevel: AccessLevel.MAINTAINER }, { group: RELEASE_MANAGERS }],
    });

    // The yearly audit.
    new GroupInvitation(this, "auditor", {
      group: "acme/platform",
      email: "vera@audit.example",
      accessLevel: AccessLevel.REPORTER,
      expiresAt: "2099-03-31",
    });
  }
}
