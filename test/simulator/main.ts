// The program of the simulator (see README.md). The program prints one line of JSON. With planted faults, the program
// prints a line for each event.
import { appendFileSync, readFileSync } from "node:fs";
import { type Call, type Walk, walksOf } from "./actors/trace";
import { TWO_RUNNERS, walkAll } from "./exhaustive";
import { INVARIANTS } from "./invariants";
import { SimulatedService } from "./network/service";
import { type PlantedPlays, playPlanted } from "./planted";
import { storyOf } from "./story/generate";
import { HOLDING_STORIES } from "./story/holding";
import { readStory, tell } from "./story/notation";
import { shrink } from "./story/shrink";
import type { Story } from "./story/story";
import { SCENARIO, SCENARIO_STORY } from "./story/terraform-scenario";
import { verdictsOf } from "./verdicts";
import { COMPANY } from "./world/company";
import type { Violation } from "./world/records";
import { World } from "./world/world";

/** A seed whose story breaks a rule, and the smallest story that breaks the same rule. */
interface Failure extends Violation {
  readonly seed: number;
  readonly story: string;
}

/** The totals of all played stories. Operations and faults are counted by name. */
const counts = {
  stories: 0,
  runs: 0,
  requests: 0,
  operations: {} as Record<string, number>,
  faults: {} as Record<string, number>,
};

const count = (of: Record<string, number>, name: string, times = 1): void => {
  of[name] = (of[name] ?? 0) + times;
};

function countWorld({ story, runs, network, disk, events }: World): void {
  counts.stories += 1;
  counts.runs += runs.length;
  counts.requests += network.exchanges.length;
  for (const { run, outcome } of runs) {
    count(counts.operations, story.host === undefined ? run.do : `${run.do} (Terraform)`);
    if (outcome === undefined) count(counts.faults, run.crash?.power ? "power failure" : "killed");
  }
  for (const { fault } of network.exchanges) if (fault !== undefined) count(counts.faults, fault);
  if (disk.failures > 0) count(counts.faults, "disk call fails", disk.failures);
  for (const [name, times] of Object.entries(events)) count(counts.faults, name, times);
}

async function play(
  story: Story,
  service: SimulatedService,
  watch?: ((world: World) => void) | "" | undefined,
): Promise<Violation | undefined> {
  const world = new World(story, service, INVARIANTS);
  await world.play();
  if (watch) watch(world);
  countWorld(world);
  return world.violations[0];
}

function resultOf(outcome: World["runs"][number]["outcome"]): string {
  if (outcome === undefined) return "died";
  return outcome.succeeded ? "succeeded" : outcome.diagnostics.map(({ code }) => code).join(", ");
}

/** Returns the requests of each run as lines for people. */
const requestsOf = ({ runs, network }: World): string[] =>
  runs.flatMap(({ run, process, outcome }) => [
    `${run.do}: ${resultOf(outcome)}`,
    ...network.exchanges
      .filter((one) => one.process === process)
      .map(({ method, target, status, fault = "" }) => `  ${method} ${target} ${status ?? ""} ${fault}`),
  ]);

/**
 * Plays a story and returns the rule that it breaks. An exception or an unhandled rejection, which only planted faults
 * cause, counts as a broken rule.
 */
async function broken(story: Story, service: SimulatedService): Promise<string | undefined> {
  let unhandled: unknown;
  const note = (problem: unknown): void => {
    unhandled ??= problem;
  };
  globalThis.process.on("unhandledRejection", note);
  try {
    const found = await play(story, service);
    return found?.invariant ?? (unhandled === undefined ? undefined : `unhandled: ${firstLine(unhandled)}`);
  } catch (problem) {
    return `the program fails: ${firstLine(problem)}`;
  } finally {
    globalThis.process.off("unhandledRejection", note);
  }
}

const firstLine = (problem: unknown): string => String(problem).split("\n")[0]!;

/**
 * Plays Terraform's scenario with the model of Terraform. Returns the model's calls of the provider, by the parts of
 * the scenario.
 */
async function callsOfModel(service: SimulatedService): Promise<Record<string, readonly Walk[]>> {
  const calls: Call[][] = [];
  const world = new World(SCENARIO_STORY, service, { ...INVARIANTS, end: async () => {} });
  world.onCall = (call) => calls.at(-1)!.push(call);
  world.onStep = (index) => {
    const step = SCENARIO_STORY.steps[index];
    if (step !== undefined && "run" in step) calls.push([]);
  };
  await world.play();
  return Object.fromEntries(SCENARIO.map(({ name }, at) => [name, walksOf(calls[at]!)]));
}

