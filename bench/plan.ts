// What plans and applies of one collection cost: requests, counted at the service, and time, beside other programs.
// Without a flag 10, 100 and 1,000 entries at 20 ms of latency; `--all` adds 10,000, and 0 and 100 ms.
import { programFor } from "../test/support/capabilities";
import { brief, print } from "./figures";
import { type BenchCollection, COLLECTIONS } from "./support/collections";
import { type Measured, steward } from "./support/command";
import { findGitlabform, runGitlabform } from "./support/gitlabform";
import { type Split, splitOf } from "./support/phases";
import { ServiceProcess } from "./support/service-process";
import { StackFolder } from "./support/stack-folder";
import { synthesisSeconds } from "./support/synthesis";
import { changeUnderTerraform, planUnderTerraform, type TerraformRun } from "./support/terraform";

const isWhole = process.argv.includes("--all");
const LATENCIES = isWhole ? [0, 20, 100] : [20];
const SIZES = isWhole ? [10, 100, 1000, 10_000] : [10, 100, 1000];
/** Terraform plans so many at the most; changing as many takes it minutes, and is left to the whole selection. */
const MOST_UNDER_TERRAFORM = 1000;
const MOST_CHANGES_UNDER_TERRAFORM = isWhole ? 1000 : 10;
const MOST_FOR_GITLABFORM = isWhole ? 1000 : 100;
const PLANS = 3;

/** The aims in seconds are for one size at one latency. */
const AIMED = { count: 1000, latency: 20, plan: 1, create: 2.5, underTerraform: 2.5 };

interface Case {
  readonly collection: BenchCollection;
  readonly count: number;
  readonly latency: number;
}

interface Run extends TerraformRun {
  readonly megabytes?: number;
  readonly cpu?: number;
  readonly mostRequests?: number;
  readonly mostSeconds?: number | undefined;
}

function tell({ name, seconds, counted, megabytes, cpu, mostRequests, mostSeconds }: Run): void {
  const figure = (value: number | undefined, unit: string, atMost?: number): string =>
    value === undefined ? "" : brief({ name, value, unit, ...(atMost !== undefined && { atMost }) });
  const cells = [
    figure(counted.requests, "requests", mostRequests).padEnd(26),
    figure(seconds, "s", mostSeconds).padEnd(22),
    figure(cpu, "s of processor").padEnd(20),
    figure(megabytes, "MB"),
  ];
  process.stdout.write(`  ${name.padEnd(36)} ${cells.join(" ").trimEnd()}\n`);
}

/** Runs something several times and keeps the quickest; a busy machine makes the others slower. */
async function quickest(times: number, run: () => Promise<Measured>): Promise<Measured> {
  const all: Measured[] = [];
  for (let count = 0; count < times; count += 1) all.push(await run());
  return all.reduce((one, other) => (other.seconds < one.seconds ? other : one));
}

async function embedded({ collection, count, latency }: Case, engine: string | undefined): Promise<void> {
  const service = await ServiceProcess.start({ fixture: collection.fixture(count) });
  const stack = new StackFolder();
  const isAimed = count === AIMED.count && latency === AIMED.latency;
  const look = async (name: string, times: number, words: readonly string[], aims: Partial<Run>) => {
    await service.counters();
    const measured = await quickest(times, () => steward([...words, ...stack.words], service.env, [0, 2]));
    const { requests } = await service.counters();
    const counted = { requests: requests / times, refused: 0, refusedAgain: 0 };
    tell({ ...measured, name, counted, ...aims });
    return measured;
  };
  try {
    await service.delay(latency);
    stack.declare(collection.resources(count));
    await look("apply, from nothing", 1, ["apply", "--auto-approve"], {
      mostSeconds: isAimed ? AIMED.create : undefined,
    });
    const most = collection.most(count);
    const plan = await look("plan, no change", PLANS, ["plan"], {
      mostRequests: most,
      mostSeconds: isAimed ? AIMED.plan : undefined,
    });
    tellSplit(await splitOf(stack.path, stack.state, service.env), plan.seconds);
    if (engine !== undefined && count <= MOST_UNDER_TERRAFORM)
      await planUnderTerraform(engine, service, collection.resources(count), stack.state, (run) =>
        tell({
          ...run,
          mostRequests: most,
          mostSeconds: isAimed ? AIMED.underTerraform : undefined,
        }),
      );
    stack.declare(collection.changed(count));
    await look("plan, one change", 1, ["plan"], { mostRequests: most + collection.mostForChange });
    await look("destroy", 1, ["apply", "--destroy", "--auto-approve"], {});
  } finally {
    stack.remove();
    await service.close();
  }
}

function tellSplit(split: Split, whole: number): void {
  const inside = split.load + split.evaluate + split.refresh + split.diff;
  const parts = [
    `start-up ${Math.max(0, whole - inside).toFixed(2)}`,
    ...Object.entries(split).map(([name, seconds]: [string, number]) => `${name} ${seconds.toFixed(2)}`),
  ];
  process.stdout.write(`    split in seconds: ${parts.join(", ")}\n`);
}

async function besides(one: Case, gitlabform: string | undefined, engine: string | undefined): Promise<void> {
  const { collection, count, latency } = one;
  const started = async (work: (service: ServiceProcess) => Promise<void>) => {
    const service = await ServiceProcess.start({ fixture: collection.fixture(count) });
    await service.delay(latency);
    await work(service);
    await service.close();
  };
  if (engine !== undefined && count <= MOST_CHANGES_UNDER_TERRAFORM)
    await started((service) => changeUnderTerraform(engine, service, collection.resources(count), tell));
  const declared = collection.gitlabform?.(count);
  if (gitlabform === undefined || declared === undefined || count > MOST_FOR_GITLABFORM) return;
  await started(async (service) => {
    for (const name of ["from nothing", "no change"]) {
      const { seconds } = await runGitlabform(gitlabform, service, declared);
      tell({ name: `gitlabform: ${name}`, seconds, counted: await service.counters() });
    }
  });
}

async function main(): Promise<void> {
  const gitlabform = await findGitlabform();
  const engine = programFor("terraform");
  process.stdout.write(
    `beside it: ${engine ? "terraform" : "no terraform"}, ${gitlabform?.version ?? "no gitlabform"}\n`,
  );
  for (const count of SIZES)
    print({ name: `synthesis of ${count} resources`, value: await synthesisSeconds(count), unit: "s" });
  for (const latency of LATENCIES)
    for (const collection of COLLECTIONS)
      for (const count of SIZES) {
        process.stdout.write(`\n${collection.name}: ${count}, at ${latency} ms\n`);
        const one = { collection, count, latency };
        await embedded(one, engine);
        await besides(one, gitlabform?.program, engine);
      }
}

main().catch((problem: unknown) => {
  process.stderr.write(`${(problem as Error).stack}\n`);
  process.exitCode = 1;
});
