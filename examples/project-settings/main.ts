// Declares the settings of one project. Try it: steward plan --app "node --import tsx examples/project-settings/main.ts"
import { App, TerraformOutput, TerraformStack } from "cdktf";
import { AccessLevel, ContainerAccessLevel, ProjectSettings, StewardProvider } from "cdktf-provider-steward";
import type { Construct } from "constructs";

class WebShop extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new StewardProvider(this, "steward"); // address and token come from STEWARD_BASE_URL and STEWARD_TOKEN

    const shop = new ProjectSettings(this, "shop", {
      project: "acme/web-shop",
      inboundEnabled: true,
      allowlist: {
        targetProjects: ["acme/deploy-tools", "acme/test-runner"],
        targetGroups: ["acme/platform"],
      },
      protectedEnvironments: {
        staging: { deployAccessLevels: [{ accessLevel: AccessLevel.DEVELOPER }] },
        production: {
          deployAccessLevels: [{ accessLevel: AccessLevel.MAINTAINER }, { group: "acme/release-managers" }],
          approvalRules: [{ group: "acme/release-managers", requiredApprovals: 2 }],
        },
      },
      containerProtectionRules: {
        "acme/web-shop/release*": {
          minimumAccessLevelForPush: ContainerAccessLevel.MAINTAINER,
          minimumAccessLevelForDelete: ContainerAccessLevel.OWNER,
        },
      },
      invitations: {
        "ada@example.com": { accessLevel: AccessLevel.DEVELOPER, expiresAt: "2030-12-31" },
      },
    });

    // Each part is a resource, to which other declarations can refer.
    new TerraformOutput(this, "production", { value: shop.protectedEnvironment("production").id });
  }
}

const app = new App();
new WebShop(app, "web-shop");
app.synth();
