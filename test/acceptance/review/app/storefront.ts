// The pages and apps for customers.
import { TerraformStack } from "cdktf";
import {
  AccessLevel,
  PagesSettings,
  ProjectInvitation,
  ProjectSettings,
  StewardProvider,
} from "cdktf-provider-steward";
import type { Construct } from "constructs";
import { DEPLOY_TOOLS, service, TEST_RUNNER } from "./standard";

export class Storefront extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new StewardProvider(this, "steward"); // STEWARD_BASE_URL and STEWARD_TOKEN say where, and who

    new ProjectSettings(this, "web-shop", {
      ...service("acme/storefront/web-shop"),
      allowlist: { targetProjects: [DEPLOY_TOOLS, TEST_RUNNER, "acme/legacy-import"] },
    });

    for (const name of ["mobile-app", "checkout-ui", "search-ui"])
      new ProjectSettings(this, name, service(`acme/storefront/${name}`));

    new PagesSettings(this, "magazine", {
      project: "acme/storefront/magazine",
      forceHttps: true,
      uniqueDomainEnabled: true,
    });

    // The agency that builds the new checkout.
    new ProjectInvitation(this, "ada", {
      project: "acme/storefront/checkout-ui",
      email: "ada@agency.example",
      accessLevel: AccessLevel.DEVELOPER,
      expiresAt: "2099-06-30",
    });
  }
}
