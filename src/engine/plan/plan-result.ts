import {
  type Diagnostic,
  hasErrors,
  isServiceProblem,
  joinItems,
  mergeDiagnostics,
  warning,
} from "../../diagnostics";
import { compareText, objectName, type Value } from "../../language";
import { lazily } from "../../schema";
import type { FleetRecord, State } from "../../state";
import { allOf, compareNatural } from "../../text";
import { managedDependencies } from "../declarations/declarations";
import { addContainer, respellBefore } from "../objects/identities";
import { configurationJson, priorState, type Refreshable, variableValue } from "../plan-json/basis";
import { relevantAttributes } from "../plan-json/relevant-attributes";
import type {
  OutputChange,
  Plan,
  PlanBasis,
  PlanDescriptions,
  PlanMode,
  ResourceChange,
} from "../results/plan";
import { summarize } from "../results/plan";
import { outputChange } from "../stack-run/outputs";
import { interruptedRead, type StackRun } from "../stack-run/stack-run";
import { type ExecutablePlan, hasEffect, isChange, observedChange, type Step } from "../steps/steps";
import type { PlanGraph } from "./plan-graph";

const CREATE_OR_UPDATE: ReadonlySet<string> = new Set(["create", "update"]);

/**
 * Removes observations of live objects that the plan deletes. With an observation of the deleted object, a later recovery could
 * not distinguish this object from the new object.
 */
function withoutStaleObservations(steps: readonly Step[]): readonly Step[] {
  const deleted = new Set(
    steps
      .filter((step) => isChange(step) && !CREATE_OR_UPDATE.has(step.change.action))
      .map(({ change: { type, before } }) => `${type} ${String(before?.["id"])}`),
  );
  if (deleted.size === 0) return steps;
  return steps.map((step) => {
    const { observed, ...rest } = step;
    const isStale = observed?.ids.some((id) => deleted.has(`${step.change.type} ${id}`)) ?? false;
    return isStale ? rest : step;
  });
}

/** An evaluated output; without a value if the evaluation failed. */
export interface EvaluatedOutput {
  readonly value: Value | undefined;
  readonly sensitive: boolean;
}

/** The data of a plan that its `PlanGraph` does not contain. */
interface PlanFindings {
  /** The state before moves. */
  readonly priorState: State | undefined;
  readonly leftBehind: ReadonlySet<string>;
  readonly foundFleets: ReadonlyMap<string, FleetRecord>;
  /** Whether the nodes were visited. False after errors in the declarations. */
  readonly isWalked: boolean;
  readonly outputs: ReadonlyMap<string, EvaluatedOutput>;
  readonly described: PlanDescriptions;
}

/**
 * Builds the plan. A plan with errors in the declarations can't be applied. As in Terraform, a plan with such errors still shows
 * the planned changes.
 */
export function planResult(plan: PlanGraph, findings: PlanFindings): ExecutablePlan {
  const { run, mode, state: movedState, drifted, unchecked, blocked } = plan;
  const { priorState, leftBehind, foundFleets, isWalked, outputs, described } = findings;
  // A destroy has no deferred reads. A data source that can't be read before the destroy is not read after it.
  const steps = plan.steps.planned.filter(({ change }) => mode !== "destroy" || change.action !== "read");
  if (run.context.stop?.aborted) run.report([interruptedRead()]);
  run.report([...forgotten(steps), ...targeted(run, mode)]);
  const diagnostics = joinItems(mergeDiagnostics(run.diagnostics));
  const applicable = !diagnostics.some(
    ({ severity, code }) => severity === "error" && !isServiceProblem(code),
  );
  const planned = sorted(withoutStaleObservations(steps));
  for (const { provider, change, prior, planned: after } of planned) {
    addContainer(run, provider, change);
    respellBefore(run, provider, change, [prior, after]);
  }
  for (const { provider, change } of plan.steps.postponed) addContainer(run, provider, change);
  // The steps of unchanged objects are only created when a view or a saved plan needs them.
  const allSteps = lazily(() => sorted([...planned, ...plan.steps.staying()]));
  const allChanges = lazily(() => allSteps().map(({ change }) => change));
  const drift = drifted
    .filter(({ object }) => object.instance.deposed === undefined)
    .map((refreshed) => observedChange(run, refreshed))
    .sort(byAddress);
  const changedOutputs = isWalked ? outputChanges(run, priorState, mode, outputs) : [];
  // The relevant attributes are computed on first use. Most plans have no drift, so no view needs them.
  const relevant = lazily(() =>
    relevantAttributes(run.context.configuration, [
      ...planned.filter(({ change }) => change.action !== "no-op").map(({ change }) => change.address),
      ...changedOutputs.filter(({ action }) => action !== "no-op").map(({ name }) => `output.${name}`),
    ]),
  );
  return {
    get steps() {
      return allSteps();
    },
    get changes() {
      return allChanges();
    },
    changing: planned.map(({ change }) => change),
    drifted,
    outputs: changedOutputs,
    movedState,
    leftBehind,
    postponed: plan.steps.postponed.map(({ change }) => change),
    foundFleets,
    mode,
    applicable,
    complete: blocked.size === 0 && !hasErrors(diagnostics) && run.restriction === undefined,
    drift,
    get relevantAttributes() {
      return relevant();
    },
    checks: mode === "destroy" ? run.checks.declared() : run.checks.all(),
    diagnostics,
    unchecked,
    blocked: [...blocked].sort(compareNatural),
    summary: summarize(planned.map(({ change }) => change)),
    hasChanges:
      planned.some(mode === "normal" ? hasEffect : isChange) ||
      changedOutputs.some(({ action }) => action !== "no-op") ||
      (mode === "refresh-only" && drift.length > 0),
    basis: basisOf(run, { steps: allSteps, drifted, outputs: changedOutputs, movedState }, applicable),
    priorState,
    ...described,
  };
}

