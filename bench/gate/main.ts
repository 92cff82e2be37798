// `npm run gate` holds what was won: it measures figures that don't depend on the machine (ratios within one run, counts, bytes) and
// compares each with its budget in bench/budgets.json.
import { machine, rounded } from "../figures";
import { lowerBudgets, readBudgets } from "./budgets";
import type { Figure, Part } from "./figure";
import { growth } from "./growth";
import { findPlanted } from "./planted";
import { ratios } from "./ratios";
import { sizes } from "./sizes";

const PARTS: Readonly<Record<string, Part>> = { sizes, ratios, growth };

const USAGE = `npm run gate [-- PART…] [--lower]
  PART      ${Object.keys(PARTS).join(", ")}; all of them where left out
  --lower   lower the budgets of figures that are below them, and add those of new figures
  --planted measure nothing: plant costs that grow with the square of the objects, and tell which gate finds each
`;

/** Measurements of one figure differ by 10 % of their median. */
const CLEAR = 0.88;

const ADVICE = `
A figure is above its budget. Measure again; if it stays there, find what became dearer (npm run gate -- PART, a profile of the
command with node --cpu-prof) and mend it. A budget is raised only with a page in docs/decisions/ that says what the price buys.
`;

function row(name: string, figure: string, budget: string, room: string): void {
  process.stdout.write(
    `${name.padEnd(72)} ${figure.padStart(14)} ${budget.padStart(10)} ${room.padStart(9)}\n`,
  );
}

async function main(words: readonly string[]): Promise<void> {
  if (words.includes("--planted")) {
    process.exitCode = (await findPlanted()) ? 0 : 1;
    return;
  }
  const names = words.filter((word) => word !== "--lower");
  const unknown = names.find((name) => PARTS[name] === undefined);
  if (unknown !== undefined) throw new Error(`There is no part ${unknown}.\n${USAGE}`);
  const budgets = readBudgets();
  const figures: Figure[] = [];
  const exceeded = new Set<string>();
  const over = new Set<string>();
  // Budgets are lowered by figures that were measured as often as they can be.
  const isClear = (name: string, value: number): boolean =>
    !words.includes("--lower") && value <= CLEAR * (budgets[name] ?? 0);
  process.stdout.write(`${machine}\n\n`);
  row("", "figure", "budget", "room");
  const tell = (figure: Figure): void => {
    const { name, value, unit, atMost } = figure;
    const budget = atMost ?? budgets[name];
    if (atMost === undefined) figures.push(figure);
    const isOver = budget === undefined || value > budget;
    if (isOver) over.add(name);
    const room = budget === undefined ? "none yet" : `${((1 - value / budget) * 100).toFixed(0)} %`;
    row(
      name,
      `${rounded(value)} ${unit}`,
      budget === undefined ? "" : String(budget),
      isOver ? `${room} OVER` : room,
    );
  };
  for (const [name, part] of Object.entries(PARTS)) {
    if (names.length > 0 && !names.includes(name)) continue;
    await part(tell, isClear);
    if (over.size === 0) continue;
    // Something beside disturbs one measurement: what is dearer is so in the next one too.
    const first = new Set(over);
    over.clear();
    process.stdout.write(
      `\nAgain, as ${[...first].join(", ")} ${first.size === 1 ? "is" : "are"} above the budget:\n`,
    );
    await part(tell, isClear);
    for (const one of over) if (first.has(one)) exceeded.add(one);
    over.clear();
  }
  if (words.includes("--lower")) return lowerBudgets(figures);
  if (exceeded.size === 0) return;
  process.stderr.write(ADVICE);
  process.exitCode = 1;
}

main(process.argv.slice(2)).catch((problem: unknown) => {
  process.stderr.write(`${(problem as Error).stack}\n`);
  process.exitCode = 1;
});
