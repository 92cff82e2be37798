// Measures commands as a multiple of a bare Node process that reads the same files and sends the same requests. The
// command and the bare process run in turns, and only their processor time counts. So the figures depend little on the
// machine and its other work.
import { median } from "../figures";
import { measureNode } from "../support/command";
import {
  Applied,
  type Estate,
  environments,
  liveEnvironments,
  type Measurement,
  objectsOfProjects,
} from "./estates";
import type { IsClear, Report, Subject } from "./figure";

/**
 * The maximum number of pairs of runs for a command. Fewer pairs are enough if the figure of the command is far below
 * its budget.
 */
const PAIRS = 3;
/**
 * The maximum number of pairs for a short command. A short disturbance changes the time of a short command more, so the
 * command gets more runs.
 */
const SHORT_PAIRS = 9;
const FEWEST_SHORT_PAIRS = 3;

/** The estate for which drift and create are measured too. */
const DETAILED = environments(1000);
const ESTATES = [DETAILED, objectsOfProjects(1000), liveEnvironments(10_000), objectsOfProjects(10_000)];

/** Receives figures, and says whether a figure needs another pair of runs. */
interface Reporting {
  readonly report: Report;
  readonly isClear: IsClear;
}

/** A command, and the bare process that does only the necessary work of the command. */
interface Pair {
  readonly command: Measurement;
  readonly floor: Measurement;
}

/**
 * Reports the processor time of a command as a multiple of the bare process, and its peak memory. The bare process runs
 * before and after each command. If the processor becomes slower during a pair, only one of these two runs is slower.
 */
async function compare(
  name: string,
  { command, floor }: Pair,
  { report, isClear }: Reporting,
): Promise<void> {
  const figure = `${name}, to the floor`;
  const ratios: number[] = [];
  let megabytes = 0;
  let before = await floor();
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const [ours, after] = [await command(), await floor()];
    ratios.push((2 * ours.cpu!) / (before.cpu! + after.cpu!));
    megabytes = Math.max(megabytes, ours.megabytes!);
    before = after;
    if (isClear(figure, median(ratios))) break;
  }
  report({ name: figure, value: median(ratios), unit: "times" });
  report({ name: `${name}, memory`, value: megabytes, unit: "MB" });
}

/** Reports how often a command calls the functions of its program, for each object of the estate. */
async function reportCalls(
  name: string,
  { count }: Estate,
  report: Report,
  calls: () => Promise<number>,
): Promise<void> {
  report({ name: `${name}, function calls per object`, value: (await calls()) / count, unit: "calls" });
}

/** Applies an estate, and finds out which pages its plan reads. */
async function openEstate(estate: Estate): Promise<Subject> {
  const applied = await Applied.open(estate);
  const created = await applied.requests();
  const plan: Measurement = () => applied.run("plan", "--detailed-exitcode");
  await plan();
  const pages = await applied.pages();
  return {
    measure: async (report, isClear) => {
      const reporting = { report, isClear };
      report({ name: `plan of ${estate.title}, requests`, value: pages.length, unit: "requests" });
      await reportCalls(`plan of ${estate.title}`, estate, report, () =>
        applied.calls("plan", "--detailed-exitcode"),
      );
      await compare(
        `plan of ${estate.title}`,
        { command: plan, floor: applied.floor(pages, false) },
        reporting,
      );
      if (estate === DETAILED) await measureDetails(applied, { pages, created }, reporting);
    },
    close: () => applied.close(),
  };
}

/** The pages that a plan reads, and the number of requests of the apply. */
interface Asked {
  readonly pages: readonly string[];
  readonly created: number;
}

async function measureDetails(
  applied: Applied,
  { pages, created }: Asked,
  reporting: Reporting,
): Promise<void> {
  const { title } = DETAILED;
  const { report } = reporting;
  const drift: Measurement = () => applied.run("drift");
  await reportCalls(`drift of ${title}`, DETAILED, report, () => applied.calls("drift"));
  await compare(`drift of ${title}`, { command: drift, floor: applied.floor(pages, false) }, reporting);
  report({ name: `create of ${title}, requests`, value: created, unit: "requests" });
  await reportCalls(`create of ${title}`, DETAILED, report, async () => {
    await applied.run("destroy", "--auto-approve", "--no-access");
    return applied.calls("apply", "--auto-approve", "--no-access");
  });
  // The bare process describes no access, so this create does not describe it either. A create that describes access
  // has a separate figure.
  await compare(`create of ${title}`, creating(applied, created, ["--no-access"]), reporting);
  await compare(`create of ${title} with access`, creating(applied, created, []), reporting);
}

/**
 * Returns a create and its bare process. The bare process reads one object with each request, because it cannot create
 * objects that exist already.
 */
function creating(applied: Applied, requests: number, options: readonly string[]): Pair {
  const pages = Array.from(
    { length: requests },
    (_, index) => `/api/v4/projects/1/protected_environments/env-${index % DETAILED.count}`,
  );
  return {
    async command() {
      await applied.run("destroy", "--auto-approve", "--no-access");
      return applied.run("apply", "--auto-approve", ...options);
    },
    floor: applied.floor(pages, true),
  };
}

/** Applies a small estate. The plan of this estate shows the shortest time that a person waits for a plan. */
async function openStart(): Promise<Subject> {
  const applied = await Applied.open(environments(10));
  const plan: Measurement = () => applied.run("plan", "--detailed-exitcode");
  await applied.pages();
  await plan();
  const floor = applied.floor(await applied.pages(), false);
  return {
    measure: (report, isClear) => measureStart({ plan, floor }, { report, isClear }),
    close: () => applied.close(),
  };
}

/**
 * Reports the processor time of a plan as a multiple of a Node process that does nothing. Reports this ratio with the
 * cost of the plan's requests, and without this cost.
 */
async function measureStart(
  { plan, floor }: Readonly<Record<"plan" | "floor", Measurement>>,
  { report, isClear }: Reporting,
): Promise<void> {
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
}

/**
 * The subjects that the gate measures one after the other. If a figure is above its budget, only its subject is
 * measured again.
 */
export const ratios: readonly (() => Promise<Subject>)[] = [
  openStart,
  ...ESTATES.map((estate) => () => openEstate(estate)),
];