/**
 * Returns the data on which the plan of a run is based. The large parts are computed on first use, because only saved plans and
 * `show -json` need them.
 *
 * @param isValid whether the declarations have no errors; an invalid configuration has no JSON format
 */
function basisOf(run: StackRun, found: Refreshable, isValid: boolean): PlanBasis {
  const variables = [...run.context.configuration.variables.values()].filter(({ ephemeral }) => !ephemeral);
  const state = lazily(() => priorState(run, found));
  const configuration = lazily(() => (isValid ? configurationJson(run) : {}));
  const dependencies = lazily(() => managedDependencies(run.graph));
  return {
    timestamp: `${new Date().toISOString().slice(0, -".000Z".length)}Z`,
    get variables() {
      const names = variables.map(({ name }) => name).sort(compareText);
      return Object.fromEntries(names.map((name) => [name, variableValue(run, name)]));
    },
    sensitiveVariables: variables.filter(({ sensitive }) => sensitive).map(({ name }) => name),
    get priorState() {
      return state();
    },
    get configuration() {
      return configuration();
    },
    get dependencies() {
      return dependencies();
    },
  };
}

const sorted = (steps: readonly Step[]): readonly Step[] =>
  [...steps].sort((one, other) => byAddress(one.change, other.change));

const byAddress = (one: ResourceChange, other: ResourceChange): number =>
  compareNatural(objectName(one.address, one.deposed), objectName(other.address, other.deposed));

function outputChanges(
  run: StackRun,
  state: State | undefined,
  mode: PlanMode,
  outputs: ReadonlyMap<string, EvaluatedOutput>,
): OutputChange[] {
  const before = state?.outputs ?? {};
  const declared = run.context.configuration.outputs;
  const isRestricted = run.restriction !== undefined;
  const names = [...new Set([...Object.keys(before), ...declared.keys()])].sort();
  // A restricted plan contains only the outputs that it has evaluated.
  return names
    .filter((name) => !isRestricted || outputs.has(name))
    .map((name) => {
      if (mode === "destroy") return outputChange(name, before[name], undefined, false);
      const output = outputs.get(name);
      const change = outputChange(name, before[name], output?.value, output?.sensitive ?? false);
      // A declared output that could not be evaluated is unchanged.
      return output?.value === undefined && declared.has(name) ? { ...change, action: "no-op" } : change;
    });
}

/**
 * Restricts a plan to the changes of some objects. The new plan stores refreshed values only for these objects. The new plan
 * contains all reads of data sources from the given plan.
 */
export function restrictPlan(plan: ExecutablePlan, addresses: ReadonlySet<string>): ExecutablePlan {
  const steps = plan.steps.filter(({ change }) => change.mode === "data" || addresses.has(change.address));
  const changes = steps.map(({ change }) => change);
  return {
    ...plan,
    changes,
    changing: changes,
    drift: [],
    outputs: [],
    unchecked: [],
    summary: summarize(changes),
    hasChanges: steps.some(isChange),
    ...(plan.requests && { requests: plan.requests.filter(({ address }) => addresses.has(address)) }),
    steps,
    drifted: plan.drifted.filter(({ object }) => addresses.has(object.address)),
  };
}

/**
 * Returns the given plan with these diagnostics instead of its diagnostics. The result is not a copy, because a copy would create
 * the changes of all unchanged objects.
 */
export const withDiagnostics = (plan: Plan, diagnostics: readonly Diagnostic[]): Plan =>
  Object.create(plan, { diagnostics: { value: diagnostics, enumerable: true } }) as Plan;

/** Returns the given plan without the requests of its apply. The result is not a copy, for the same reason. */
export const withoutRequests = (plan: Plan): Plan =>
  Object.create(plan, { requests: { value: undefined, enumerable: true } }) as Plan;

function forgotten(steps: readonly Step[]): Diagnostic[] {
  const addresses = steps
    .filter(({ change }) => change.action === "forget" && change.sameAs === undefined)
    .map(({ change }) => change.address);
  if (addresses.length === 0) return [];
  const detail =
    `Applying this plan removes these objects from the state and leaves them unchanged on the service: ` +
    `${addresses.sort(compareNatural).join(", ")}. To manage them again, import them.`;
  return [warning({ code: "objects_forgotten", summary: "Objects will be removed from the state", detail })];
}

function targeted({ context, restriction }: StackRun, mode: PlanMode): Diagnostic[] {
  // The run of a shard needs no warning, because the other shards cover the other containers.
  if (restriction === undefined || context.share !== undefined) return [];
  const { option, addresses } = restriction;
  const listed = allOf([...addresses].sort(compareNatural));
  const isOne = addresses.length === 1;
  const their = isOne ? "its" : "their";
  const related =
    mode === "destroy" ? `${their} dependencies` : `the objects that depend on ${isOne ? "it" : "them"}`;
  if (option === "the selection of paths")
    return [
      warning({
        code: "targeting_in_effect",
        summary: "Plan does not cover the whole configuration",
        detail: `This run selects paths, so the plan covers only the declarations for ${listed}. To plan everything, omit the option with the paths.`,
      }),
    ];
  const scope =
    option === "--target"
      ? `With --target, this plan covers only ${listed} and ${their} dependencies`
      : `With --exclude, this plan leaves out ${listed} and ${related}`;
  return [
    warning({
      code: "targeting_in_effect",
      summary: "Resource targeting is in effect",
      detail: `${scope}. Use ${option} only in exceptional cases. After you apply this plan, plan without it.`,
    }),
  ];
}
