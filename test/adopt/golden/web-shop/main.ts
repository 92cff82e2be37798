// The live settings of shop. `steward adopt` wrote this file; from here on, it is yours to edit.
import { App, Fn, TerraformStack, TerraformVariable } from "cdktf";
import {
  AccessLevel,
  ContainerAccessLevel,
  GroupInvitation,
  ProjectInvitation,
  ProjectSettings,
  StewardProvider,
} from "cdktf-provider-steward";
import type { Construct } from "constructs";
import { importLiveObjects } from "./imports";

/** The construct id of a project. Addresses in the state follow from it. */
const idOf = (project: string) => project.replaceAll("/", "-");

const PROJECTS = ["shop/cart", "shop/catalog", "shop/checkout", "shop/payments", "shop/search"];

class ShopStack extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new StewardProvider(this, "steward"); // address and token come from STEWARD_BASE_URL and STEWARD_TOKEN

    // The addresses of invitations are in emails.auto.tfvars.json, which is not committed.
    const emails = new TerraformVariable(this, "emails", { type: "map(string)" });
    const email = (name: string) => Fn.lookupNested(emails.value, [name]);

    for (const project of PROJECTS) {
      new ProjectSettings(this, idOf(project), {
        project,
        inboundEnabled: true,
        allowlist: { targetProjects: ["shop/deploy-tools", "shop/end-to-end-tests"], targetGroups: [] },
        protectedEnvironments: {
          production: {
            deployAccessLevels: [{ accessLevel: AccessLevel.MAINTAINER }],
            approvalRules: [{ group: "shop/release-managers", requiredApprovals: 2 }],
          },
          staging: { deployAccessLevels: [{ accessLevel: AccessLevel.DEVELOPER }] },
        },
        containerProtectionRules: {
          [`${project}/release*`]: { minimumAccessLevelForPush: ContainerAccessLevel.MAINTAINER },
        },
      });
    }

    new GroupInvitation(this, "shop-invitee-1", {
      group: "shop",
      email: email("invitee-1"),
      accessLevel: AccessLevel.REPORTER,
    });

    new ProjectSettings(this, "shop-deploy-tools", {
      project: "shop/deploy-tools",
      inboundEnabled: true,
      allowlist: { targetProjects: [], targetGroups: ["shop"] },
    });

    new ProjectSettings(this, "shop-end-to-end-tests", {
      project: "shop/end-to-end-tests",
      inboundEnabled: false,
      allowlist: { targetProjects: [], targetGroups: [] },
    });

    new ProjectSettings(this, "shop-storefront", {
      project: "shop/storefront",
      inboundEnabled: true,
      allowlist: { targetProjects: ["shop/end-to-end-tests"], targetGroups: [] },
      protectedEnvironments: {
        production: {
          deployAccessLevels: [{ accessLevel: AccessLevel.MAINTAINER }, { group: "shop/release-managers" }],
        },
        staging: { deployAccessLevels: [{ accessLevel: AccessLevel.DEVELOPER }] },
      },
      pages: { primaryDomain: "styles.shop.example" },
    });

    new ProjectInvitation(this, "shop-storefront-invitee-2", {
      project: "shop/storefront",
      email: email("invitee-2"),
      accessLevel: AccessLevel.DEVELOPER,
      expiresAt: "2099-06-30",
    });

    importLiveObjects(this);
  }
}

const app = new App();
new ShopStack(app, "shop");
app.synth();
