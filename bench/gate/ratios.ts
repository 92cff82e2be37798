// The command as a multiple of its floor: a bare Node process that reads and requests the same. Both run in turns, and
// only their processor time counts, so that neither the machine nor what runs beside matters much.
import path from "node:path";
import type { FixtureInput } from "../../src/service";
import { median } from "../figures";
import { COLLECTIONS } from "../plan/collections";
import { type Measured, measureNode, steward } from "../support/command";
import { estateFixture, estateResources, RESOURCES_A_PROJECT, type Resources } from "../support/estate";
import { floorOf } from "../support/floor";
import { ServiceProcess } from "../support/service-process";
import { StackFolder } from "../support/stack-folder";
import type { IsClear, Measure, Report } from "./figure";

const PAIRS = 3;
/** Short commands are measured more often: a moment of something else is more of them. */
const SHORT_PAIRS = 9;
const FEWEST_SHORT_PAIRS = 3;

/** Objects that are planned. */
interface Estate {
  readonly title: string;
  readonly count: number;
  readonly fixture: FixtureInput;
  readonly resources: Resources;
  readonly pairs: number;
}

const environments = COLLECTIONS.find(({ name }) => name === "environments")!;
const ofEnvironments = (count: number, pairs: number): Estate => ({
  title: `${count.toLocaleString("en")} environments`,
  count,
  fixture: environments.fixture(count),
  resources: environments.resources(count),
  pairs,
});
const ofProjects = (count: number, pairs: number): Estate => ({
  title: `${count.toLocaleString("en")} objects of ${count / RESOURCES_A_PROJECT} projects`,
  count,
  fixture: estateFixture(count / RESOURCES_A_PROJECT),
  resources: estateResources(count / RESOURCES_A_PROJECT),
  pairs,
});

/** Drift and create are measured of this one alone. */
const DETAILED = ofEnvironments(1000, PAIRS);
const ESTATES = [DETAILED, ofProjects(1000, PAIRS), ofEnvironments(10_000, 1), ofProjects(10_000, 1)];

/** Where figures go, and whether one needs no further pair. */
interface Reporting {
  readonly report: Report;
  readonly isClear: IsClear;
}
type Measurement = () => Promise<Measured>;

interface Pair {
  readonly command: Measurement;
  readonly floor: Measurement;
  readonly pairs: number;
}

/** The processor time of a command as a multiple of that of its floor, and the most memory that it took. */
async function compare(
  name: string,
  { command, floor, pairs }: Pair,
  { report, isClear }: Reporting,
): Promise<void> {
  const figure = `${name}, to the floor`;
  const ratios: number[] = [];
  let megabytes = 0;
  for (let pair = 0; pair < pairs; pair += 1) {
    const [ours, least] = [await command(), await floor()];
    ratios.push(ours.cpu! / least.cpu!);
    megabytes = Math.max(megabytes, ours.megabytes!);
    if (isClear(figure, median(ratios))) break;
  }
  report({ name: figure, value: median(ratios), unit: "times" });
  report({ name: `${name}, memory`, value: megabytes, unit: "MB" });
}

/** An estate, applied, with its service. */
class Applied {
  readonly #service: ServiceProcess;
  readonly #stack = new StackFolder();

  private constructor(service: ServiceProcess, resources: Resources) {
    this.#service = service;
    this.#stack.declare(resources);
  }

  static async open({ fixture, resources }: Estate): Promise<Applied> {
    return new Applied(await ServiceProcess.start({ fixture }), resources);
  }

  run = (...words: readonly string[]): Promise<Measured> =>
    steward([...words, ...this.#stack.words], this.#service.env);

  /** The number of requests since the last call. */
  async requests(): Promise<number> {
    return (await this.#service.counters()).requests;
  }

  /** The pages that were read since the last call. */
  pages = (): Promise<readonly string[]> => this.#service.pages();

  /** What reads these pages and the same files, and writes the state where the command does. */
  floor(pages: readonly string[], writes: boolean): Measurement {
    const { path: folder, configuration, state } = this.#stack;
    return floorOf(this.#service, {
      job: path.join(folder, "floor.json"),
      pages,
      inputs: writes ? [configuration] : [configuration, state],
      ...(writes && { outputs: { [path.join(folder, "floor.tfstate")]: state } }),
    });
  }

  async close(): Promise<void> {
    this.#stack.remove();
    await this.#service.close();
  }
}

async function measureEstate(estate: Estate, reporting: Reporting): Promise<void> {
  const { report } = reporting;
  const { title, pairs } = estate;
  const applied = await Applied.open(estate);
  try {
    await applied.run("apply", "--auto-approve");
    const requests = await applied.requests();
    const plan: Measurement = () => applied.run("plan", "--detailed-exitcode");
    await plan();
    const pages = await applied.pages();
    report({ name: `plan of ${title}, requests`, value: pages.length, unit: "requests" });
    await compare(
      `plan of ${title}`,
      { command: plan, floor: applied.floor(pages, false), pairs },
      reporting,
    );
    if (title !== DETAILED.title) return;
    const drift: Measurement = () => applied.run("drift");
    await compare(
      `drift of ${title}`,
      { command: drift, floor: applied.floor(pages, false), pairs },
      reporting,
    );
    report({ name: `create of ${title}, requests`, value: requests, unit: "requests" });
    await compare(`create of ${title}`, { ...creating(applied, requests), pairs }, reporting);
  } finally {
    await applied.close();
  }
}

/** Its floor reads one object with each request: a bare process can't create what exists. */
function creating(applied: Applied, requests: number): Omit<Pair, "pairs"> {
  const pages = Array.from(
    { length: requests },
    (_, index) => `/api/v4/projects/1/protected_environments/env-${index % DETAILED.count}`,
  );
  return {
    async command() {
      await applied.run("destroy", "--auto-approve");
      return applied.run("apply", "--auto-approve");
    },
    floor: applied.floor(pages, true),
  };
}

/** What a person waits for at the least: a plan of few objects, to a Node that does nothing, with its requests and without them. */
async function measureStart({ report, isClear }: Reporting): Promise<void> {
  const applied = await Applied.open(ofEnvironments(10, SHORT_PAIRS));
  try {
    await applied.run("apply", "--auto-approve");
    const plan: Measurement = () => applied.run("plan", "--detailed-exitcode");
    await applied.pages();
    await plan();
    const floor = applied.floor(await applied.pages(), false);
    const name = "plan of 10 environments, to an empty Node process";
    const nothing: Measurement = () => measureNode(["-e", "0"], process.env);
    const [whole, own]: [number[], number[]] = [[], []];
    for (let pair = 0; pair < SHORT_PAIRS; pair += 1) {
      const [ours, least, empty] = [(await plan()).cpu!, (await floor()).cpu!, (await nothing()).cpu!];
      whole.push(ours / empty);
      own.push((ours - (least - empty)) / empty);
      if (pair + 1 >= FEWEST_SHORT_PAIRS && isClear(name, median(whole))) break;
    }
    report({ name, value: median(whole), unit: "times" });
    report({ name: `${name}, without its requests`, value: median(own), unit: "times", atMost: 3 });
  } finally {
    await applied.close();
  }
}

/** Each is measured again by itself where one of its figures is above its budget. */
export const ratios: readonly Measure[] = [
  (report, isClear) => measureStart({ report, isClear }),
  ...ESTATES.map(
    (estate): Measure =>
      (report, isClear) =>
        measureEstate(estate, { report, isClear }),
  ),
];
