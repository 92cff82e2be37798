// Measures a no-change plan and a create of 1,000 protected environments, at a latency of 20 ms. Compares plan and
// create with the shortest possible time. The runs take turns, and the fastest run counts, because other work on the
// machine only slows runs down.
import path from "node:path";
import { print } from "./figures";
import { COLLECTIONS } from "./plan/collections";
import { type Measured, steward } from "./support/command";
import { floorOf } from "./support/floor";
import { ServiceProcess } from "./support/service-process";
import { StackFolder } from "./support/stack-folder";

const COUNT = 1000;
const LATENCY = 20;
/** A fixed number of concurrent requests, because the default adapts to the service. */
const WIDTH = 10;
const RUNS = 3;
const MOST = 1.3;

const quickest = (runs: readonly Measured[]): number => Math.min(...runs.map(({ seconds }) => seconds));

async function planned(service: ServiceProcess, stack: StackFolder): Promise<void> {
  const plan = () => steward(["plan", ...stack.words, "--detailed-exitcode"], service.env);
  await service.pages();
  await plan();
  const pages = await service.pages();
  const floor = floorOf(service, {
    job: path.join(stack.path, "floor.json"),
    pages,
    inputs: [stack.configuration, stack.state],
  });
  await service.delay(LATENCY);
  const [plans, floors]: [Measured[], Measured[]] = [[], []];
  for (let run = 0; run < RUNS; run += 1) {
    plans.push(await plan());
    floors.push(await floor());
  }
  const [ours, least] = [quickest(plans), quickest(floors)];
  print({ name: `plan of ${COUNT} environments, clock`, value: ours, unit: "s" });
  print({ name: `  floor: ${pages.length} pages by bare undici`, value: least, unit: "s" });
  print({ name: "  to the floor", value: ours / least, unit: "times", atMost: MOST });
}

async function created(service: ServiceProcess, stack: StackFolder): Promise<void> {
  const apply = (width: readonly string[]) =>
    steward(["apply", "--auto-approve", ...width, ...stack.words], service.env);
  const destroy = async () => {
    await service.delay(0);
    await steward(["destroy", "--auto-approve", ...stack.words], service.env);
    await service.delay(LATENCY);
  };
  const floor = floorOf(service, {
    job: path.join(stack.path, "floor.json"),
    pages: [],
    inputs: [stack.configuration],
    outputs: { [path.join(stack.path, "floor.tfstate")]: stack.state },
  });
  const bodies = Array.from({ length: COUNT }, (_, index) => ({
    path: "/api/v4/projects/1/protected_environments",
    body: { name: `env-${index}`, deploy_access_levels: [{ access_level: 40 }] },
  }));
  const [fixed, adaptive, floors, bare]: [Measured[], Measured[], Measured[], Measured[]] = [[], [], [], []];
  let requests = 0;
  for (let run = 0; run < RUNS; run += 1) {
    floors.push(await floor());
    await destroy();
    await service.counters();
    fixed.push(await apply(["--parallelism", String(WIDTH)]));
    ({ requests } = await service.counters());
    await destroy();
    const reads = Array.from({ length: requests - COUNT }, () => "/api/v4/projects/1");
    const send = floorOf(service, { job: path.join(stack.path, "sent.json"), pages: [...reads, ...bodies] });
    bare.push(await send());
    await service.delay(0);
    await apply(["--import-existing"]);
    await destroy();
    adaptive.push(await apply([]));
  }
  const waiting = ((requests / WIDTH) * LATENCY) / 1000;
  const least = quickest(floors);
  const name = `create of ${COUNT} environments, clock, ${WIDTH} requests at once`;
  print({ name, value: quickest(fixed), unit: "s", atMost: MOST * waiting + least });
  print({ name: `  ${requests} requests of ${LATENCY} ms take`, value: waiting, unit: "s" });
  print({ name: "  floor: a bare process that reads and writes the same", value: least, unit: "s" });
  const ratio = (quickest(fixed) - least) / waiting;
  print({ name: "  without the floor, to the requests", value: ratio, unit: "times", atMost: MOST });
  const sent = quickest(bare);
  print({ name: "  floor: the same requests by bare undici, 10 at once", value: sent, unit: "s" });
  print({ name: "  to that floor", value: quickest(fixed) / sent, unit: "times", atMost: MOST });
  print({ name: "  as many at once as the service bears", value: quickest(adaptive), unit: "s" });
}

async function main(): Promise<void> {
  const collection = COLLECTIONS.find(({ name }) => name === "environments")!;
  const service = await ServiceProcess.start({ fixture: collection.fixture(COUNT) });
  const stack = new StackFolder();
  try {
    stack.declare(collection.resources(COUNT));
    await steward(["apply", "--auto-approve", ...stack.words], service.env);
    await planned(service, stack);
    await created(service, stack);
  } finally {
    stack.remove();
    await service.close();
  }
}

main().catch((problem: unknown) => {
  process.stderr.write(`${(problem as Error).stack}\n`);
  process.exitCode = 1;
});
