// Measures a no-change plan of 10,000 protected environments. Compares it with a bare process, and with a process that
// also does the necessary parts of a plan. The cost of a part is the difference between a run with it and a run with
// only the parts before it.
import path from "node:path";
import { median, print } from "./figures";
import { COLLECTIONS } from "./plan/collections";
import { type Measured, steward } from "./support/command";
import { floorOf } from "./support/floor";
import { ServiceProcess } from "./support/service-process";
import { StackFolder } from "./support/stack-folder";

const COUNT = 10_000;
const ROUNDS = 5;

const { PARTS } = require("./support/least-work") as { readonly PARTS: readonly string[] };

async function main(): Promise<void> {
  const collection = COLLECTIONS.find(({ name }) => name === "environments")!;
  const service = await ServiceProcess.start({ fixture: collection.fixture(COUNT) });
  const stack = new StackFolder();
  try {
    stack.declare(collection.resources(COUNT));
    await steward(["apply", "--auto-approve", ...stack.words], service.env);
    const plan = () => steward(["plan", ...stack.words, "--detailed-exitcode"], service.env);
    await service.pages();
    await plan();
    const pages = await service.pages();
    const runs: (() => Promise<Measured>)[] = [plan];
    for (let count = 0; count <= PARTS.length; count += 1)
      runs.push(
        floorOf(service, {
          job: path.join(stack.path, `floor-${count}.json`),
          pages,
          inputs: [stack.configuration, stack.state],
          parts: PARTS.slice(0, count),
        }),
      );
    const seconds: number[][] = runs.map(() => []);
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [index, run] of runs.entries()) seconds[index]!.push((await run()).cpu!);
    const [ours, ...floors] = seconds.map(median) as [number, ...number[]];
    print({ name: `plan of ${COUNT} environments, processor`, value: ours, unit: "s" });
    print({ name: "  bare process", value: floors[0]!, unit: "s" });
    for (const [index, part] of PARTS.entries())
      print({ name: `  and ${part}`, value: floors[index + 1]! - floors[index]!, unit: "s" });
    const [bare, own] = [floors[0]!, floors.at(-1)!];
    print({ name: "  to the bare process", value: ours / bare, unit: "times", atMost: 2 });
    print({ name: "  to the least work", value: ours / own, unit: "times", atMost: 2 });
  } finally {
    stack.remove();
    await service.close();
  }
}

main().catch((problem: unknown) => {
  process.stderr.write(`${(problem as Error).stack}\n`);
  process.exitCode = 1;
});
