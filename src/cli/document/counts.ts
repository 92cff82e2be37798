import type { Diagnostic } from "../../diagnostics";
import type { Plan } from "../../engine";
import type { ReportObject, ReportStack } from "./model";

/** Numbers of objects. The keys are the keys of Terraform's `change_summary`. */
export type Counts = Readonly<Record<string, number>>;

/** Returns the sums of the counts of several stacks. */
export function sumOf(all: readonly Counts[]): Record<string, number> {
  const total: Record<string, number> = {};
  for (const [name, count] of all.flatMap((counts) => Object.entries(counts)))
    total[name] = (total[name] ?? 0) + count;
  return total;
}

const NO_OBJECT = /^(?:output|var|local|provider|check|module)\./;

/** Returns two counts: the objects that could not be checked, and all other objects with an error. Omits a count of zero. */
export function failedCounts(diagnostics: readonly Diagnostic[], unchecked: readonly string[]): Counts {
  const apart = new Set(unchecked);
  const errors = diagnostics.filter(
    ({ severity, code, address }) =>
      severity === "error" &&
      code !== "policy_violated" &&
      address !== undefined &&
      !NO_OBJECT.test(address) &&
      !apart.has(address),
  );
  const { size: failed } = new Set(errors.map(({ address }) => address));
  return {
    ...(failed > 0 && { failed }),
    ...(unchecked.length > 0 && { unchecked: unchecked.length }),
  };
}

/** The numbers of objects that were changed or deleted outside of this configuration since the last apply. */
export interface OutsideCounts {
  readonly changed: number;
  readonly deleted: number;
}

/** The part of a report that follows from the plan of a stack. */
export interface PlannedStack extends Pick<ReportStack, "objects" | "outputs"> {
  readonly plan: NonNullable<ReportStack["plan"]>;
  readonly outside: NonNullable<ReportStack["outside"]>;
  readonly unchecked: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The parts of a plan that a report needs. */
export type PlanModel = Omit<Plan, "basis"> & Partial<Pick<Plan, "basis">>;

/** The part of a report that follows from the drift of a stack. */
export interface DriftedStack extends Pick<PlannedStack, "unchecked" | "diagnostics"> {
  /** The drifted objects in the form that reports contain. */
  readonly objects: ReportObject[];
  /** The number of objects that the run compared. */
  readonly checked: number;
  /** Whether the run searched for undeclared objects. */
  readonly hasSearched: boolean;
}
