// `npm run gate` checks that nothing becomes more expensive. The gate measures figures that hardly depend on the
// machine: ratios within one run, counts and bytes. Each figure has a budget in bench/budgets.json.
import { machine, rounded } from "../figures";
import { bestOfThree } from "./best-of-three";
import { lowerBudgets, readBudgets } from "./budgets";
import type { Figure, IsClear, Subject } from "./figure";
import { growth } from "./growth";
import { findPlanted } from "./planted";
import { ratios } from "./ratios";
import { sizes } from "./sizes";
import { recordTestTimes, testTimes, trendOf } from "./test-times";

const PARTS: Readonly<Record<string, readonly (() => Promise<Subject>)[]>> = {
  sizes: [async () => ({ measure: sizes })],
  ratios,
  growth: [async () => ({ measure: growth })],
};

/**
 * Groups of parts; the groups run at the same time. `growth` counts work and measures no time, so other work does not
 * disturb it. The processes of `growth` have a low priority.
 */
const SIDE_BY_SIDE = [["sizes", "ratios"], ["growth"]];

const USAGE = `npm run gate [-- PART…] [--lower] [--test-time COMMAND=FILE]… [--record]
  PART      ${Object.keys(PARTS).join(", ")}; all of them where left out
  --lower   lower the budgets of figures that are below them, and add those of new figures
  --test-time COMMAND=FILE
            show what the tests of a command took; STEWARD_TEST_TIMES=FILE has a run write the file
  --record  add these times to bench/test-times.json, which later ones are compared with
  --planted measure nothing: plant costs that grow with the square of the objects, and print which are found
`;

/**
 * A figure below this share of its budget is measured only once. Measurements of one figure differ by about 10 % of
 * their median.
 */
const CLEAR = 0.88;

const ADVICE = `
A figure is above its budget in three measurements. Find what became more expensive (npm run gate -- PART, a profile of the
command with node --cpu-prof) and mend it. Raise a budget only with a page in docs/decisions/ that says what the price buys.
`;

interface Words {
  readonly parts: readonly string[];
  readonly lowers: boolean;
  readonly records: boolean;
  readonly plants: boolean;
  readonly testTimes: readonly string[];
}

function parse(words: readonly string[]): Words {
  const flags = new Set<string>();
  const parts: string[] = [];
  const testTimes: string[] = [];
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === "--test-time") testTimes.push(rest.shift() ?? "");
    else if (["--lower", "--record", "--planted"].includes(word)) flags.add(word);
    else if (PARTS[word] !== undefined) parts.push(word);
    else throw new Error(`There is no part ${word}.\n${USAGE}`);
  }
  return {
    parts,
    testTimes,
    lowers: flags.has("--lower"),
    records: flags.has("--record"),
    plants: flags.has("--planted"),
  };
}

function row(name: string, figure: string, budget: string, room: string): void {
  process.stdout.write(
    `${name.padEnd(72)} ${figure.padStart(14)} ${budget.padStart(10)} ${room.padStart(9)}\n`,
  );
}

function printFigure({ name, value, unit }: Figure, budget: number | undefined): void {
  const figure = `${rounded(value)} ${unit}`;
  if (budget === undefined) {
    row(name, figure, "", "none yet OVER");
    return;
  }
  const room = budget === 0 ? "" : `${((1 - value / budget) * 100).toFixed(0)} %`;
  row(name, figure, String(budget), value <= budget ? room : `${room} OVER`);
}

async function main(words: readonly string[]): Promise<void> {
  const { parts, lowers, records, plants, testTimes: timeFiles } = parse(words);
  if (plants) {
    process.exitCode = (await findPlanted()) ? 0 : 1;
    return;
  }
  const times = testTimes(timeFiles);
  const budgets = readBudgets();
  // With `--lower`, each figure is measured as often as possible before its budget is lowered.
  const isClear: IsClear = (name, value) => !lowers && value <= CLEAR * (budgets[name] ?? 0);
  const limitOf = ({ name, atMost }: Figure): number | undefined => atMost ?? budgets[name];
  process.stdout.write(`${machine}\n\n`);
  row("", "figure", "budget", "room");
  for (const time of times) row(time.name, `${time.seconds.toFixed(0)} s`, "none", trendOf(time));
  const figures: Figure[] = [];
  const exceeded: string[] = [];
  const measureParts = async (some: readonly string[]): Promise<void> => {
    for (const name of some) {
      if (parts.length > 0 && !parts.includes(name)) continue;
      // The subjects open at the same time, because opening them takes longer than all measurements.
      for (const subject of await Promise.all(PARTS[name]!.map((open) => open()))) {
        const measured = await bestOfThree(subject.measure, {
          limitOf,
          isClear,
          print: (figure) => printFigure(figure, limitOf(figure)),
          printAgain: (names) => process.stdout.write(`\nAgain, above the budget: ${names.join(", ")}\n`),
        }).finally(() => subject.close?.());
        figures.push(...measured.best);
        exceeded.push(...measured.exceeded);
      }
    }
  };
  await Promise.all(SIDE_BY_SIDE.map(measureParts));
  if (records) recordTestTimes(times, new Date().toISOString().slice(0, 10));
  if (lowers) {
    lowerBudgets(figures.filter(({ atMost }) => atMost === undefined));
    return;
  }
  if (exceeded.length === 0) return;
  process.stderr.write(`\nAbove the budget: ${exceeded.join(", ")}\n${ADVICE}`);
  process.exitCode = 1;
}

main(process.argv.slice(2)).catch((problem: unknown) => {
  process.stderr.write(`${(problem as Error).stack}\n`);
  process.exitCode = 1;
});
