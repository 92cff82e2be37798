import { parseArgs } from "node:util";
import { BUILTIN, COLLECTIONS } from "./collections";
import { secondsOf } from "./estimate";
import { type Case, ENGINES } from "./model";
import { STEPS, type Step } from "./steps";

const LATENCIES = [0, 20, 100];
const COUNTS = [10, 100, 1000, 10_000];
/**
 * The seconds from which a case counts as long. Long cases run only if `--count`, `--engine`, `--step` or `--all`
 * selects them.
 */
const LONG = 60;

export const USAGE = `npm run bench -- plan [FLAG…]
  --latency 0,20,100        milliseconds before each answer; 20 where left out
  --count 10,100,1000,10000 things in the collection; 100 and 1000 where left out
  --collection NAME,…       ${COLLECTIONS.map(({ name }) => name).join(", ")}
                            beside these: ${BUILTIN.name}, ${BUILTIN.title.toLowerCase()}
  --engine NAME,…           ${ENGINES.join(", ")}
  --step NAME,…             ${STEPS.join(", ")}; without apply our own engine makes what is planned
  --all                     all of these that no other flag leaves out
  --record FILE             appends each case that ended to a file, and leaves out those that stand there
  --tables FILE             measures nothing: prints what was recorded as tables in Markdown
Without --all, --count, --engine and --step, what takes more than a minute is left out.
`;

export interface Selection {
  readonly cases: readonly Case[];
  /** The long cases that were left out. */
  readonly left: readonly Case[];
  readonly record?: string;
  readonly tables?: string;
}

/**
 * Reads the flags of the benchmark.
 * @throws Error if a flag or a value does not exist
 */
export function readSelection(words: readonly string[]): Selection {
  const list = { type: "string", multiple: true } as const;
  const { values } = parseArgs({
    args: [...words],
    options: {
      latency: list,
      count: list,
      collection: list,
      engine: list,
      step: list,
      all: { type: "boolean", default: false },
      record: { type: "string" },
      tables: { type: "string" },
    },
  });
  const isWhole = values.all || values.tables !== undefined;
  const latencies = numbersOf("latency", values.latency, 0) ?? (isWhole ? LATENCIES : [20]);
  const counts = numbersOf("count", values.count, 1) ?? (isWhole ? COUNTS : [100, 1000]);
  const collections = chosen("collection", values.collection, [...COLLECTIONS, BUILTIN], ({ name }) => name);
  const engines = chosen("engine", values.engine, ENGINES, (name) => name) ?? ENGINES;
  const steps = chosen("step", values.step, STEPS, (name) => name) ?? STEPS;
  const cases = latencies
    .flatMap((latency) =>
      (collections ?? COLLECTIONS).flatMap((collection) =>
        counts.flatMap((count) => engines.map((engine) => ({ collection, count, latency, engine, steps }))),
      ),
    )
    .filter(({ engine, collection }) => engine !== "gitlabform" || collection.gitlabform !== undefined);
  const isChosen = isWhole || [values.count, values.engine, values.step].some((given) => given !== undefined);
  return {
    ...(isChosen ? { cases, left: [] } : quickOf(cases)),
    ...(values.record !== undefined && { record: values.record }),
    ...(values.tables !== undefined && { tables: values.tables }),
  };
}

/**
 * Separates the quick cases from the others. The plans of a slow case of Terraform are quick, because the embedded
 * engine prepares their state.
 */
function quickOf(cases: readonly Case[]): Pick<Selection, "cases" | "left"> {
  const of = (one: Case, steps: readonly Step[]): Case => ({ ...one, steps });
  const parts = cases.map((one): { quick: Case[]; left: Case[] } => {
    if (secondsOf(one) <= LONG) return { quick: [one], left: [] };
    if (one.engine !== "terraform") return { quick: [], left: [one] };
    return { quick: [of(one, ["plan", "change"])], left: [of(one, ["apply", "destroy"])] };
  });
  return { cases: parts.flatMap(({ quick }) => quick), left: parts.flatMap(({ left }) => left) };
}

const wordsOf = (values: readonly string[] | undefined): string[] | undefined =>
  values?.flatMap((value) => value.split(","));

function numbersOf(flag: string, values: readonly string[] | undefined, least: number): number[] | undefined {
  return wordsOf(values)?.map((word) => {
    if (!/^\d+$/.test(word) || Number(word) < least)
      throw new Error(`--${flag} takes whole numbers from ${least} on, not ${word}.`);
    return Number(word);
  });
}

function chosen<Item>(
  flag: string,
  values: readonly string[] | undefined,
  all: readonly Item[],
  nameOf: (item: Item) => string,
): readonly Item[] | undefined {
  return wordsOf(values)?.map((word) => {
    const found = all.find((item) => nameOf(item) === word);
    if (found === undefined) throw new Error(`--${flag} takes ${all.map(nameOf).join(", ")}, not ${word}.`);
    return found;
  });
}
