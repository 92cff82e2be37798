import { type Diagnostic, hasErrors } from "../../diagnostics";
import {
  continueWith,
  type ExistingObject,
  type PlanResponse,
  type ReplacedValues,
  type Resolution,
  type StoredState,
} from "../../framework";
import { isSameObject } from "../../schema";
import { checkInstance, hasConditions } from "../checks/conditions";
import { ignoreChanges, type ProviderPlan, planChange, preventDestroy } from "../lifecycle/plan-change";
import { evaluateTriggers } from "../lifecycle/replace-triggers";
import { type Action, isShown } from "../model/plan";
import { at } from "../run/objects";
import { createRecoveryProblems, recoveryProblems } from "../run/pending-recovery";
import { hasSamePaths, sensitivePathsOf } from "../run/redaction";
import { containerOf } from "../steps/identities";
import type { Refreshed } from "../steps/refresh";
import { changeOf, type PlannedStep, type Step } from "../steps/steps";
import { type ExistingObjects, replacesExisting } from "./existing-objects";
import type { PlanGraph } from "./plan-graph";
import type { PlannedInstance, ResourceVisit } from "./planned-instance";

const NONE: readonly Diagnostic[] = [];

const failed = (diagnostics: readonly Diagnostic[]): PlannedStep => ({ step: undefined, diagnostics });

/** Plans one instance of a declared resource against the live object. */
export class InstancePlan {
  #isTriggered = false;
  #diagnostics = NONE;

  constructor(
    private readonly graph: PlanGraph,
    private readonly visit: ResourceVisit,
    private readonly of: PlannedInstance,
    private readonly refreshed: Refreshed | undefined,
    private readonly existing: ExistingObjects,
  ) {}

