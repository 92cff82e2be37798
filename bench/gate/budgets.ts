import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Figure } from "./figure";

const FILE = path.join(__dirname, "..", "budgets.json");

/** The margin of a new budget above its figure: another run measures a little more. Counts are equal in each run. */
const SPARE: Readonly<Record<Figure["unit"], number>> = {
  times: 1.15,
  MB: 1.15,
  KB: 1.05,
  requests: 1,
  places: 1,
};

/** The figures of `budgets.json`, which belong to `npm run gate`. */
export type Budgets = Readonly<Record<string, number>>;

export const readBudgets = (): Budgets => JSON.parse(readFileSync(FILE, "utf8")).gate ?? {};

/** Lowers the budgets of lower figures, and adds missing budgets. Raises none. */
export function lowerBudgets(figures: readonly Figure[]): void {
  const all = JSON.parse(readFileSync(FILE, "utf8"));
  const lowered: Record<string, number> = { ...all.gate };
  for (const figure of figures)
    lowered[figure.name] = Math.min(lowered[figure.name] ?? Number.POSITIVE_INFINITY, budgetFor(figure));
  writeFileSync(FILE, `${JSON.stringify({ ...all, gate: lowered }, undefined, 2)}\n`);
}

function budgetFor({ value, unit }: Figure): number {
  const budget = value * SPARE[unit];
  return unit === "times" ? Math.ceil(budget * 100) / 100 : Math.ceil(budget);
}
