import { type Diagnostic, hasErrors, isServiceProblem, mergeDiagnostics, warning } from "../../diagnostics";
import { compareText, objectName, type Value } from "../../language";
import type { State } from "../../state";
import { outputChange } from "../checks/outputs";
import { type OutputChange, type PlanMode, type ResourceChange, summarize } from "../model/plan";
import { RunBasis } from "../plan-json/basis";
import { interruptedLook } from "../run/interrupted";
import type { StackRun } from "../run/stack-run";
import { observedChange } from "../steps/change-metadata";
import type { ExecutablePlan } from "../steps/executable-plan";
import type { Refreshed } from "../steps/refresh";
import { relevantAttributes } from "../steps/relevant-attributes";
import { hasEffect, isChange, type Step } from "../steps/steps";
import { withoutOwn } from "./observations";

/** An output as the walk left it; without a value where it could not be evaluated. */
export interface EvaluatedOutput {
  readonly value: Value | undefined;
  readonly sensitive: boolean;
}

/** What a planning walk found. */
interface Findings {
  readonly run: StackRun;
  readonly state: State | undefined;
  readonly movedState: State | undefined;
  readonly mode: PlanMode;
  /** False where a mistake kept everything from being looked at. */
  readonly isWalked: boolean;
  readonly steps: readonly Step[];
  readonly drifted: readonly Refreshed[];
  readonly unchecked: readonly string[];
  readonly blocked: ReadonlySet<string>;
  readonly outputs: ReadonlyMap<string, EvaluatedOutput>;
}

/**
 * Puts a plan together. One with a mistake in its declarations can't be applied; it tells, as Terraform does, what was
 * planned of all else.
 */
export function planResult(findings: Findings): ExecutablePlan {
  const { run, state, movedState, mode, isWalked, steps, drifted, unchecked, blocked, outputs } = findings;
  if (run.context.stop?.aborted) run.report([interruptedLook()]);
  run.report([...forgotten(steps), ...targeted(run)]);
  const diagnostics = mergeDiagnostics(run.diagnostics);
  const applicable = !diagnostics.some(
    ({ severity, code }) => severity === "error" && !isServiceProblem(code),
  );
  const done = withoutOwn(steps).sort((one, other) => byAddress(one.change, other.change));
  const drift = drifted
    .filter(({ object }) => object.instance.deposed === undefined)
    .map((refreshed) => observedChange(run, refreshed))
    .sort(byAddress);
  const changedOutputs = isWalked ? outputChanges(run, state, mode, outputs) : [];
  const found = { steps: done, drifted, outputs: changedOutputs, movedState };
  return {
    ...found,
    mode,
    applicable,
    complete: blocked.size === 0 && !hasErrors(diagnostics) && (run.context.targets ?? []).length === 0,
    changes: done.map(({ change }) => change),
    drift,
    relevantAttributes: relevantAttributes(run.context.configuration, [
      ...done.filter(({ change }) => change.action !== "no-op").map(({ change }) => change.address),
      ...changedOutputs.filter(({ action }) => action !== "no-op").map(({ name }) => `output.${name}`),
    ]),
    checks: mode === "destroy" ? run.checks.declared() : run.checks.all(),
    diagnostics,
    unchecked,
    blocked: [...blocked].sort(compareText),
    summary: summarize(done.map(({ change }) => change)),
    hasChanges:
      done.some(mode === "normal" ? hasEffect : isChange) ||
      changedOutputs.some(({ action }) => action !== "no-op") ||
      (mode === "refresh-only" && drift.length > 0),
    basis: new RunBasis(run, found, applicable),
    priorState: state,
  };
}

const byAddress = (one: ResourceChange, other: ResourceChange): number =>
  objectName(one.address, one.deposed) < objectName(other.address, other.deposed) ? -1 : 1;

function outputChanges(
  run: StackRun,
  state: State | undefined,
  mode: PlanMode,
  outputs: ReadonlyMap<string, EvaluatedOutput>,
): OutputChange[] {
  const before = state?.outputs ?? {};
  const declared = run.context.configuration.outputs;
  const isTargeted = (run.context.targets ?? []).length > 0;
  const names = [...new Set([...Object.keys(before), ...declared.keys()])].sort();
  // What the targets don't concern is not spoken of.
  return names
    .filter((name) => !isTargeted || outputs.has(name))
    .map((name) => {
      if (mode === "destroy") return outputChange(name, before[name], undefined, false);
      const output = outputs.get(name);
      const change = outputChange(name, before[name], output?.value, output?.sensitive ?? false);
      // One that is declared and could not be evaluated is left as it is.
      return output?.value === undefined && declared.has(name) ? { ...change, action: "no-op" } : change;
    });
}

/**
 * The part of a plan that changes these objects and nothing else. What was found on the service is taken into the
 * state for them alone, so that nothing of the rest is forgotten; what is read for them is read.
 */
export function partOf(plan: ExecutablePlan, addresses: ReadonlySet<string>): ExecutablePlan {
  const steps = plan.steps.filter(({ change }) => change.mode === "data" || addresses.has(change.address));
  const changes = steps.map(({ change }) => change);
  return {
    ...plan,
    changes,
    drift: [],
    outputs: [],
    unchecked: [],
    summary: summarize(changes),
    hasChanges: steps.some(isChange),
    steps,
    drifted: plan.drifted.filter(({ object }) => addresses.has(object.address)),
  };
}

function forgotten(steps: readonly Step[]): Diagnostic[] {
  const addresses = steps
    .filter(({ change }) => change.action === "forget" && change.sameAs === undefined)
    .map(({ change }) => change.address);
  if (addresses.length === 0) return [];
  const detail =
    `Applying this plan removes these objects from the state and leaves them unchanged on the service: ` +
    `${addresses.sort().join(", ")}. To manage them again, import them.`;
  return [warning({ code: "objects_forgotten", summary: "Objects that will be forgotten", detail })];
}

const targeted = ({ context: { targets = [] } }: StackRun): Diagnostic[] =>
  targets.length === 0
    ? []
    : [
        warning({
          code: "targeting_in_effect",
          summary: "Resource targeting is in effect",
          detail:
            `With --target this plan covers ${targets.join(", ")} and their dependencies, not everything that the ` +
            "configuration declares. Use --target for exceptional repairs, then plan without it.",
        }),
      ];
