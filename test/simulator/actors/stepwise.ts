// Builds commands from the functions of the library. For each stack, a command does its work between taking the lock
// and releasing it.
import { DiagnosticError } from "../../../src/diagnostics";
import {
  type Diagnostic,
  type DriftedObject,
  type EngineOptions,
  loadStacks,
  type Plan,
  planRepair,
  runStacks,
  type SavedPlan,
  type StacksWork,
} from "../../../src/engine";
import { environmentOf, stacksOptions } from "../../../src/engine/library/collect";

export const SOURCE = { manifest: "cdktf.out" } as const;

/** The result of a run that was not killed. */
export interface Outcome {
  readonly succeeded: boolean;
  readonly diagnostics: readonly Diagnostic[];
  /** The plan of each stack. `isApplied` is true if the operation applied the plan. */
  readonly plans: readonly { readonly stack: string; readonly plan: Plan; readonly isApplied: boolean }[];
  /** The addresses of drifted objects. Undefined if the operation is not a drift run. */
  readonly drifted: readonly string[] | undefined;
  /** The drifted objects, each with its stack. */
  readonly driftedObjects?: readonly { readonly stack: string; readonly object: DriftedObject }[];
  /** The types of resources whose lists the service refused (403), when a drift run looked for unmanaged objects. */
  readonly unlisted?: readonly string[];
  /** All output of the run, as text. */
  readonly told: string;
}

/** The saved plan of each stack. */
export type SavedPlans = Map<string, SavedPlan>;

interface Saving {
  readonly saved: SavedPlans;
  readonly importExisting?: boolean | undefined;
}

export type Performed = Omit<Outcome, "told">;

export const NOTHING: Performed = { succeeded: true, diagnostics: [], plans: [], drifted: undefined };

export function failedWith(problem: unknown): Performed {
  if (!(problem instanceof DiagnosticError)) throw problem;
  return { ...NOTHING, succeeded: false, diagnostics: problem.diagnostics };
}

export const hasErrors = (diagnostics: readonly Diagnostic[]): boolean =>
  diagnostics.some(({ severity }) => severity === "error");

interface Stepwise extends Omit<StacksWork, "work" | "onFailure"> {
  readonly work: (stack: Parameters<StacksWork["work"]>[0], found: Found) => ReturnType<StacksWork["work"]>;
}

interface Found {
  readonly diagnostics: Diagnostic[];
  readonly plans: { stack: string; plan: Plan; isApplied: boolean }[];
}

/**
 * Runs `work` for each stack, as the command does with these parts of the library. Collects the plans and diagnostics
 * of all stacks.
 */
export async function stepwise(
  options: EngineOptions,
  tell: (what: unknown) => void,
  { work, ...rest }: Stepwise,
): Promise<Performed> {
  const found: Found = { diagnostics: [], plans: [] };
  const settings = stacksOptions(options, (event) => {
    tell(event);
    if (event.kind === "diagnostics") found.diagnostics.push(...event.diagnostics);
  });
  const fail = (problem: unknown): void => {
    found.diagnostics.push(...failedWith(problem).diagnostics);
  };
  let outcome: string;
  try {
    const loaded = await loadStacks(SOURCE, options.stacks ?? [], environmentOf(options));
    outcome = await runStacks(loaded, settings, {
      ...rest,
      work: (stack) => work(stack, found),
      onFailure: async (problem) => fail(problem),
    });
  } catch (problem) {
    fail(problem);
    outcome = "failed";
  }
  tell(found.diagnostics);
  return { ...found, succeeded: outcome !== "failed", drifted: undefined };
}

export const repairing = (): Stepwise => ({
  locksFor: "drift --repair",
  compares: true,
  async work(stack, found) {
    await stack.recover();
    const { drifted, diagnostics } = await stack.drift();
    const whole = await stack.plan();
    const { plan: repair } = planRepair(whole, drifted);
    found.diagnostics.push(...diagnostics);
    found.diagnostics.push(...whole.diagnostics);
    if (!repair.applicable || !repair.hasChanges) return hasErrors(whole.diagnostics) ? "failed" : "nothing";
    const planned = { stack: stack.name!, plan: repair, isApplied: true };
    found.plans.push(planned);
    const result = await stack.apply(repair);
    found.diagnostics.push(...result.diagnostics);
    return hasErrors([...whole.diagnostics, ...result.diagnostics]) ? "failed" : "found";
  },
});

export const saving = ({ saved, importExisting }: Saving): Stepwise => ({
  locksFor: "plan",
  compares: true,
  async work(stack, found) {
    await stack.recover();
    const planned = await stack.plan({ importExisting });
    saved.set(stack.name!, await stack.save(planned));
    found.plans.push({ stack: stack.name!, plan: planned, isApplied: false });
    found.diagnostics.push(...planned.diagnostics);
    return hasErrors(planned.diagnostics) ? "failed" : "found";
  },
});

export function applyingSaved(saved: SavedPlans): Stepwise {
  type Confirmed = NonNullable<Awaited<ReturnType<Parameters<StacksWork["work"]>[0]["confirm"]>>["plan"]>;
  const confirmed = new Map<string, Confirmed>();
  return {
    locksFor: "apply",
    compares: true,
    waits: true,
    choose: (stacks) => stacks.filter(({ name }) => saved.has(name!)),
    async prepare(stacks) {
      const problems: Diagnostic[] = [];
      for (const stack of stacks) {
        const { plan: confirmedPlan, diagnostics } = await stack.confirm(
          saved.get(stack.name!)!,
          {},
          "saved.plan",
        );
        if (confirmedPlan === undefined) problems.push(...diagnostics);
        else confirmed.set(stack.name!, confirmedPlan);
      }
      if (hasErrors(problems)) throw new DiagnosticError(problems);
    },
    async work(stack, found) {
      const recorded = saved.get(stack.name!)!;
      stack.restore(recorded);
      await stack.recover();
      stack.requireCurrentState(recorded);
      const planned = confirmed.get(stack.name!)!;
      found.plans.push({ stack: stack.name!, plan: planned, isApplied: true });
      const result = await stack.apply(planned);
      found.diagnostics.push(...planned.diagnostics, ...result.diagnostics);
      const isFailed =
        hasErrors([...planned.diagnostics, ...result.diagnostics]) || planned.blocked.length > 0;
      return isFailed ? "failed" : "found";
    },
  };
}
