import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Figure } from "./figure";

const FILE = path.join(__dirname, "..", "budgets.json");

/**
 * The factor between a figure and its new budget, by unit. A later run can measure a little more. Only counts are equal
 * in every run.
 */
const SPARE: Readonly<Record<Figure["unit"], number>> = {
  times: 1.15,
  calls: 1.03,
  MB: 1.15,
  KB: 1.05,
  requests: 1,
  places: 1,
};

/** The budgets of `npm run gate` in `budgets.json`, by the name of the figure. */
export type Budgets = Readonly<Record<string, number>>;

export const readBudgets = (): Budgets => JSON.parse(readFileSync(FILE, "utf8")).gate ?? {};

/**
 * Lowers the budgets whose figures have become lower, and adds budgets for new figures. The function raises no budget.
 */
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
