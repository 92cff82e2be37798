import path from "node:path";
import { App, LocalBackend, TerraformOutput, TerraformStack } from "cdktf";
import {
  AccessLevel,
  DataStewardCurrentUser,
  DataStewardProject,
  JobTokenAllowlist,
  JobTokenAllowlistProject,
  JobTokenScope,
  ProtectedEnvironment,
  StewardProvider,
} from "cdktf-provider-steward";
import type { Construct } from "constructs";

/** Declares who may use job tokens in the web shop's project, who deploys, and who approves. */
class WebShop extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new StewardProvider(this, "steward"); // address and token come from STEWARD_BASE_URL and STEWARD_TOKEN
    new LocalBackend(this, { path: path.resolve(".steward", "quickstart", "terraform.tfstate") });

    const shop = new DataStewardProject(this, "shop", { project: "acme/web-shop" });

    // Limits job tokens of other projects: only projects on the allowlist have access. Two projects are on it.
    const limit = new JobTokenScope(this, "limit", { project: shop.id, inboundEnabled: true });
    new JobTokenAllowlist(this, "allowlist", {
      project: limit.project,
      targetProjects: ["acme/deploy-tools", "acme/test-runner"],
    });

    // Declares one entry on the allowlist of another project. Steward does not touch the other entries there.
    new JobTokenAllowlistProject(this, "docs", { project: "acme/docs", targetProject: shop.id });

    // Developers deploy to staging. Maintainers deploy to production, after the approval of two release managers.
    new ProtectedEnvironment(this, "staging", {
      project: shop.id,
      name: "staging",
      deployAccessLevels: [{ accessLevel: AccessLevel.DEVELOPER }],
    });
    const production = new ProtectedEnvironment(this, "production", {
      project: shop.id,
      name: "production",
      deployAccessLevels: [{ accessLevel: AccessLevel.MAINTAINER }, { group: "acme/release-managers" }],
      approvalRules: [{ group: "acme/release-managers", requiredApprovals: 2 }],
    });

    const me = new DataStewardCurrentUser(this, "me");
    new TerraformOutput(this, "applied_by", { value: me.username });
    new TerraformOutput(this, "production_environment", { value: production.id });
  }
}

const app = new App();
new WebShop(app, "quickstart");
app.synth();
