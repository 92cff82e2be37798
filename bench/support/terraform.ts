import { readFileSync } from "node:fs";
import { makeMirror } from "../../test/plugin/support/plugin-mirror";
import { Workspace } from "../../test/plugin/support/workspace";
import type { Resources } from "./estate";
import type { Counted, ServiceProcess } from "./service-process";

/** What one command took. */
export interface TerraformRun {
  readonly name: string;
  readonly seconds: number;
  readonly counted: Counted;
}

type Tell = (run: TerraformRun) => void;

/** Plans with Terraform and this project's provider, from the state that the embedded engine wrote. */
export const planUnderTerraform = (
  engine: string,
  service: ServiceProcess,
  resource: Resources,
  state: string,
  tell: Tell,
): Promise<void> =>
  underTerraform(engine, service, resource, tell, async (workspace, timed) => {
    workspace.write("terraform.tfstate", readFileSync(state, "utf8"));
    await timed("under Terraform: plan, no change", () => workspace.succeed("plan"));
  });

/** Makes everything, and ends it. */
export const changeUnderTerraform = (
  engine: string,
  service: ServiceProcess,
  resource: Resources,
  tell: Tell,
): Promise<void> =>
  underTerraform(engine, service, resource, tell, async (workspace, timed) => {
    await timed("under Terraform: apply, from nothing", () => workspace.apply());
    await timed("under Terraform: destroy", () => workspace.succeed("destroy", "-auto-approve"));
  });

async function underTerraform(
  engine: string,
  service: ServiceProcess,
  resource: Resources,
  tell: Tell,
  work: (
    workspace: Workspace,
    timed: (name: string, run: () => Promise<unknown>) => Promise<void>,
  ) => Promise<void>,
): Promise<void> {
  const mirror = await makeMirror();
  const workspace = new Workspace(engine, {
    TF_CLI_CONFIG_FILE: mirror.configuration,
    STEWARD_BASE_URL: service.url,
    STEWARD_TOKEN: service.token,
  });
  try {
    workspace.write("main.tf.json", JSON.stringify({ resource }));
    await workspace.succeed("init");
    await work(workspace, async (name, run) => {
      await service.counters();
      const began = performance.now();
      await run();
      tell({ name, seconds: (performance.now() - began) / 1000, counted: await service.counters() });
    });
  } finally {
    workspace.remove();
    mirror.remove();
  }
}
