import type { Diagnostic } from "../../diagnostics";
import type { Plan } from "../../engine";
import type { ReportObject, ReportStack } from "./model";

/** Counts by the names in Terraform's `change_summary`. */
export type Counts = Readonly<Record<string, number>>;

/** The counts of several stacks together. */
export function sumOf(all: readonly Counts[]): Record<string, number> {
  const total: Record<string, number> = {};
  for (const [name, count] of all.flatMap((counts) => Object.entries(counts)))
    total[name] = (total[name] ?? 0) + count;
  return total;
}

const NO_OBJECT = /^(?:output|var|local|provider|check|module)\./;

/**
 * Returns the number of objects that could not be checked, and the number of other objects with an error. Omits counts of zero.
 */
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

/** The numbers of objects that were changed and deleted outside since the last apply. */
export interface OutsideCounts {
  readonly changed: number;
  readonly deleted: number;
}

/** The part of the document that a plan of a stack fills. */
export interface PlannedStack extends Pick<ReportStack, "objects" | "outputs"> {
  readonly plan: NonNullable<ReportStack["plan"]>;
  readonly outside: NonNullable<ReportStack["outside"]>;
  readonly unchecked: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The parts of a plan from which a document is made. */
export type PlanModel = Omit<Plan, "basis"> & Partial<Pick<Plan, "basis">>;

/** The part of the document that the drift of a stack fills. */
export interface DriftedStack extends Pick<PlannedStack, "unchecked" | "diagnostics"> {
  /** The objects that drifted. */
  readonly objects: ReportObject[];
  /** The number of objects that were compared. */
  readonly checked: number;
  /** Whether the run searched for undeclared objects. */
  readonly hasSearched: boolean;
}