  plan(): Resolution<PlannedStep> {
    const begun = this.#planAtOnce();
    if (begun?.step !== undefined) return { step: begun.step, diagnostics: NONE };
    const problems = this.#problems();
    if (problems !== undefined) return failed(problems);
    return continueWith(this.#requestPlan(begun?.asked), (answer) => {
      const isComplete = answer.existing === undefined && this.refreshed?.live !== undefined;
      return isComplete || hasErrors(answer.diagnostics) ? this.#planned(answer) : this.#completed(answer);
    });
  }

  /**
   * Begins to plan an object whose declaration neither checks nor forces anything: to a step, or with what the provider was asked.
   * Most of a large plan stays as it is, and then this is all that is done for an object.
   */
  #planAtOnce(): { readonly step?: Step; readonly asked?: Resolution<PlanResponse> } | undefined {
    const { run, declaration, address } = this.of;
    const { type, provider, lifecycle } = declaration;
    const { context } = run;
    const refreshed = this.refreshed;
    if (refreshed?.live === undefined || refreshed.diagnostics.length > 0) return undefined;
    const { live, object } = refreshed;
    if (refreshed.importing !== undefined || object.instance.status === "tainted") return undefined;
    if (hasConditions(declaration) || lifecycle.replaceTriggeredBy.length > 0) return undefined;
    if (context.pendingRecovery !== undefined || (context.replace?.length ?? 0) > 0) return undefined;
    const body = this.of.config;
    if (body.diagnostics.length + body.invalid.length > 0) return undefined;
    const { attributes } = run.schema(declaration);
    const config = ignoreChanges(lifecycle, attributes, live.attributes, body.config);
    const asked = run
      .configured(provider)
      .planResource({ type, address, prior: live, config, canReturnPrior: true });
    if (asked instanceof Promise || asked.planned !== live || asked.diagnostics.length > 0) return { asked };
    const { requiresReplace, diagnostics } = asked;
    const step = this.#step({
      planned: live,
      config,
      replaceReason: undefined,
      requiresReplace,
      diagnostics,
    });
    return step.change.action === "no-op" ? { step } : { asked };
  }

  /** What prevents a plan, as far as it is known before the provider plans; undefined if nothing does. */
  #problems(): readonly Diagnostic[] | undefined {
    const { run, declaration, address } = this.of;
    const open = recoveryProblems(run.context, address);
    if (open.length > 0) return open;
    const before = joined(this.refreshed?.diagnostics ?? NONE, checkInstance(this.of, "precondition"));
    if (hasErrors(before)) return before;
    const body = this.of.config;
    if (hasErrors(body.diagnostics)) return joined(before, body.diagnostics);
    const triggers = evaluateTriggers(this.of, (resource) => this.graph.steps.of(resource));
    const invalid = at(body.invalid, address, declaration.construct);
    this.#diagnostics = joined(before, body.diagnostics, invalid, triggers.diagnostics);
    this.#isTriggered = triggers.isTriggered;
    return hasErrors(this.#diagnostics) ? this.#diagnostics : undefined;
  }

  /** @param asked the answer, if the provider was asked already */
  #requestPlan(asked?: Resolution<PlanResponse>): Resolution<ProviderPlan> {
    const { run, address, config } = this.of;
    return planChange(this.of, {
      live: this.refreshed?.live,
      tainted: this.refreshed?.object.instance.status === "tainted",
      isForced: this.#isTriggered || run.context.replace?.includes(address) === true,
      config: config.config,
      existing: this.existing.wanted,
      asked,
    });
  }

  /** The step of an object that is new, or whose place a live one has. */
  async #completed(answer: ProviderPlan): Promise<PlannedStep> {
    const existing = answer.existing && (await this.#planExisting(answer, answer.existing));
    if (existing !== undefined) return existing;
    if (this.refreshed?.live !== undefined) return this.#planned(answer);
    return this.#planned(answer, await this.#replacedValues(answer.planned!));
  }

  /** The plan of a new object whose place a live object has; undefined if it is planned as it is. */
  async #planExisting(answer: ProviderPlan, found: ExistingObject): Promise<PlannedStep | undefined> {
    const { run, declaration, address } = this.of;
    // An interrupted run may have made it.
    if (createRecoveryProblems(run.context, this.#step(answer).change).length > 0) return undefined;
    const isReplaced = this.refreshed?.live !== undefined;
    const verdict = await this.existing.decide(this.of, found, answer.planned!, isReplaced);
    if (verdict === "planned") return undefined;
    if ("refused" in verdict) return failed(verdict.refused);
    const again = new InstancePlan(this.graph, this.visit, this.of, verdict.imported, this.existing);
    const problems = again.#problems();
    if (problems !== undefined) return failed(problems);
    const imported = await again.#requestPlan();
    if (imported.replaceReason === undefined || hasErrors(imported.diagnostics))
      return again.#planned(imported);
    return failed(at([replacesExisting(found)], address, declaration.construct));
  }

  /** The live values that a create replaces, without sensitive ones. Nothing is read without a refresh. */
  async #replacedValues(planned: StoredState): Promise<ReplacedValues | undefined> {
    const { run, declaration } = this.of;
    const { config, sensitive } = this.of.config;
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

  /** The step for the provider's answer, with the conditions that its values must meet. */
  #planned(answer: ProviderPlan, replaced?: ReplacedValues): PlannedStep {
    const { run, declaration, address } = this.of;
    const diagnostics = joined(this.#diagnostics, at(answer.diagnostics, address, declaration.construct));
    if (hasErrors(diagnostics)) return failed(diagnostics);
    const step = this.#step(answer, replaced);
    const { change, sensitive } = step;
    if (change.action === "no-op" && !hasConditions(declaration)) return { step, diagnostics };
    const prevented = [
      ...createRecoveryProblems(run.context, change),
      ...preventDestroy(run, declaration, change),
    ];
    const after = checkInstance(this.of, "postcondition", { values: change.after, sensitive });
    return {
      // As under Terraform, a step with a failed postcondition is shown.
      step: hasErrors(prevented) ? undefined : step,
      diagnostics: joined(diagnostics, prevented, after),
    };
  }

  #step(answer: ProviderPlan, replaced?: ReplacedValues): Step {
    const { run, declaration, instance, config: body } = this.of;
    const { attributes } = run.schema(declaration);
    const refreshed = this.refreshed;
    const createBeforeDestroy = this.graph.createsBeforeDestroy(declaration.address);
    const [before, after] = [refreshed?.live, answer.planned!];
    const beforeSensitive = sensitivePathsOf(refreshed?.object.instance, attributes);
    const isUnchanged = () =>
      isSameObject(attributes, before!.attributes, after.attributes) &&
      hasSamePaths(beforeSensitive, body.sensitive);
    const action = actionFor(before, answer, createBeforeDestroy, isUnchanged);
    const change = changeOf(run, declaration, instance, {
      action,
      before,
      after,
      beforeSensitive,
      afterSensitive: body.sensitive,
      replacePaths: answer.requiresReplace,
    });
    const reason = reasonFor(action, answer, this.#isTriggered);
    if (reason !== undefined) change.reason = reason;
    if (refreshed?.importing !== undefined) change.importing = refreshed.importing;
    if (replaced !== undefined) change.replaced = replaced;
    // The container of what the plan shows is determined later, once its path was looked up.
    const container = isShown(change) ? undefined : containerOf(run, declaration.provider, change);
    if (container !== undefined) change.container = container;
    const step: { -readonly [K in keyof Step]: Step[K] } = {
      change,
      provider: declaration.provider,
      declared: { declaration, instance },
      object: refreshed?.object,
      prior: before,
      planned: after,
      config: answer.config,
      sensitive: body.sensitive,
      dependencies: this.visit.dependencies,
      createBeforeDestroy,
    };
    if (refreshed !== undefined && action !== "no-op") {
      const found =
        run.providerFor(declaration.provider)?.newPaths?.(change.type, refreshed.before, after) ?? [];
      if (found.length > 0) step.newPaths = found;
    }
    // The place of a replacement holds the object that the plan deletes.
    if (action === "create" && answer.observed !== undefined) step.observed = answer.observed;
    return step;
  }
}

const joined = (...all: readonly (readonly Diagnostic[])[]): readonly Diagnostic[] => {
  let found = NONE;
  for (const one of all) if (one.length > 0) found = found.length === 0 ? one : [...found, ...one];
  return found;
};

function actionFor(
  before: StoredState | undefined,
  { replaceReason }: ProviderPlan,
  createBeforeDestroy: boolean,
  isUnchanged: () => boolean,
): Action {
  if (before === undefined) return "create";
  if (replaceReason !== undefined) return createBeforeDestroy ? "create-then-delete" : "delete-then-create";
  return isUnchanged() ? "no-op" : "update";
}

function reasonFor(action: Action, { replaceReason }: ProviderPlan, isTriggered: boolean) {
  if (isTriggered) return "replace_by_triggers";
  return action === "create" ? undefined : replaceReason;
}
