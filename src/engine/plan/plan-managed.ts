import { type Diagnostic, hasErrors } from "../../diagnostics";
import {
  type ExistingObject,
  type PlanResponse,
  type ReplacedValues,
  type Resolution,
  type StoredState,
  whenKnown,
} from "../../framework";
import { isSameObject, type ValueObject } from "../../schema";
import { checkInstance, hasConditions, type InstanceContext } from "../checks/conditions";
import { ignoreChanges } from "../lifecycle/ignore-changes";
import { type ProviderPlan, planChange } from "../lifecycle/plan-change";
import { preventDestroy } from "../lifecycle/prevent-destroy";
import { evaluateTriggers } from "../lifecycle/replace-triggers";
import type { Action, ActionReason } from "../model/plan";
import type { InstanceConfig } from "../run/instance-config";
import { at } from "../run/objects";
import { createRecoveryProblems, recoveryProblems } from "../run/pending-recovery";
import { hasSamePaths, sensitivePathsOf } from "../run/redaction";
import { containerOf } from "../steps/identities";
import type { Refreshed } from "../steps/refresh";
import { changeOf } from "../steps/state-instance";
import type { PlannedStep, Step } from "../steps/steps";
import { type ExistingObjects, replacesExisting } from "./existing-objects";

/** The live values that a create replaces, without sensitive ones. Nothing is read without a refresh. */
async function replacedValues(
  { run, declaration }: InstanceContext,
  { config, sensitive }: InstanceConfig,
  planned: StoredState,
): Promise<ReplacedValues | undefined> {
  const { refresh, stop } = run.context;
  const { type, provider } = declaration;
  const { replacedValues: read } = run.configured(provider);
  if (read === undefined || refresh === false || stop?.aborted) return undefined;
  const found = await read({ type, config, private: planned.private });
  if (found?.live === undefined) return found;
  const shown = Object.entries(found.live).filter(
    ([name]) => !sensitive.some(([hidden]) => hidden === undefined || hidden === name),
  );
  return shown.length === 0 ? undefined : { live: Object.fromEntries(shown) };
}

/** What the plan of an instance depends on. */
export interface InstancePlanDependencies {
  /** The replacement is created before the old object is destroyed. */
  readonly createBeforeDestroy: boolean;
  /** The evaluated configuration of the instance. */
  readonly config: () => InstanceConfig;
  /** The steps planned so far for a dependency. */
  readonly stepsOf: (resource: string) => readonly Step[];
  /** Addresses of the resources and data sources that the declaration depends on. */
  readonly dependencies: () => readonly string[];
  /** What becomes of live objects in the place of new ones. */
  readonly existing: ExistingObjects;
}

