import { App, TerraformStack } from "cdktf";
import { AccessLevel, ProjectSettings, StewardProvider } from "cdktf-provider-steward";
import type { Construct } from "constructs";
import { keepState } from "./state";

/** The projects that get the same settings. */
const PROJECTS = ["acme/web-shop", "acme/payments"];

class Settings extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);

    new StewardProvider(this, "steward"); // address and token come from STEWARD_BASE_URL and STEWARD_TOKEN
    keepState(this);

    for (const project of PROJECTS)
      new ProjectSettings(this, project.replaceAll("/", "-"), {
        project,
        // Only these projects and groups may use a job token to reach the project.
        inboundEnabled: true,
        allowlist: { targetProjects: ["acme/deploy-tools"], targetGroups: [] },
        protectedEnvironments: {
          production: {
            deployAccessLevels: [{ accessLevel: AccessLevel.MAINTAINER }],
            approvalRules: [{ group: "acme/release-managers", requiredApprovals: 1 }],
          },
        },
      });
  }
}

export const app = new App();
new Settings(app, "settings");
app.synth();
