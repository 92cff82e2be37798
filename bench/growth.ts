// Measures the cost of one object in each operation, with 1,000 and 10,000 objects, and with `--all` also 100,000. Each
// project has 20 objects, and the service has no latency. A run with 200 objects is subtracted, so that start-up does
// not count. With 100,000 objects, most operations use objects that exist already, because creating them one by one
// takes long.
import { print } from "./figures";
import { type Measured, steward } from "./support/command";
import {
  configuredEstateFixture,
  estateFixture,
  estateResources,
  RESOURCES_A_PROJECT,
  type Resources,
} from "./support/estate";
import { ServiceProcess } from "./support/service-process";
import { StackFolder } from "./support/stack-folder";

const SIZES = process.argv.includes("--all") ? [1000, 10_000, 100_000] : [1000, 10_000];
/**
 * The maximum cost of an object, as a multiple of its cost with the fewest objects. The cost may grow a little, because
 * caches and compiled code depend on the number of objects.
 */
const FLAT = 1.15;
const MEGABYTES = 2000;
/**
 * If a run has at least this number of objects, the service has them from the start. For operations with `made: true`,
 * the bench still creates the objects one by one.
 */
const EXISTING = 100_000;
const FEWEST = 10 * RESOURCES_A_PROJECT;

/** An operation to measure, with the declarations that it needs. The operations run in the order of the list. */
interface Operation {
  readonly name: string;
  readonly words: readonly string[];
  readonly codes?: readonly number[];
  readonly declared?: (projects: number) => Resources;
  /**
   * If true, the operation runs only with objects that the bench created one by one. If false, it runs only with
   * objects that existed from the start. If undefined, the operation runs with both kinds of objects.
   */
  readonly made?: boolean;
  /** The options that the operation takes: `neither`, only `--config`, or by default `--config` and `--state`. */
  readonly takes?: "neither" | "configuration";
}

const SCOPES = "steward_job_token_scope";

/** Returns the declarations of all projects. In the first `count` projects, one setting has the opposite value. */
function changed(projects: number, count: number): Resources {
  const all = estateResources(projects);
  const scopes = Object.entries(all[SCOPES]!).map(([name, scope], index) => [
    name,
    index < count ? { ...scope, inbound_enabled: false } : scope,
  ]);
  return { ...all, [SCOPES]: Object.fromEntries(scopes) };
}

/** Returns the declarations of all projects, with a new name for each object. */
const renamed = (projects: number): Resources =>
  Object.fromEntries(
    Object.entries(estateResources(projects)).map(([type, named]) => [
      type,
      Object.fromEntries(Object.entries(named).map(([name, one]) => [`q${name}`, one])),
    ]),
  );

const OPERATIONS: readonly Operation[] = [
  { name: "validate", words: ["validate"], takes: "configuration", declared: estateResources },
  { name: "plan, all new, with --out", words: ["plan", "--out", "SAVED"], made: true },
  { name: "show --json FILE", words: ["show", "--json", "SAVED"], takes: "neither", made: true },
  { name: "apply FILE", words: ["apply", "SAVED"], made: true },
  { name: "apply --import-existing", words: ["apply", "--auto-approve", "--import-existing"], made: false },
  { name: "plan, none changed", words: ["plan", "--detailed-exitcode"] },
  { name: "plan --refresh=false", words: ["plan", "--refresh=false"] },
  { name: "drift, none", words: ["drift"] },
  { name: "plan, one changed", words: ["plan"], declared: (projects) => changed(projects, 1) },
  {
    name: "plan, a setting of each project changed",
    words: ["plan"],
    declared: (projects) => changed(projects, projects),
  },
  { name: "plan, all renamed", words: ["plan"], declared: renamed },
  { name: "state list", words: ["state", "list"], declared: estateResources },
  { name: "state mv", words: ["state", "mv", `${SCOPES}.p0`, `${SCOPES}.moved`] },
  { name: "state mv back", words: ["state", "mv", `${SCOPES}.moved`, `${SCOPES}.p0`] },
  { name: "show --json", words: ["show", "--json"] },
  { name: "adopt", words: ["adopt", "estate", "--out", "ADOPTED"], takes: "neither" },
  { name: "destroy", words: ["destroy", "--auto-approve"], made: true },
];

/** Measures operations with this number of objects. If `exist` is true, the service has the objects from the start. */
async function measure(
  count: number,
  operations: readonly Operation[],
  exist: boolean,
): Promise<Map<string, Measured>> {
  const projects = count / RESOURCES_A_PROJECT;
  const service = await ServiceProcess.start({
    fixture: exist ? configuredEstateFixture(projects) : estateFixture(projects),
  });
  const stack = new StackFolder();
  const found = new Map<string, Measured>();
  try {
    stack.declare(estateResources(projects));
    for (const { name, words, codes = [0], declared, takes } of operations) {
      if (declared !== undefined) stack.declare(declared(projects));
      const given = words.map((word) =>
        word === "SAVED" || word === "ADOPTED" ? `${stack.path}/${word.toLowerCase()}` : word,
      );
      const taken = takes === undefined ? stack.words : stack.words.slice(0, 2);
      const own = takes === "neither" ? [] : taken;
      const { output: _, ...measured } = await steward([...given, ...own], service.env, codes);
      found.set(name, { ...measured, output: "" });
      process.stderr.write(`${count} ${name}: ${measured.cpu!.toFixed(2)} s\n`);
    }
    return found;
  } finally {
    stack.remove();
    await service.close();
  }
}

/** Measures every operation with this number of objects. */
async function measureAll(count: number): Promise<Map<string, Measured>> {
  if (count < EXISTING)
    return measure(
      count,
      OPERATIONS.filter(({ made }) => made !== false),
      false,
    );
  const existing = await measure(
    count,
    OPERATIONS.filter(({ made }) => made !== true),
    true,
  );
  return new Map([
    ...existing,
    ...(await measure(
      count,
      OPERATIONS.filter(({ made }) => made === true),
      false,
    )),
  ]);
}

async function main(): Promise<void> {
  const fewest = await measureAll(FEWEST);
  const least = new Map<string, number>();
  for (const size of SIZES) {
    for (const [name, { cpu, megabytes }] of await measureAll(size)) {
      const cost = ((cpu! - (fewest.get(name)?.cpu ?? 0)) / (size - FEWEST)) * 1e6;
      const first = least.get(name);
      if (first === undefined) least.set(name, cost);
      const title = `${name}, of ${size.toLocaleString("en")}: an object`;
      print({ name: title, value: cost, unit: "µs", ...(first !== undefined && { atMost: first * FLAT }) });
      print({ name: "  memory at the most", value: megabytes!, unit: "MB", atMost: MEGABYTES });
    }
  }
}

main().catch((problem: unknown) => {
  process.stderr.write(`${(problem as Error).stack}\n`);
  process.exitCode = 1;
});