/** An instance that can be planned, until the provider answers. A suspended function keeps all its variables. */
interface Preparation extends InstanceContext {
  readonly refreshed: Refreshed | undefined;
  readonly dependencies: InstancePlanDependencies;
  readonly body: InstanceConfig;
  readonly isTriggered: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** Plans one instance of a declared resource against the live object. */
export function planManaged(
  stage: InstanceContext,
  refreshed: Refreshed | undefined,
  dependencies: InstancePlanDependencies,
): Resolution<PlannedStep> {
  const begun = planAtOnce(stage, refreshed, dependencies);
  if (begun?.step !== undefined) return { step: begun.step, diagnostics: NONE };
  const prepared = prepare(stage, refreshed, dependencies);
  if ("step" in prepared) return prepared;
  return whenKnown(requestPlan(prepared, begun?.asked), (answer) => {
    const isComplete = answer.existing === undefined && refreshed?.live !== undefined;
    if (isComplete || hasErrors(answer.diagnostics)) return plannedStep(prepared, answer);
    return completed(stage, prepared, answer);
  });
}

/** A plan in progress: a step, or what the provider was asked already. */
type BegunPlan =
  | { readonly step: Step }
  | { readonly step?: undefined; readonly asked: Resolution<PlanResponse> };

/**
 * Begins to plan an object whose declaration neither checks nor forces anything. Most of a large plan stays as it is, and then
 * this is all that is done for an object.
 */
function planAtOnce(
  { run, declaration, instance }: InstanceContext,
  refreshed: Refreshed | undefined,
  dependencies: InstancePlanDependencies,
): BegunPlan | undefined {
  const { type, provider, lifecycle } = declaration;
  const { address } = instance;
  const { context } = run;
  if (refreshed?.live === undefined || refreshed.diagnostics.length > 0) return undefined;
  const { live, object } = refreshed;
  if (refreshed.importing !== undefined || object.instance.status === "tainted") return undefined;
  if (hasConditions(declaration) || lifecycle.replaceTriggeredBy.length > 0) return undefined;
  if (context.pendingRecovery !== undefined || (context.replace?.length ?? 0) > 0) return undefined;
  const body = dependencies.config();
  if (body.diagnostics.length + body.invalid.length > 0) return undefined;
  const { attributes } = run.schema(declaration);
  const config = ignoreChanges(lifecycle, attributes, live.attributes, body.config);
  const asked = run
    .configured(provider)
    .planResource({ type, address, prior: live, config, canReturnPrior: true });
  if (asked instanceof Promise || asked.planned !== live || asked.diagnostics.length > 0) return { asked };
  // A spread takes longer here than all else: every object gets both.
  const prepared = {
    run,
    declaration,
    instance,
    refreshed,
    dependencies,
    body,
    isTriggered: false,
    diagnostics: NONE,
  };
  const { requiresReplace, diagnostics } = asked;
  const answer = { planned: live, config, replaceReason: undefined, requiresReplace, diagnostics };
  const step = stepOf(prepared, answer, undefined);
  return step.change.action === "no-op" ? { step } : { asked };
}

/** The step of an object that is new, or whose place a live one has. */
async function completed(
  stage: InstanceContext,
  prepared: Preparation,
  answer: ProviderPlan,
): Promise<PlannedStep> {
  const existing = answer.existing && (await planExisting(prepared, answer, answer.existing));
  if (existing !== undefined) return existing;
  if (prepared.refreshed?.live !== undefined) return plannedStep(prepared, answer);
  const replaced = await replacedValues(stage, prepared.body, answer.planned!);
  return plannedStep(prepared, answer, replaced);
}

/** The plan of a new object whose place a live object has; undefined if it is planned as it is. */
async function planExisting(
  prepared: Preparation,
  answer: ProviderPlan,
  existing: ExistingObject,
): Promise<PlannedStep | undefined> {
  const { run, declaration, instance, refreshed, dependencies } = prepared;
  // An interrupted run may have made it.
  if (createRecoveryProblems(run.context, stepOf(prepared, answer, undefined).change).length > 0)
    return undefined;
  const isReplaced = refreshed?.live !== undefined;
  const verdict = await dependencies.existing.decide(prepared, existing, answer.planned!, isReplaced);
  if (verdict === "planned") return undefined;
  if ("refused" in verdict) return { step: undefined, diagnostics: verdict.refused };
  const again = prepare(prepared, verdict.imported, dependencies);
  if ("step" in again) return again;
  const imported = await requestPlan(again);
  if (imported.replaceReason === undefined || hasErrors(imported.diagnostics))
    return plannedStep(again, imported);
  const refusal = at([replacesExisting(existing)], instance.address, declaration.construct);
  return { step: undefined, diagnostics: refusal };
}

/** Checks what can be checked before the provider plans. */
function prepare(
  stage: InstanceContext,
  refreshed: Refreshed | undefined,
  dependencies: InstancePlanDependencies,
): Preparation | PlannedStep {
  const { run, declaration, instance } = stage;
  const failed = (diagnostics: readonly Diagnostic[]) => ({ step: undefined, diagnostics });
  const open = recoveryProblems(run.context, instance.address);
  if (open.length > 0) return failed(open);
  const before = joined(refreshed?.diagnostics ?? [], checkInstance(stage, "precondition"));
  if (hasErrors(before)) return failed(before);
  const body = dependencies.config();
  if (hasErrors(body.diagnostics)) return failed(joined(before, body.diagnostics));
  const triggers = evaluateTriggers(declaration, run.evaluation, instance.repetition, dependencies.stepsOf);
  const invalid = at(body.invalid, instance.address, declaration.construct);
  const diagnostics = joined(before, body.diagnostics, invalid, triggers.diagnostics);
  if (hasErrors(diagnostics)) return failed(diagnostics);
  const { isTriggered } = triggers;
  return { run, declaration, instance, refreshed, dependencies, body, isTriggered, diagnostics };
}

const NONE: readonly Diagnostic[] = [];

const joined = (...all: readonly (readonly Diagnostic[])[]): readonly Diagnostic[] => {
  let found = NONE;
  for (const one of all) if (one.length > 0) found = found.length === 0 ? one : [...found, ...one];
  return found;
};

function requestPlan(
  { run, declaration, instance, refreshed, body, dependencies, ...found }: Preparation,
  asked?: Resolution<PlanResponse>,
) {
  const { type, provider, lifecycle } = declaration;
  const { address } = instance;
  return planChange(run.configured(provider), {
    type,
    address,
    lifecycle,
    attributes: run.schema(declaration).attributes,
    live: refreshed?.live,
    tainted: refreshed?.object.instance.status === "tainted",
    isForced: found.isTriggered || run.context.replace?.includes(address) === true,
    config: body.config,
    existing: dependencies.existing.wanted,
    asked,
  });
}

/** The step for the provider's answer, with the conditions that its values must meet. */
function plannedStep(prepared: Preparation, answer: ProviderPlan, replaced?: ReplacedValues): PlannedStep {
  const { run, declaration, instance } = prepared;
  const diagnostics = joined(
    prepared.diagnostics,
    at(answer.diagnostics, instance.address, declaration.construct),
  );
  if (hasErrors(diagnostics)) return { step: undefined, diagnostics };
  const step = stepOf(prepared, answer, replaced);
  if (step.change.action === "no-op" && !hasConditions(declaration)) return { step, diagnostics };
  const prevented = [
    ...createRecoveryProblems(run.context, step.change),
    ...preventDestroy(run, declaration, step.change),
  ];
  const after = checkInstance(prepared, "postcondition", {
    values: step.change.after,
    sensitive: step.sensitive,
  });
  return {
    // As under Terraform, a step with a failed postcondition is shown.
    step: hasErrors(prevented) ? undefined : step,
    diagnostics: joined(diagnostics, prevented, after),
  };
}

function stepOf(
  { run, declaration, instance, refreshed, body, dependencies, isTriggered }: Preparation,
  answer: ProviderPlan,
  replaced: ReplacedValues | undefined,
): Step {
  const { attributes } = run.schema(declaration);
  const { createBeforeDestroy } = dependencies;
  const before = refreshed?.live?.attributes ?? null;
  const after = answer.planned!.attributes;
  const beforeSensitive = sensitivePathsOf(refreshed?.object.instance, attributes);
  const action = actionFor(
    before,
    after,
    answer,
    createBeforeDestroy,
    (one, other) => isSameObject(attributes, one, other) && hasSamePaths(beforeSensitive, body.sensitive),
  );
  const reason = reasonFor(action, answer, isTriggered);
  const change = changeOf(run, declaration, instance, {
    action,
    before,
    after,
    beforeSensitive,
    afterSensitive: body.sensitive,
    replacePaths: answer.requiresReplace,
  });
  if (reason !== undefined) change.reason = reason;
  if (refreshed?.importing !== undefined) change.importing = refreshed.importing;
  const [beforeIdentity, afterIdentity] = [refreshed?.live?.identity, answer.planned!.identity];
  if (beforeIdentity !== undefined) change.beforeIdentity = beforeIdentity;
  if (afterIdentity !== undefined) change.afterIdentity = afterIdentity;
  if (replaced !== undefined) change.replaced = replaced;
  // The container of what the plan shows is determined later, once its path was looked up.
  const isShown =
    action !== "no-op" || change.importing !== undefined || change.previousAddress !== undefined;
  const container = isShown ? undefined : containerOf(run, declaration.provider, change);
  if (container !== undefined) change.container = container;
  const step: { -readonly [K in keyof Step]: Step[K] } = {
    change,
    provider: declaration.provider,
    declared: { declaration, instance },
    object: refreshed?.object,
    private: { prior: refreshed?.live?.private, planned: answer.planned!.private },
    config: answer.config,
    sensitive: body.sensitive,
    dependencies: dependencies.dependencies(),
    createBeforeDestroy,
  };
  // The place of a replacement holds the object that the plan deletes.
  if (action === "create" && answer.observed !== undefined) step.observed = answer.observed;
  return step;
}

function actionFor(
  before: ValueObject | null,
  after: ValueObject,
  { replaceReason }: ProviderPlan,
  createBeforeDestroy: boolean,
  isUnchanged: (one: ValueObject, other: ValueObject) => boolean,
): Action {
  if (before === null) return "create";
  if (replaceReason !== undefined) return createBeforeDestroy ? "create-then-delete" : "delete-then-create";
  return isUnchanged(before, after) ? "no-op" : "update";
}

function reasonFor(
  action: Action,
  { replaceReason }: ProviderPlan,
  isTriggered: boolean,
): ActionReason | undefined {
  if (isTriggered) return "replace_by_triggers";
  return action === "create" ? undefined : replaceReason;
}
