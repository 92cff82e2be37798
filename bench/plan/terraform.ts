import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { measure, steward } from "../support/command";
import type { ServiceProcess } from "../support/service-process";
import { StackFolder } from "../support/stack-folder";
import { plansOf, runCycle, type Tell } from "./cycle";
import { codeOf } from "./embedded";
import type { Case } from "./model";
import type { Step } from "./steps";
import { withService } from "./with-service";

const WORDS: Readonly<Record<Step, readonly string[]>> = {
  apply: ["apply", "-json", "-auto-approve"],
  plan: ["plan", "-json", "-detailed-exitcode"],
  change: ["plan", "-json", "-detailed-exitcode"],
  destroy: ["destroy", "-json", "-auto-approve"],
};

/** Runs a case under Terraform. Terraform starts Steward's provider from a mirror, as in an installation. */
export const runTerraform = (program: string, one: Case, tell: Tell): Promise<void> =>
  withService(one, async (service) => {
    const mirror = mkdtempSync(path.join(tmpdir(), "steward-bench-"));
    const stack = new StackFolder();
    try {
      const env = await terraformEnvironment(service, mirror);
      const measured = (words: readonly string[], code: number) =>
        measure(program, words, { env, cwd: stack.path, codes: [code] });
      // `terraform init` only needs to know the provider, so one resource is enough.
      await stack.synthesize(one.collection.resources(1));
      await measured(["init"], 0);
      const run = (step: Step) => measured(WORDS[step], codeOf(step));
      await runCycle(one, { service, stack, run, hasEvents: true, plans: plansOf(one) }, tell);
    } finally {
      stack.remove();
      rmSync(mirror, { recursive: true });
    }
  });

export async function terraformEnvironment(
  service: ServiceProcess,
  mirror: string,
): Promise<NodeJS.ProcessEnv> {
  const { output } = await steward(["mirror", mirror], process.env);
  const settings = path.join(mirror, "steward.tfrc");
  if (!output.includes(settings)) throw new Error(`steward mirror did not name ${settings}:\n${output}`);
  return { ...service.env, TF_CLI_CONFIG_FILE: settings, CHECKPOINT_DISABLE: "1", TF_INPUT: "0" };
}
