// A user's app: a fleet, and the stacks groups and shop. The stack shop reads an output of the stack groups.
const { App, TerraformOutput, TerraformStack } = require("cdktf");
const {
  Fleet,
  GroupInvitation,
  JobTokenAllowlistGroup,
  ProjectSettings,
  ProtectedEnvironment,
  StewardProvider,
} = require("cdktf-provider-steward");

const app = new App();

const fleet = new TerraformStack(app, "fleet");
new StewardProvider(fleet, "steward");
new Fleet(fleet, "estate", {
  projects: { one: "acme/p1", two: "acme/p2" },
  baseline: {
    inboundEnabled: true,
    protectedEnvironments: { production: { deployAccessLevels: [{ accessLevel: 40 }] } },
  },
  layers: [
    {
      where: "acme/p2",
      settings: { protectedEnvironments: { production: { deployAccessLevels: [{ accessLevel: 60 }] } } },
      reason: "administrators deploy",
      owner: "platform",
    },
  ],
});

const groups = new TerraformStack(app, "groups");
new StewardProvider(groups, "steward");
const lead = new GroupInvitation(groups, "lead", {
  group: "acme/team1",
  email: "Lead@Example.com",
  accessLevel: 40,
});

const shop = new TerraformStack(app, "shop");
new StewardProvider(shop, "steward");
new ProjectSettings(shop, "t1", {
  project: "acme/t1",
  inboundEnabled: true,
  allowlist: { targetProjects: ["acme/p1"] },
  protectedEnvironments: { staging: { deployAccessLevels: [{ accessLevel: 30 }] } },
});
new JobTokenAllowlistGroup(shop, "team", { project: "acme/t2", targetGroup: "acme/team1" });
new ProtectedEnvironment(shop, "named", {
  project: "acme/t2",
  name: "live",
  deployAccessLevels: [{ accessLevel: 40 }],
});
new TerraformOutput(shop, "lead", { value: lead.id });

app.synth();
