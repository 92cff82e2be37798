// Declares many projects in a loop. The loop has the common settings, and a table has the differences. Try it: steward
// plan --app "node --import tsx examples/many-projects/loop/main.ts"
import { App, TerraformStack } from "cdktf";
import { AccessLevel, ProjectSettings, StewardProvider } from "cdktf-provider-steward";
import type { Construct } from "constructs";

interface Kind {
  /** Projects whose CI jobs may access this project with their job tokens. */
  readonly callers: readonly string[];
  /** Environments that only Maintainers can deploy to. */
  readonly environments: readonly string[];
}

const PROJECTS: Readonly<Record<string, Kind>> = {
  "acme/web-shop": { callers: ["acme/deploy-tools", "acme/test-runner"], environments: ["production"] },
  "acme/docs": { callers: ["acme/deploy-tools"], environments: [] },
  "acme/platform/cluster-config": { callers: ["acme/deploy-tools"], environments: ["production"] },
};

class Estate extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new StewardProvider(this, "steward"); // address and token come from STEWARD_BASE_URL and STEWARD_TOKEN
    const deployAccessLevels = [{ accessLevel: AccessLevel.MAINTAINER }];
    for (const [project, { callers, environments }] of Object.entries(PROJECTS)) {
      new ProjectSettings(this, project.replaceAll("/", "-"), {
        project,
        inboundEnabled: true,
        allowlist: { targetProjects: [...callers] },
        protectedEnvironments: Object.fromEntries(environments.map((name) => [name, { deployAccessLevels }])),
      });
    }
  }
}

const app = new App();
new Estate(app, "estate");
app.synth();
