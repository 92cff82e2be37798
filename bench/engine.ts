// Whether the time of a no-change plan grows with the number of resources alone: 1,000, 5,000 and 20,000 of them, at a
// service without latency, and where the time goes; `--all` measures 10,000 as well, which have aims of their own.
import { print } from "./figures";
import { type Measured, steward } from "./support/command";
import { estateFixture, estateResources, RESOURCES_A_PROJECT } from "./support/estate";
import { splitOf } from "./support/phases";
import { ServiceProcess } from "./support/service-process";
import { StackFolder } from "./support/stack-folder";

const SIZES = process.argv.includes("--all") ? [1000, 5000, 10_000, 20_000] : [1000, 5000, 20_000];
const PLANS = 3;
const FLAT = 1.3;
const TEN_THOUSAND = { seconds: 3, megabytes: 500 };

/** Seconds until the command can begin. */
interface StartUp {
  readonly seconds: number;
  readonly cpu: number;
}

/** Milliseconds a resource, of the whole command and of the processor alone, which other programs don't slow down. */
interface Cost {
  readonly wall: number;
  readonly cpu: number;
}

async function planOf(count: number, start: StartUp, least: Cost | undefined): Promise<Cost> {
  const projects = count / RESOURCES_A_PROJECT;
  const service = await ServiceProcess.start({ fixture: estateFixture(projects) });
  const stack = new StackFolder();
  try {
    stack.declare(estateResources(projects));
    await steward(["apply", ...stack.words, "--auto-approve"], service.env);
    const plans = [];
    for (let plan = 0; plan < PLANS; plan += 1)
      plans.push(await steward(["plan", ...stack.words, "--detailed-exitcode"], service.env));
    const seconds = Math.min(...plans.map((plan) => plan.seconds));
    const cpu = Math.min(...plans.map((plan) => plan.cpu!));
    const aim = count === 10_000 ? TEN_THOUSAND : undefined;
    print({
      name: `${count} resources, no change`,
      value: seconds,
      unit: "s",
      ...(aim && { atMost: aim.seconds }),
    });
    const megabytes = Math.max(...plans.map((plan) => plan.megabytes!));
    print({
      name: "  memory at the most",
      value: megabytes,
      unit: "MB",
      ...(aim && { atMost: aim.megabytes }),
    });
    print({ name: "  of which the processor worked", value: cpu, unit: "s" });
    const cost = {
      wall: ((seconds - start.seconds) / count) * 1000,
      cpu: ((cpu - start.cpu) / count) * 1000,
    };
    print({
      name: "  a resource, without start-up",
      value: cost.wall,
      unit: "ms",
      ...(least && { atMost: least.wall * FLAT }),
    });
    print({
      name: "  of the processor",
      value: cost.cpu,
      unit: "ms",
      ...(least && { atMost: least.cpu * FLAT }),
    });
    const split = await splitOf(stack.path, stack.state, service.env);
    for (const [name, value] of Object.entries(split)) print({ name: `    ${name}`, value, unit: "s" });
    return cost;
  } finally {
    stack.remove();
    await service.close();
  }
}

async function main(): Promise<void> {
  const starts: Measured[] = [];
  for (let run = 0; run < PLANS; run += 1) starts.push(await steward(["--version"], process.env));
  const start = {
    seconds: Math.min(...starts.map(({ seconds }) => seconds)),
    cpu: Math.min(...starts.map(({ cpu }) => cpu!)),
  };
  print({ name: "start-up", value: start.seconds, unit: "s" });
  let least: Cost | undefined;
  for (const count of SIZES) {
    const cost = await planOf(count, start, least);
    least ??= cost;
  }
}

main().catch((problem: unknown) => {
  process.stderr.write(`${(problem as Error).stack}\n`);
  process.exitCode = 1;
});
