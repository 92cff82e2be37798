// Measures the requests and the time of a no-change plan for a company of 1,000 projects with 20 resources each. All
// resources refer to their project by path. The service has latency in some plans, and a rate limit in another plan.
// Without `--all`, the company has 100 projects.
import path from "node:path";
import type { ServiceOptions } from "../src/service";
import { print } from "./figures";
import { steward } from "./support/command";
import { estateFixture, estateResources, RESOURCES_A_PROJECT } from "./support/estate";
import { ServiceProcess } from "./support/service-process";
import { StackFolder } from "./support/stack-folder";

const isWhole = process.argv.includes("--all");
const PROJECTS = isWhole ? 1000 : 100;
const LATENCIES = isWhole ? [0, 20, 100] : [20];
/**
 * The limits: requests per project, and seconds for 20,000 resources in addition to the latency. With fewer resources,
 * most of the time is start-up.
 */
const AIM = { requests: 6, seconds: 4 };
const OWN_SECONDS = isWhole ? AIM.seconds : 1;
/** The default concurrency limit. */
const WIDTH = 50;
/** The rate limit of the service, with a period in seconds. The rate limit is so low that a plan reaches it. */
const LIMIT = { requests: 2 * PROJECTS, period: isWhole ? 60 : 10 };

async function plansWithLatency(service: ServiceProcess, stack: StackFolder): Promise<void> {
  const applied = await steward(["apply", ...stack.words, "--auto-approve"], service.env);
  const count = PROJECTS * RESOURCES_A_PROJECT;
  const { requests } = await service.counters();
  print({ name: `${count} resources, apply from nothing`, value: applied.seconds, unit: "s" });
  print({ name: "  requests a project", value: requests / PROJECTS, unit: "requests" });
  for (const latency of LATENCIES) {
    await service.delay(latency);
    const plan = await steward(["plan", ...stack.words, "--detailed-exitcode"], service.env);
    const counted = await service.counters();
    const waited = ((latency / 1000) * counted.requests) / WIDTH;
    print({
      name: `no-change plan at ${latency} ms`,
      value: plan.seconds,
      unit: "s",
      atMost: waited + OWN_SECONDS,
    });
    print({
      name: "  requests a project",
      value: counted.requests / PROJECTS,
      unit: "requests",
      atMost: AIM.requests,
    });
    print({ name: "  of which the processor worked", value: plan.cpu!, unit: "s" });
    print({ name: "  memory at the most", value: plan.megabytes!, unit: "MB" });
  }
}

async function planUnderLimit(service: ServiceProcess, stack: StackFolder): Promise<void> {
  const plan = await steward(["plan", ...stack.words, "--detailed-exitcode"], service.env);
  const { requests, refused, refusedAgain } = await service.counters();
  print({
    name: `under ${LIMIT.requests} requests in ${LIMIT.period} s: plan`,
    value: plan.seconds,
    unit: "s",
  });
  print({ name: "  requests", value: requests, unit: "requests" });
  print({ name: "  refused", value: refused, unit: "requests" });
  print({ name: "  refused twice", value: refusedAgain, unit: "requests", atMost: 0 });
  const told = plan.output.split("\n").filter((line) => /^(Waiting|Refreshing)/.test(line));
  process.stdout.write(`${told.map((line) => `    ${line}\n`).join("")}`);
}

async function main(): Promise<void> {
  const stack = new StackFolder();
  // The data are on disk, so that the second service, which has the rate limit, continues with the same data.
  const setup = { data: path.join(stack.path, "service.db"), adminToken: "bench-administrator-token" };
  const run = async (
    more: Partial<ServiceOptions>,
    work: (service: ServiceProcess, stack: StackFolder) => Promise<void>,
  ) => {
    const service = await ServiceProcess.start({ ...setup, ...more });
    try {
      await work(service, stack);
    } finally {
      await service.close();
    }
  };
  stack.declare(estateResources(PROJECTS));
  try {
    await run({ fixture: estateFixture(PROJECTS) }, plansWithLatency);
    await run({ settings: { rateLimit: LIMIT } }, planUnderLimit);
  } finally {
    stack.remove();
  }
}

main().catch((problem: unknown) => {
  process.stderr.write(`${(problem as Error).stack}\n`);
  process.exitCode = 1;
});
