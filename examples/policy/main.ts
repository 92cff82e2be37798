// Rules for all projects of an app. If a declaration violates a rule, `steward plan` names the construct, the problem
// and the reason. Rules for the changes of a plan are in policy.ts.
import { App, Aspects, TerraformStack } from "cdktf";
import {
  AccessLevel,
  deployersAtLeast,
  inboundLimitOn,
  invitationsExpire,
  JobTokenScope,
  type PolicyRule,
  ProjectPolicy,
  ProjectSettings,
  ProtectedEnvironment,
  requiredApprovals,
  StewardProvider,
} from "cdktf-provider-steward";

/** A rule of this app. It reads the declarations of a project, which have the names of the schema. */
const noPages: PolicyRule = {
  name: "no Pages settings",
  why: "Pages are looked after by the platform team.",
  check: (project) =>
    project.ofType("steward_pages_settings").map(({ construct }) => ({
      construct,
      what: "Pages settings are declared.",
      fix: "Take them out, and ask the platform team.",
    })),
};

const app = new App();
Aspects.of(app).add(
  new ProjectPolicy({
    rules: [
      inboundLimitOn(),
      requiredApprovals({ environment: "production", atLeast: 2 }),
      deployersAtLeast({ environment: /^prod/, level: AccessLevel.MAINTAINER }),
      invitationsExpire(),
      noPages,
    ],
  }),
);

const production = {
  deployAccessLevels: [{ accessLevel: AccessLevel.MAINTAINER }],
  approvalRules: [{ group: "acme/release-managers", requiredApprovals: 2 }],
};

const shop = new TerraformStack(app, "shop");
new StewardProvider(shop, "steward");
new ProjectSettings(shop, "web-shop", {
  project: "acme/web-shop",
  inboundEnabled: true,
  protectedEnvironments: { production },
});

// The rules also apply to resources that are declared without `ProjectSettings`.
const docs = new TerraformStack(app, "docs");
new StewardProvider(docs, "steward");
new JobTokenScope(docs, "limit", { project: "acme/docs", inboundEnabled: true });
new ProtectedEnvironment(docs, "production", { project: "acme/docs", name: "production", ...production });

app.synth();
