// Measures `adopt` for 200 projects. Each project has 20 objects that were made by hand. Compares `adopt` with a plan
// of the configuration that it writes. `--all` also measures other latencies.
import { rmSync } from "node:fs";
import path from "node:path";
import { ESTATE_TOKENS, estate, OBJECTS_A_PROJECT } from "../test/adopt/groups/estate";
import { print } from "./figures";
import { steward } from "./support/command";
import { ServiceProcess } from "./support/service-process";
import { StackFolder } from "./support/stack-folder";

const PROJECTS = 200;
const LATENCIES = process.argv.includes("--all") ? [0, 20, 100] : [20];
/** The limits at all measured latencies: the seconds of `adopt`, and their ratio to the seconds of the plan. */
const AIM = { seconds: 20, ratio: 1.5 };
/**
 * The number of requests that `adopt` may send in addition to the requests of the plan. With these requests, `adopt`
 * finds the projects and looks up users and groups.
 */
const LOOK_UPS = 20;

async function main(): Promise<void> {
  const stack = new StackFolder();
  const service = await ServiceProcess.start({ fixture: estate(PROJECTS) });
  const env = { ...service.env, STEWARD_TOKEN: ESTATE_TOKENS.reader };
  const out = path.join(stack.path, "adopted");
  try {
    for (const latency of LATENCIES) {
      rmSync(out, { recursive: true, force: true });
      await service.delay(latency);
      await service.counters();
      const adopted = await steward(["adopt", "estate", "--out", out, "--format", "json"], env);
      const { requests } = await service.counters();
      await steward(["apply", "--config", out, "--auto-approve"], env);
      await service.counters();
      const plan = await steward(["plan", "--config", out, "--detailed-exitcode"], env);
      const { requests: ofPlan } = await service.counters();
      print({
        name: `adopt ${PROJECTS * OBJECTS_A_PROJECT} objects at ${latency} ms`,
        value: adopted.seconds,
        unit: "s",
        atMost: AIM.seconds,
      });
      print({
        name: "  times a plan of the same",
        value: adopted.seconds / plan.seconds,
        unit: "",
        atMost: AIM.ratio,
      });
      print({ name: "  requests", value: requests, unit: "requests", atMost: ofPlan + LOOK_UPS });
      print({ name: "  of which the processor worked", value: adopted.cpu!, unit: "s" });
      print({ name: "  memory at the most", value: adopted.megabytes!, unit: "MB" });
    }
  } finally {
    await service.close();
    stack.remove();
  }
}

main().catch((problem: unknown) => {
  process.stderr.write(`${(problem as Error).stack}\n`);
  process.exitCode = 1;
});
