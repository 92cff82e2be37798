// Measures the processor time of no-change plans under Terraform. The bench also measures each RPC of the provider. For
// comparison, it measures the same number of `terraform_data` resources, a bare process with the same requests, and the
// same plans with a bare provider.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { PROVIDER_SOURCE } from "../src/provider";
import { programFor } from "../test/support/capabilities";
import { median, print } from "./figures";
import { type BenchCollection, BUILTIN, COLLECTIONS } from "./plan/collections";
import { terraformEnvironment } from "./plan/terraform";
import { type Measured, measure, measureNode, PEAK, steward } from "./support/command";
import { floorOf } from "./support/floor";
import { ServiceProcess } from "./support/service-process";
import { StackFolder } from "./support/stack-folder";

const isWhole = process.argv.includes("--all");
const COUNTS = isWhole ? [1000, 5000] : [1000];
const PAIRS = isWhole ? 7 : 3;
const MOST = 1.8;
// If this variable is set on a machine, Node reads more certificates at each start. The provider starts three times in
// a plan, and the bare process only once. So the variable would change the ratio.
delete process.env["NODE_EXTRA_CA_CERTS"];
const MEASURED = ["projects", "environments", "rules"];
const BARE = path.join(__dirname, "support", "bare-provider.js");
/**
 * The limit of the ratio to a bare provider. On an idle machine, the ratio is 1.21 to 1.23, and the limit is 15 %
 * higher.
 */
const MOST_BESIDE_BARE = 1.4;

/**
 * The cost of a plan under Terraform with all processes. `starts` has the processor seconds of each start of the
 * provider, sorted. The longest start is the one that reads and plans.
 */
interface Planned extends Measured {
  readonly starts: readonly number[];
}

/** Runs and measures plans of one stack. */
class Plans {
  readonly #terraform: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #stack: StackFolder;
  readonly #usage: string;

  constructor(terraform: string, env: NodeJS.ProcessEnv, stack: StackFolder) {
    this.#terraform = terraform;
    this.#stack = stack;
    this.#usage = path.join(stack.path, "usage");
    this.#env = { ...env, BENCH_USAGE: this.#usage, NODE_OPTIONS: `--require ${JSON.stringify(PEAK)}` };
  }

