import { type Diagnostic, hasErrors } from "../../diagnostics";
import type { ContainerSelection } from "../../framework";
import type { OutputState } from "../../state";
import { unmanagedInAll } from "../drift/unmanaged";
import type { CoverageScan, DriftReport, UnmanagedObject } from "../results/drift";
import type { ChangeSummary, Plan } from "../results/plan";
import { declaringStack, type StackSource } from "../source/load-stacks";
import {
  type EngineOptions,
  overStacks,
  type RunEvent,
  type RunResult,
  type StackResult,
  type StackWorkResult,
} from "./collect";
import type { OpenStack, PlanOptions } from "./open-stack";
import type { Run } from "./run";

function outcomeOf(
  diagnostics: readonly Diagnostic[],
  hasFindings: boolean,
): StackWorkResult<object>["outcome"] {
  if (hasErrors(diagnostics)) return "failed";
  return hasFindings ? "found" : "nothing";
}

/** The plan of one stack. */
export interface PlannedStack extends StackResult {
  /** The plan; undefined if the stack could not be planned. */
  readonly plan: Plan | undefined;
}

/** The options of a plan. */
export interface PlanRunOptions extends EngineOptions, PlanOptions {
  /**
   * Whether the plan takes the lock of the state. Default: true. If false, the plan writes nothing, and only warns
   * about an interrupted run instead of recovering this run.
   */
  readonly lock?: boolean | undefined;
}

/**
 * Plans the changes that an apply of the stacks would make.
 *
 * @example
 * const run = plan({ configuration: "infra" }, { providers: [createProvider()], env: process.env });
 * for await (const event of run.events) console.log(event.kind);
 * const { succeeded, stacks } = await run.result;
 */
export const plan = (source: StackSource, options: PlanRunOptions): Run<RunEvent, RunResult<PlannedStack>> =>
  overStacks<Pick<PlannedStack, "plan">>(source, options, {
    locksFor: options.lock === false ? undefined : "plan",
    reversed: options.mode === "destroy",
    compares: true,
    empty: { plan: undefined },
    work: async (stack) => {
      await (options.lock === false ? stack.read() : stack.recover());
      const planned = await stack.plan(options);
      const { diagnostics, hasChanges } = planned;
      const outcome = outcomeOf(diagnostics, hasChanges);
      return { outcome, diagnostics, details: { plan: planned } };
    },
  });

/** The result of an apply in one stack. */
export interface AppliedStack extends StackResult {
  /** The plan, applied or not; undefined if the stack could not be planned. */
  readonly plan: Plan | undefined;
  /** The numbers of changed objects; undefined if the plan was not applied. */
  readonly done: ChangeSummary | undefined;
  /** The outputs in the state after the apply, by name, including sensitive outputs. */
  readonly outputs: Readonly<Record<string, OutputState>>;
}

/** The options of an apply. */
export interface ApplyRunOptions extends EngineOptions, PlanOptions {
  /**
   * Decides whether to apply a plan that has changes. Without this function, every plan is applied. If the function rejects a
   * plan, the stack still counts as succeeded.
   */
  readonly approve?: ((plan: Plan, stack: string | undefined) => boolean | Promise<boolean>) | undefined;
}

type Details = Pick<AppliedStack, "plan" | "done" | "outputs">;

const NOTHING: Details = { plan: undefined, done: undefined, outputs: {} };

/**
 * Plans and applies the stacks in the order of their dependencies. `mode: "destroy"` destroys all objects. The state is saved
 * while objects change. If a stack fails, its dependents are skipped.
 */
export const apply = (
  source: StackSource,
  options: ApplyRunOptions,
): Run<RunEvent, RunResult<AppliedStack>> =>
  overStacks<Details>(source, options, {
    locksFor: options.mode === "destroy" ? "destroy" : "apply",
    reversed: options.mode === "destroy",
    compares: true,
    waits: true,
    empty: NOTHING,
    work: (stack) => applyStack(stack, options),
  });

