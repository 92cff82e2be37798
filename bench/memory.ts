// Measures the maximum memory of a plan in a project with 50,000 allowlist entries.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { print } from "./figures";
import { steward } from "./support/command";
import { fillAllowlist } from "./support/crowded-allowlist";
import type { Resources } from "./support/estate";
import { ServiceProcess } from "./support/service-process";
import { StackFolder } from "./support/stack-folder";

const ENTRIES = 50_000;
const MOST = 300;
const PROJECT = "1";

const one: Resources = {
  steward_job_token_allowlist_project: { one: { project: PROJECT, target_project: String(ENTRIES) } },
};
const whole: Resources = {
  steward_job_token_allowlist: {
    all: {
      project: PROJECT,
      target_projects: Array.from({ length: ENTRIES - 1 }, (_, index) => String(index + 2)),
      target_groups: [],
    },
  },
};

async function planOf(
  name: string,
  resources: Resources,
  id: string,
  service: ServiceProcess,
): Promise<void> {
  const stack = new StackFolder();
  try {
    stack.declare(resources);
    const [[type, named]] = Object.entries(resources) as [[string, object]];
    await steward(["import", ...stack.words, `${type}.${Object.keys(named)[0]}`, id], service.env);
    // After an import, Steward does not yet know which sets the declaration manages. An apply records this in the
    // state.
    await steward(["apply", ...stack.words, "--auto-approve"], service.env);
    await service.counters();
    const plan = await steward(["plan", ...stack.words, "--detailed-exitcode"], service.env);
    const { requests } = await service.counters();
    print({ name: `${name}: memory at the most`, value: plan.megabytes!, unit: "MB", atMost: MOST });
    print({ name: "  time", value: plan.seconds, unit: "s" });
    print({ name: "  requests", value: requests, unit: "requests" });
  } finally {
    stack.remove();
  }
}

async function main(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "steward-bench-"));
  const setup = { data: path.join(folder, "data.db"), adminToken: "bench-administrator-token" };
  try {
    await (await ServiceProcess.start(setup)).close();
    fillAllowlist(setup.data, ENTRIES);
    const service = await ServiceProcess.start(setup);
    await planOf(`one entry of ${ENTRIES}`, one, `1:${ENTRIES}`, service);
    await planOf(`an allowlist of ${ENTRIES} as one resource`, whole, "1", service);
    await service.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

main().catch((problem: unknown) => {
  process.stderr.write(`${(problem as Error).stack}\n`);
  process.exitCode = 1;
});