  /** @param more variables that only this plan gets */
  async run(more: NodeJS.ProcessEnv = {}): Promise<Planned> {
    mkdirSync(this.#usage);
    const plan = await measure(
      this.#terraform,
      ["plan", "-detailed-exitcode", `-state=${this.#stack.state}`],
      {
        env: { ...this.#env, ...more },
        cwd: this.#stack.path,
      },
    );
    const starts = readdirSync(this.#usage).map((file) => {
      const { microseconds } = JSON.parse(readFileSync(path.join(this.#usage, file), "utf8"));
      return (microseconds as number) / 1e6;
    });
    rmSync(this.#usage, { recursive: true });
    return { ...plan, starts: starts.sort((one, other) => one - other) };
  }
}

interface Prepared {
  readonly stack: StackFolder;
  readonly plans: Plans;
}

async function prepare(
  terraform: string,
  collection: BenchCollection,
  count: number,
  service: ServiceProcess,
  env: NodeJS.ProcessEnv,
): Promise<Prepared> {
  const stack = new StackFolder();
  stack.declare(collection.resources(count));
  await measure(terraform, ["init"], { env, cwd: stack.path });
  await steward(["apply", "--auto-approve", ...stack.words], service.env);
  return { stack, plans: new Plans(terraform, env, stack) };
}

/**
 * Records the requests and responses of a plan for the bare provider. Returns the variables with which Terraform starts
 * it.
 */
async function bareProvider({ stack, plans }: Prepared): Promise<NodeJS.ProcessEnv> {
  const folder = mkdtempSync(path.join(stack.path, "bare-"));
  const launcher = path.join(folder, "terraform-provider-steward");
  writeFileSync(launcher, `#!/usr/bin/env node\nrequire(${JSON.stringify(BARE)});\n`, { mode: 0o755 });
  const settings = path.join(folder, "settings.tfrc");
  const [source, here] = [PROVIDER_SOURCE, folder].map((one) => JSON.stringify(one));
  writeFileSync(
    settings,
    `provider_installation {\n  dev_overrides { ${source} = ${here} }\n  direct {}\n}\n`,
  );
  const bare = { TF_CLI_CONFIG_FILE: settings, BENCH_RECORDING: folder };
  await plans.run({ ...bare, BENCH_RECORD: "1" });
  return bare;
}

async function proceduresOf(service: ServiceProcess, stack: StackFolder): Promise<Record<string, number>> {
  const job = path.join(stack.path, "procedures.json");
  const where = { url: service.url, token: service.token };
  writeFileSync(job, JSON.stringify({ configuration: stack.configuration, state: stack.state, ...where }));
  const { output } = await measureNode([path.join(__dirname, "support", "procedures.js"), job], process.env);
  return JSON.parse(output) as Record<string, number>;
}

async function compare(
  terraform: string,
  mirror: string,
  collection: BenchCollection,
  count: number,
): Promise<void> {
  const service = await ServiceProcess.start({ fixture: collection.fixture(count) });
  const env = await terraformEnvironment(service, mirror);
  const ours = await prepare(terraform, collection, count, service, env);
  const builtin = await prepare(terraform, BUILTIN, count, service, env);
  try {
    await service.counters();
    await ours.plans.run();
    const pages = await service.pages();
    const floor = floorOf(service, { job: path.join(ours.stack.path, "floor.json"), pages });
    const bare = await bareProvider(ours);
    const rounds: {
      plan: Planned;
      bare: Planned;
      data: number;
      floor: number;
      procedures: Record<string, number>;
    }[] = [];
    // The programs run in turns, so that noise affects all of them equally.
    for (let pair = 0; pair < PAIRS; pair += 1)
      rounds.push({
        plan: await ours.plans.run(),
        bare: await ours.plans.run(bare),
        data: (await builtin.plans.run()).cpu!,
        floor: (await floor()).cpu!,
        procedures: await proceduresOf(service, ours.stack),
      });
    const tell = (
      name: string,
      of: (round: (typeof rounds)[number]) => number,
      unit: string,
      atMost?: number,
    ) => print({ name, value: median(rounds.map(of)), unit, ...(atMost !== undefined && { atMost }) });
    const least = (round: (typeof rounds)[number]) =>
      (round.bare.cpu! + round.floor) / (round.data + round.floor);
    const besideBare = (round: (typeof rounds)[number]) => round.plan.cpu! / (round.bare.cpu! + round.floor);
    tell(`${count} ${collection.name}, processor`, ({ plan }) => plan.cpu!, "s");
    tell(`  as many terraform_data`, ({ data }) => data, "s");
    tell(`  floor: ${pages.length} pages by bare undici`, (round) => round.floor, "s");
    tell("  beside both together", (round) => round.plan.cpu! / (round.data + round.floor), "times", MOST);
    tell("  the same with a bare provider", ({ bare }) => bare.cpu!, "s");
    tell("    and the floor, beside terraform_data and the floor: the least", least, "times");
    tell("  beside a bare provider and the floor", besideBare, "times", MOST_BESIDE_BARE);
    tell("  clock", ({ plan }) => plan.seconds, "s");
    const last = ({ plan: { starts } }: { readonly plan: Planned }) => starts.at(-1) ?? 0;
    tell("  Terraform itself", ({ plan }) => plan.cpu! - sum(plan.starts), "s");
    tell("  the provider that reads and plans", last, "s");
    tell(
      `  its other ${rounds[0]!.plan.starts.length - 1} starts`,
      (round) => sum(round.plan.starts) - last(round),
      "s",
    );
    for (const name of Object.keys(rounds[0]!.procedures))
      tell(`  ${name}, a call`, ({ procedures }) => procedures[name]!, "µs");
  } finally {
    ours.stack.remove();
    builtin.stack.remove();
    await service.close();
  }
}

const sum = (values: readonly number[]): number => values.reduce((one, other) => one + other, 0);

async function main(): Promise<void> {
  const terraform = programFor("terraform");
  if (terraform === undefined) {
    process.stdout.write("left out: there is no terraform on the PATH\n");
    return;
  }
  const mirror = mkdtempSync(path.join(tmpdir(), "steward-bench-"));
  try {
    for (const count of COUNTS)
      for (const collection of COLLECTIONS.filter(({ name }) => MEASURED.includes(name)))
        await compare(terraform, mirror, collection, count);
  } finally {
    rmSync(mirror, { recursive: true });
  }
}

main().catch((problem: unknown) => {
  process.stderr.write(`${(problem as Error).stack}\n`);
  process.exitCode = 1;
});
