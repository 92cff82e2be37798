import path from "node:path";
import { App, TerraformStack } from "cdktf";
import type { Scene } from "./scene";
import { numbers, type World } from "./world";

/** Synthesizes an app in this process. The app declares this number of objects with the constructs. */
function synthesize(world: World): void {
  const { AccessLevel, ProtectedEnvironment, StewardProvider } = world.product.constructs();
  const app = new App({ outdir: path.join(world.folder, "cdktf.out") });
  const stack = new TerraformStack(app, "app");
  new StewardProvider(stack, "steward");
  for (const index of numbers(world.size))
    new ProtectedEnvironment(stack, `e${index}`, {
      project: world.group,
      name: `env-${index}`,
      deployAccessLevels: [{ accessLevel: AccessLevel.MAINTAINER }],
    });
  app.synth();
}

function synthesizeSettings(world: World): void {
  const { AccessLevel, ProjectSettings, StewardProvider } = world.product.constructs();
  const app = new App({ outdir: path.join(world.folder, "cdktf.out") });
  const stack = new TerraformStack(app, "app");
  new StewardProvider(stack, "steward");
  const deployAccessLevels = [{ accessLevel: AccessLevel.MAINTAINER }];
  for (const index of numbers(world.size))
    new ProjectSettings(stack, `project-${index}`, {
      project: `${world.group}/p${index}`,
      inboundEnabled: true,
      allowlist: { targetProjects: [`${world.group}/p0`] },
      protectedEnvironments: { production: { deployAccessLevels } },
    });
  app.synth();
}

/** The scene that measures the synthesis of apps. */
export const apps: Scene = {
  name: "apps",
  projects: () => 0,
  operations: [
    { name: "synthesis", run: synthesize },
    { name: "synthesis of all settings of projects", run: synthesizeSettings },
  ],
};
