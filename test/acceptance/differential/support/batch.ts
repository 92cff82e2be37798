import { type Blocks, type CaseStep, type DifferentialCase, isAlone } from "../case";

/**
 * Cases that share one configuration, one state and one service. Each step of the batch contains one step of every case.
 */
export interface Batch {
  readonly cases: readonly DifferentialCase[];
  readonly steps: readonly BatchStep[];
}

export interface BatchStep {
  readonly configuration: Blocks;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly byHand: readonly NonNullable<CaseStep["byHand"]>[];
  readonly stateByHand: readonly NonNullable<CaseStep["stateByHand"]>[];
  readonly replace: readonly string[];
  readonly mode?: CaseStep["mode"];
  readonly targets?: readonly string[];
  readonly fails?: CaseStep["fails"];
}

/**
 * Groups cases that do not affect each other into one batch, because the start of an engine takes most of the time. A case
 * that affects other cases becomes a separate batch.
 */
export function batches(cases: readonly DifferentialCase[]): Batch[] {
  const together = cases.filter((one) => !isAlone(one));
  return [...(together.length > 0 ? [together] : []), ...cases.filter(isAlone).map((one) => [one])].map(
    (some) => ({ cases: some, steps: stepsOf(some) }),
  );
}

const NOTHING_MORE = { byHand: undefined, stateByHand: undefined, replace: [] };

function stepsOf(cases: readonly DifferentialCase[]): BatchStep[] {
  for (const one of cases) refuseOtherNames(one);
  const length = Math.max(...cases.map(({ steps }) => steps.length));
  return Array.from({ length }, (_, index) => {
    // A case with fewer steps than the batch repeats its last declarations. Both engines must then leave the objects of the
    // case unchanged.
    const current = cases.map(({ steps }) => steps[index] ?? { ...steps.at(-1)!, ...NOTHING_MORE });
    const { mode, targets, fails } = current[0]!;
    return {
      configuration: merge(current.map(({ declares }) => declares)),
      variables: Object.assign({}, ...current.map(({ variables }) => variables)),
      byHand: current.flatMap(({ byHand }) => (byHand === undefined ? [] : [byHand])),
      stateByHand: current.flatMap(({ stateByHand }) => (stateByHand === undefined ? [] : [stateByHand])),
      replace: current.flatMap(({ replace = [] }) => replace),
      ...(mode && { mode }),
      ...(targets && { targets }),
      ...(fails && { fails }),
    };
  });
}

/**
 * Merges several configurations into one. The names of objects can't clash, because each name starts with the name of the
 * object's case.
 */
function merge(all: readonly Blocks[]): Blocks {
  const merged: Record<string, unknown> = {};
  for (const blocks of all) {
    for (const [keyword, block] of Object.entries(blocks)) merged[keyword] = both(merged[keyword], block);
  }
  return merged;
}

function both(one: unknown, other: unknown): unknown {
  if (one === undefined) return other;
  if (Array.isArray(one) && Array.isArray(other)) return [...one, ...other];
  return Object.fromEntries(
    [...Object.keys(one as object), ...Object.keys(other as object)].map((name) => {
      const [here, there] = [(one as Blocks)[name], (other as Blocks)[name]];
      return [name, here !== undefined && there !== undefined ? both(here, there) : (here ?? there)];
    }),
  );
}

/** Returns the case that owns an address, from the prefix of the object's name. */
export function ownerOf(address: string, cases: readonly DifferentialCase[]): string | undefined {
  const words = address.split(/[.[\]" ]/);
  return cases
    .map(({ name }) => name)
    .filter((name) => words.some((word) => word === name || word.startsWith(`${name}_`)))
    .sort((one, other) => other.length - one.length)[0];
}

const TWO_LEVELS = ["resource", "data"];
const ONE_LEVEL = ["variable", "locals", "output", "check"];

function refuseOtherNames(one: DifferentialCase): void {
  for (const { declares } of one.steps) {
    const names = Object.entries(declares).flatMap(([keyword, block]) => {
      if (TWO_LEVELS.includes(keyword)) return Object.values(block as object).flatMap(Object.keys);
      return ONE_LEVEL.includes(keyword) ? Object.keys(block as object) : [];
    });
    const other = names.find((name) => ownerOf(name, [one]) === undefined);
    if (other !== undefined)
      throw new Error(`The case ${one.name} declares "${other}": begin it with its name.`);
  }
}
