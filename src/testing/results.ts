import { describeDrift, describePlan, PLAIN, renderDiagnostic, renderDriftReport, renderPlan } from "../cli";
import type {
  AccessReport,
  AppliedStack,
  ChangeSummary,
  Diagnostic,
  DriftedObject,
  DriftedStack,
  DriftResult,
  PlannedStack,
  RunResult,
} from "../engine";
import type { ServiceOfTest } from "./service-of-test";

/** The result of planning all stacks. */
export interface PlannedStacks {
  /**
   * The numbers of objects that the plan adds, changes, destroys, imports and moves. A replacement counts as
   * one add and one destroy.
   */
  readonly counts: PlanCounts;
  /** Whether apply would change anything: an object, its address in the state, or an output. */
  readonly hasChanges: boolean;
  /** The plans, as `steward plan` prints them. */
  readonly text: string;
  /** The access that people gain or lose with the plan. Undefined without the option `access`. */
  readonly access: AccessReport | undefined;
  readonly stacks: readonly PlannedStack[];
  readonly warnings: readonly Diagnostic[];
  readonly service: ServiceOfTest;
}

/** The names of the counted changes, in the order of a plan's last line. */
export const COUNTS = ["add", "change", "destroy", "import", "move"] as const;

/** The numbers of changes of a plan. */
export type PlanCounts = { readonly [Name in (typeof COUNTS)[number]]: number };

/** The result of applying all stacks. */
export interface AppliedStacks {
  /** The numbers of objects that were added, changed, destroyed, imported and moved. */
  readonly counts: PlanCounts;
  /** The plan that was applied. */
  readonly plan: PlannedStacks;
  /** The values of the outputs, by stack and by name. Sensitive outputs are included. */
  readonly outputs: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly stacks: readonly AppliedStack[];
  readonly warnings: readonly Diagnostic[];
}

/** The differences between the last apply and the service, over all stacks. */
export interface DriftedStacks {
  readonly hasDrift: boolean;
  readonly drifted: readonly DriftedObject[];
  /** The reports, as `steward drift` prints them. */
  readonly text: string;
  readonly stacks: readonly DriftedStack[];
  readonly warnings: readonly Diagnostic[];
}

/** Returns the plans of a run that succeeded. */
export function plannedOf(
  { service }: { readonly service: ServiceOfTest },
  { stacks, diagnostics }: RunResult<PlannedStack>,
): PlannedStacks {
  const plans = stacks.map(({ plan }) => plan!);
  const reports = plans.flatMap(({ access }) => access ?? []);
  return {
    counts: countsOf(plans.map(({ summary }) => summary)),
    hasChanges: plans.some(({ hasChanges }) => hasChanges),
    text: textOf(stacks, ({ plan }) => renderPlan(describePlan(plan!), PLAIN)),
    access: reports.length === 0 ? undefined : merged(reports),
    stacks,
    warnings: diagnostics,
    service,
  };
}

export function appliedOf(
  of: { readonly service: ServiceOfTest },
  { stacks, diagnostics, ...rest }: RunResult<AppliedStack>,
): AppliedStacks {
  return {
    counts: countsOf(stacks.flatMap(({ done }) => done ?? [])),
    plan: plannedOf(of, { ...rest, stacks, diagnostics }),
    outputs: Object.fromEntries(
      stacks.map(({ stack, outputs }) => [
        stack!,
        Object.fromEntries(Object.entries(outputs).map(([name, { value }]) => [name, value])),
      ]),
    ),
    stacks,
    warnings: diagnostics,
  };
}

export const driftedOf = ({ stacks, diagnostics, hasDrift }: DriftResult): DriftedStacks => ({
  hasDrift,
  drifted: stacks.flatMap(({ report }) => report?.drifted ?? []),
  text: textOf(stacks, ({ report }) =>
    renderDriftReport(describeDrift(report!, undefined), { known: [], ignored: [] }, PLAIN),
  ),
  stacks,
  warnings: diagnostics,
});

function countsOf(summaries: readonly ChangeSummary[]): PlanCounts {
  const sum = (name: keyof ChangeSummary) => summaries.reduce((total, one) => total + one[name], 0);
  return {
    add: sum("add"),
    change: sum("change"),
    destroy: sum("remove"),
    import: sum("import"),
    move: sum("move"),
  };
}

const merged = (reports: readonly AccessReport[]): AccessReport => ({
  places: reports.flatMap(({ places }) => places),
  notCounted: reports.flatMap(({ notCounted }) => notCounted),
});

function textOf<S extends { readonly stack: string | undefined }>(
  stacks: readonly S[],
  render: (stack: S) => readonly string[],
): string {
  const heading = (stack: S) => (stacks.length > 1 ? [`Stack ${stack.stack}:`, ""] : []);
  return stacks.map((stack) => [...heading(stack), ...render(stack)].join("\n")).join("\n\n");
}

/** The error of a run with errors. The message shows the errors in the form of the command's output. */
export class TestRunError extends Error {
  override readonly name = "TestRunError";
  /** The errors and warnings of the run. `docs/errors.md` lists the codes of errors and warnings. */
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[]) {
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    super(["The run failed.", ...errors.flatMap((one) => renderDiagnostic(one, PLAIN))].join("\n"));
    this.diagnostics = diagnostics;
  }
}
