// The program for stories of people: see the README of the simulator. The program prints one line of JSON for its
// result.
import { readFileSync } from "node:fs";
import { SimulatedService } from "../network/service";
import { COMPANY } from "./company";
import { storyOf } from "./generate";
import { LAWS, type Violation } from "./stage";
import { readStory, type Story, shrink, tell } from "./story";
import { isRefused, TERRAFORM_BINDINGS } from "./terraform";
import { PeopleWorld } from "./world";

interface Failure extends Violation {
  readonly seed: number;
  readonly story: string;
}

const words = globalThis.process.argv.slice(2);
const option = (name: string): string | undefined =>
  words.includes(name) ? words[words.indexOf(name) + 1] : undefined;
const laws = LAWS.filter((law) => option("--laws")?.split(",").includes(law) ?? true);
const counts: Record<string, number> = {};
const print = (line: object): void => void globalThis.process.stdout.write(`${JSON.stringify(line)}\n`);

async function play(story: Story, service: SimulatedService, isCounted = true): Promise<PeopleWorld> {
  const world = new PeopleWorld(story, service, laws);
  await world.play();
  if (isCounted)
    for (const [event, times] of Object.entries(world.events)) counts[event] = (counts[event] ?? 0) + times;
  return world;
}

/** Plays the stories of seeds, and stops after `most` failures. */
async function playSeeds(
  from: number,
  count: number,
  most: number,
  service: SimulatedService,
): Promise<Failure[]> {
  const failures: Failure[] = [];
  for (let seed = from; seed < from + count && failures.length < most; seed += 1) {
    const story = storyOf(seed);
    const [found] = (await play(story, service)).violations;
    if (found === undefined) continue;
    const isSame = async (one: Story) => (await play(one, service, false)).violations[0]?.law === found.law;
    const small = await shrink(story, isSame);
    const [violation = found] = (await play(small, service, false)).violations;
    failures.push({ ...violation, seed, story: tell(small) });
  }
  return failures;
}

/** Activates the planted fault with this number. The program calls `planted` in each function that contains a fault. */
const plant = (fault: string | undefined): void =>
  void Object.assign(globalThis, { planted: (number: number) => String(number) === fault });

/** Plays the story of each planted fault twice: without the fault and with it. */
async function playBindings(file: string, service: SimulatedService): Promise<object[]> {
  const lawOf = async (story: Story): Promise<string | undefined> =>
    (await play(story, service)).violations[0]?.law;
  const found: object[] = [];
  for (const [number, text] of readFileSync(file, "utf8").split("\n\n").entries()) {
    plant(undefined);
    const without = await lawOf(readStory(text));
    plant(String(number));
    found.push({ without, fault: await lawOf(readStory(text)) });
  }
  return found;
}

/**
 * For each planted fault, checks whether the approval of the original plan refuses the edited plan. Checks this without
 * the fault and with the fault.
 */
function compareTerraformPlans(first: number): object[] {
  return Object.keys(TERRAFORM_BINDINGS).map((name, at) => {
    plant(undefined);
    const without = isRefused(name);
    plant(String(first + at));
    return { without, fault: isRefused(name) };
  });
}

async function main(): Promise<void> {
  const service = await SimulatedService.open(COMPANY);
  plant(option("--planted"));
  const started = globalThis.performance.now();
  const seconds = (): number => (globalThis.performance.now() - started) / 1000;
  if (words.includes("--stories")) {
    for (const text of readFileSync(option("--stories")!, "utf8").trim().split(/\n\n+/)) {
      const { violations, log } = await play(readStory(text), service);
      print({ violations, log });
    }
    return;
  }
  if (words.includes("--bindings")) {
    print({ found: await playBindings(option("--bindings")!, service) });
    return;
  }
  if (words.includes("--terraform")) {
    print({ refused: compareTerraformPlans(Number(option("--terraform"))) });
    return;
  }
  if (words.includes("--tell")) {
    const { violations, log } = await play(storyOf(Number(option("--tell"))), service);
    for (const line of [tell(storyOf(Number(option("--tell")))), ...log]) globalThis.console.log(line);
    print({ violations });
    return;
  }
  const [from, count] = (option("--seeds") ?? "1+100").split("+").map(Number) as [number, number];
  const failures = await playSeeds(from, count, Number(option("--failures") ?? 10), service);
  print({ stories: count, failures, counts, seconds: seconds() });
}

main();
