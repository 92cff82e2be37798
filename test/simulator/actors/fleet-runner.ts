import { applyWaves } from "../../../src/cli/commands/waves";
import type { RunView } from "../../../src/cli/views/run-view";
import { apply, drift, type EngineOptions, plan } from "../../../src/engine";
import { createProvider } from "../../../src/provider";
import type { PartialRun } from "../story/fleet-round";
import { pathOf, TOKEN } from "../world/company";
import { hasErrors, SOURCE, stepwise } from "./stepwise";

const provider = createProvider();

/** The result of a run. */
export interface FleetOutcome {
  readonly succeeded: boolean;
  /** The codes of the run's errors, sorted. */
  readonly errors: readonly string[];
  readonly hasChanges: boolean;
  /** The addresses of the managed objects that the run's plans change. */
  readonly changing: readonly string[];
}

/** The findings of a plan without the lock and of a drift detection. */
export interface ReaderOutcome {
  /** The codes of the errors of the plan and of the drift detection. */
  readonly errors: readonly string[];
  /** The addresses of the objects that the drift detection reports. */
  readonly drifted: readonly string[];
}

/**
 * The number of projects that may leave a fleet in one run. All projects may leave, because these stories do not cover
 * the guard against a shrinking list.
 */
const LEAVING = 9;

const optionsOf = ({ stacks, projects, shard }: PartialRun): EngineOptions => ({
  providers: [provider],
  folder: "/app",
  env: { STEWARD_TOKEN: TOKEN },
  lockTimeout: 60_000,
  ...(stacks && { stacks }),
  ...(projects && { containers: projects.map(pathOf) }),
  ...(shard && { shard: { number: shard[0], total: shard[1] } }),
});

/** Plans without the lock and then detects drift, while other runs may be in progress. */
export async function readFleets(): Promise<ReaderOutcome> {
  const planned = await planFleets({}, false);
  const { diagnostics, stacks } = await drift(SOURCE, optionsOf({})).result;
  return {
    errors: [...planned.errors, ...errorsOf(diagnostics)],
    drifted: stacks.flatMap(({ report }) => report?.drifted ?? []).map(({ change }) => change.address),
  };
}

export async function planFleets(run: PartialRun, lock = true): Promise<FleetOutcome> {
  const options = { ...optionsOf(run), allowLeaving: LEAVING, lock };
  const { succeeded, diagnostics, stacks } = await plan(SOURCE, options).result;
  const plans = stacks.flatMap(({ plan: one }) => one ?? []);
  return {
    succeeded,
    errors: errorsOf(diagnostics),
    hasChanges: plans.some(({ hasChanges }) => hasChanges),
    changing: plans.flatMap(({ changes }) =>
      changes
        .filter(({ action, mode }) => mode === "managed" && action !== "no-op")
        .map(({ address }) => address),
    ),
  };
}

export async function applyFleets(run: PartialRun): Promise<FleetOutcome> {
  if (run.wave !== undefined) return applyInWaves(run, run.wave);
  let targets: readonly string[] | undefined;
  if (run.target !== undefined) {
    const { changing } = await planFleets({});
    if (changing.length === 0) return { succeeded: true, errors: [], hasChanges: false, changing: [] };
    targets = [changing[run.target % changing.length]!];
  }
  const options = { ...optionsOf(run), ...(targets && { targets }), allowLeaving: LEAVING };
  const { succeeded, diagnostics } = await apply(SOURCE, options).result;
  return { succeeded, errors: errorsOf(diagnostics), hasChanges: false, changing: targets ?? [] };
}

async function applyInWaves(run: PartialRun, wave: number): Promise<FleetOutcome> {
  const view = { notice: () => undefined } as unknown as RunView;
  const args = { wave, allowLeaving: LEAVING } as unknown as Parameters<typeof applyWaves>[3];
  const { succeeded, diagnostics } = await stepwise(optionsOf(run), () => undefined, {
    locksFor: "apply",
    compares: true,
    waits: true,
    async work(stack, found) {
      await stack.recover();
      const planned = await stack.plan({ allowLeaving: LEAVING });
      found.diagnostics.push(...planned.diagnostics);
      if (!stack.canApply(planned)) return "failed";
      const result = await applyWaves(stack, view, planned, args);
      found.diagnostics.push(...result.diagnostics);
      return hasErrors([...planned.diagnostics, ...result.diagnostics]) ? "failed" : "found";
    },
  });
  return { succeeded, errors: errorsOf(diagnostics), hasChanges: false, changing: [] };
}

const errorsOf = (
  diagnostics: readonly { readonly severity: string; readonly code: string }[],
): readonly string[] =>
  [...new Set(diagnostics.flatMap(({ severity, code }) => (severity === "error" ? [code] : [])))].sort();
