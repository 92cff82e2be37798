import type { Figure, IsClear, Measure } from "./figure";

/** The maximum number of measurements. A figure fails if it is above its budget in every measurement. */
const ROUNDS = 3;

interface Given {
  readonly limitOf: (figure: Figure) => number | undefined;
  readonly isClear: IsClear;
  /** Called for each figure in each round. */
  readonly print: (figure: Figure) => void;
  /** Called before another round, with the names of the figures that are above their budgets. */
  readonly printAgain: (names: readonly string[]) => void;
}

interface Measured {
  /** The lowest value of each figure. */
  readonly best: readonly Figure[];
  /** The names of figures that are above their budgets in every round, or that have no budget. */
  readonly exceeded: readonly string[];
}

/**
 * Measures figures, and repeats the measurement up to twice while a figure is above its budget. Other work on the
 * machine disturbs single measurements. A figure therefore fails only if all three measurements of it are above the
 * budget.
 */
export async function bestOfThree(measure: Measure, given: Given): Promise<Measured> {
  const { limitOf, isClear, print, printAgain } = given;
  const best = new Map<string, Figure>();
  const report = (figure: Figure): void => {
    const known = best.get(figure.name);
    if (known === undefined || figure.value < known.value) best.set(figure.name, figure);
    print(figure);
  };
  for (let round = 1; ; round += 1) {
    await measure(report, isClear);
    const exceeded = [...best.values()]
      .filter((figure) => isAbove(figure, limitOf(figure)))
      .map(({ name }) => name);
    if (exceeded.length === 0 || round === ROUNDS) return { best: [...best.values()], exceeded };
    printAgain(exceeded);
  }
}

/** Returns true if a figure is above its budget. A figure counts as above its budget if it has no budget or is NaN. */
const isAbove = ({ value }: Figure, limit: number | undefined): boolean =>
  limit === undefined || !(value <= limit);
