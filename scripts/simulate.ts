// `npm run simulate -- --people --seed N`: plays stories of people from this seed on, and prints the stories that break
// a law. `--stories 10000` sets the number of stories. For each planted fault, `--faults` searches the same stories for
// a story that finds the fault.
import { parseArgs } from "node:util";
import { buildPeople, playPeople } from "../test/simulator/people/program";
import { APPROVAL_FAULTS } from "./mutants/approvals";

/** The number of stories that one process plays. */
const ROUND = 500;

const { values } = parseArgs({
  options: {
    people: { type: "boolean", default: false },
    seed: { type: "string", default: "1" },
    stories: { type: "string", default: "100" },
    faults: { type: "boolean", default: false },
  },
});

async function findFaults(program: string, from: number, stories: number): Promise<void> {
  for (const [number, { fault }] of APPROVAL_FAULTS.entries()) {
    const words = ["--seeds", `${from}+${stories}`, "--planted", String(number), "--failures", "1"];
    const [found] = (await playPeople(program, words)).failures;
    console.log(found === undefined ? `MISSED ${fault}` : `found  ${fault}: ${found.what}\n${found.story}\n`);
    if (found === undefined) process.exitCode = 1;
  }
}

async function main(): Promise<void> {
  const [from, stories] = [Number(values.seed), Number(values.stories)];
  if (!values.people) throw new Error("Say what to simulate: --people");
  const program = await buildPeople("people");
  if (values.faults) return findFaults(program, from, stories);
  for (let next = from; next < from + stories; next += ROUND) {
    const count = Math.min(ROUND, from + stories - next);
    const { failures, counts, seconds } = await playPeople(program, ["--seeds", `${next}+${count}`]);
    for (const { seed, law, what, story } of failures)
      console.log(`seed ${seed}: ${law}: ${what}\n${story}\n`);
    console.log(`${next} to ${next + count - 1}: ${failures.length} failures, ${seconds.toFixed(1)} s`);
    console.log(JSON.stringify(counts));
    if (failures.length > 0) process.exitCode = 1;
  }
}

main().catch((problem: unknown) => {
  console.error((problem as Error).message);
  process.exitCode = 1;
});