/** Returns a function that appends a line with the verdicts of a story to a file. */
const watchVerdicts =
  (file: string, story: number | string) =>
  (world: World): void =>
    appendFileSync(file, `${JSON.stringify({ story, verdicts: verdictsOf(world) })}\n`);

/** Plays the story of each seed. Returns the seeds whose stories break a rule, with the shrunk stories. */
async function playSeeds(
  from: number,
  count: number,
  service: SimulatedService,
  verdicts: string | undefined,
): Promise<Failure[]> {
  const failures: Failure[] = [];
  for (let seed = from; seed < from + count; seed += 1) {
    const story = storyOf(seed);
    const found = await play(story, service, verdicts && watchVerdicts(verdicts, seed));
    if (found !== undefined) failures.push(await shrunk(seed, story, found, service));
  }
  return failures;
}

async function shrunk(
  seed: number,
  story: Story,
  found: Violation,
  service: SimulatedService,
): Promise<Failure> {
  const isSame = async (one: Story) => (await play(one, service))?.invariant === found.invariant;
  const small = await shrink(story, isSame);
  return { ...found, ...(await play(small, service)), seed, story: tell(small) };
}

/**
 * Returns every second element for the part "1/2", and the other elements for "2/2". Without a part, returns all
 * elements.
 */
function partOf<T>(list: readonly T[], part: string | undefined): readonly T[] {
  const [, number, of] = /^(\d+)\/(\d+)$/.exec(part ?? "") ?? [];
  return of === undefined ? list : list.filter((_, index) => index % Number(of) === Number(number) - 1);
}

async function main(words: readonly string[]): Promise<void> {
  const service = await SimulatedService.open(COMPANY);
  const option = (name: string): string | undefined =>
    words.includes(name) ? words[words.indexOf(name) + 1] : undefined;
  const before = globalThis.process.cpuUsage();
  const started = globalThis.performance.now();
  const found: Record<string, unknown> = {};
  const verdicts = option("--verdicts");
  if (words.includes("--holding")) {
    const broken = [];
    const rules = option("--rules");
    const chosen = rules === undefined ? undefined : new Set<string>(JSON.parse(readFileSync(rules, "utf8")));
    const stories = HOLDING_STORIES.filter(({ rule }) => chosen?.has(rule) ?? true);
    for (const { rule, story } of partOf(stories, option("--holding"))) {
      const violation = await play(story, service, verdicts && watchVerdicts(verdicts, rule));
      if (violation !== undefined) broken.push({ rule, violation });
    }
    found["broken"] = broken;
  }
  if (words.includes("--planted")) {
    const { faults, ...given } = JSON.parse(readFileSync(option("--planted")!, "utf8")) as PlantedPlays;
    const stories = { ...given, holding: HOLDING_STORIES, ofSeed: storyOf };
    const tell = (line: object): void => void globalThis.process.stdout.write(`${JSON.stringify(line)}\n`);
    await playPlanted(faults, stories, (story) => broken(story, service), tell);
    return;
  }
  if (words.includes("--stories")) {
    const stories = readFileSync(option("--stories")!, "utf8").trim().split(/\n\n+/).map(readStory);
    const played = [];
    for (const story of stories) {
      let requests: string[] | undefined;
      const watch = (world: World) => {
        requests = requestsOf(world);
      };
      const found = await play(story, service, words.includes("--requests") ? watch : undefined);
      played.push({ story: tell(story), found, requests });
    }
    found["played"] = played;
  }
  if (words.includes("--calls")) found["calls"] = await callsOfModel(service);
  if (words.includes("--walk")) {
    const [depth, crashes, lead] = option("--walk")!.split("+").map(Number) as [number, number, number?];
    found["walk"] = await walkAll(TWO_RUNNERS, depth, crashes, service, INVARIANTS, lead);
  }
  if (words.includes("--seeds")) {
    const failures: Failure[] = [];
    for (const range of option("--seeds")!.split(",")) {
      const [from, count] = range.split("+").map(Number) as [number, number];
      failures.push(...(await playSeeds(from, count, service, verdicts)));
    }
    found["failures"] = failures;
  }
  const { user, system } = globalThis.process.cpuUsage(before);
  const seconds = (globalThis.performance.now() - started) / 1000;
  globalThis.process.stdout.write(
    `${JSON.stringify({ ...found, ...counts, seconds, processor: (user + system) / 1e6 })}\n`,
  );
}

main(globalThis.process.argv.slice(2));