async function applyStack(stack: OpenStack, options: ApplyRunOptions): Promise<StackWorkResult<Details>> {
  await stack.recover();
  const plan = await stack.plan({ ...options, willApply: true });
  const { diagnostics } = plan;
  const hasFailed = hasErrors(diagnostics);
  const details = { ...NOTHING, plan };
  if (!stack.canApply(plan)) return { outcome: "failed", diagnostics, details };
  if (plan.hasChanges && (await options.approve?.(plan, stack.name)) === false)
    return { outcome: hasFailed ? "failed" : "nothing", diagnostics, details };
  const result = await stack.apply(plan);
  const isDone = !hasFailed && !hasErrors(result.diagnostics);
  return {
    outcome: isDone ? "found" : "failed",
    diagnostics: [...diagnostics, ...result.diagnostics],
    details: { plan, done: result.done, outputs: result.state.outputs },
  };
}

/** The drift of one stack. */
export interface DriftedStack extends StackResult {
  /** The report; undefined if the stack could not be compared. */
  readonly report: DriftReport | undefined;
}

/** The drift of all stacks. */
export interface DriftResult extends RunResult<DriftedStack> {
  readonly hasDrift: boolean;
  /** Live objects that no stack declares, in the containers of the stacks. Empty without `coverage`. */
  readonly unmanaged: readonly UnmanagedObject[];
}

/** The options of a drift detection. */
export interface DriftRunOptions extends EngineOptions {
  /** Whether to search also for undeclared objects. */
  readonly coverage?: boolean | undefined;
  /** With `coverage`: containers to scan, in addition to the containers of the stacks. */
  readonly within?: readonly ContainerSelection[] | undefined;
}

/** Finds changes that were made directly on the service. Takes no lock and writes nothing. */
export function drift(source: StackSource, options: DriftRunOptions): Run<RunEvent, DriftResult> {
  const scans: CoverageScan[] = [];
  const { events, result } = overStacks<Pick<DriftedStack, "report">>(source, options, {
    locksFor: undefined,
    empty: { report: undefined },
    work: async (stack) => {
      await stack.read();
      const report = await stack.drift({ coverage: options.coverage === true, within: options.within });
      scans.push(...report.scans);
      const { diagnostics, drifted } = report;
      const outcome = outcomeOf(diagnostics, drifted.length > 0);
      return { outcome, diagnostics, details: { report } };
    },
  });
  const driftResult = result.then((found): DriftResult => {
    const hasDrift = found.stacks.some(({ report }) => (report?.drifted.length ?? 0) > 0);
    return { ...found, hasDrift, unmanaged: unmanagedInAll(scans) };
  });
  driftResult.catch(() => undefined);
  return { events, result: driftResult };
}

/** The result of an import in the stack that declares the address. */
export interface ImportedStack extends StackResult {
  /** The id of the imported object, as the state stores it. Undefined if nothing was imported. */
  readonly id: string | undefined;
}

/** The options of an import, with the object to import and its address. */
export interface ImportRunOptions extends EngineOptions {
  /** The address of a declared instance that has no object yet. */
  readonly address: string;
  /** The import id, in the form that the type of the resource defines. */
  readonly id: string;
}

/**
 * Imports a live object into the state of the stack that declares the object's address. Exactly one stack must declare this
 * address. Changes nothing on the service.
 */
export const importObject = (
  source: StackSource,
  options: ImportRunOptions,
): Run<RunEvent, RunResult<ImportedStack>> =>
  overStacks<Pick<ImportedStack, "id">>(source, options, {
    locksFor: "import",
    compares: true,
    choose: declaringStack(options.address),
    empty: { id: undefined },
    work: async (stack) => {
      await stack.recover({ strict: true });
      const { id, diagnostics } = await stack.import(options.address, options.id);
      return { outcome: hasErrors(diagnostics) ? "failed" : "found", diagnostics, details: { id } };
    },
  });

/** Validates the stacks against the schemas of the providers. Sends no request and reads no state. */
export const validate = (
  source: StackSource,
  options: EngineOptions,
): Run<RunEvent, RunResult<StackResult>> =>
  overStacks<object>(source, options, {
    locksFor: undefined,
    empty: {},
    work: async (stack) => {
      const diagnostics = stack.validate();
      return { outcome: hasErrors(diagnostics) ? "failed" : "nothing", diagnostics, details: {} };
    },
  });
