import { type Diagnostic, hasErrors } from "../../diagnostics";
import type { ResourceDeclaration } from "../../language";
import { differingAttributes, type ValueObject } from "../../schema";
import { checkInstance, type InstanceContext } from "../lifecycle/instance-conditions";
import { type ProviderPlan, planChange } from "../lifecycle/plan-change";
import { preventDestroy } from "../lifecycle/prevent-destroy";
import { isTriggered } from "../lifecycle/replace-triggers";
import type { Action, ActionReason } from "../model/plan";
import { resourceDependencies } from "../run/declarations";
import type { InstanceConfig } from "../run/instance-config";
import type { Instance } from "../run/instances";
import { at } from "../run/objects";
import { createRecoveryProblems, recoveryProblems } from "../run/pending-recovery";
import { samePaths, sensitivePathsOf } from "../run/sensitive-paths";
import type { StackRun } from "../run/stack-run";
import { instanceMetadata } from "../steps/change-metadata";
import type { Refreshed } from "../steps/refresh";
import { identitiesOf, type PlannedStep, type Step } from "../steps/steps";
import { replacedValues } from "./replaced-values";

/** What the plan of an instance depends on. */
export interface InstancePlanDependencies {
  /** The replacement is created before the old object is destroyed. */
  readonly createBeforeDestroy: boolean;
  /** The evaluated configuration of the instance. */
  readonly config: () => InstanceConfig;
  /** The steps planned so far for a dependency. */
  readonly stepsOf: (resource: string) => readonly Step[];
}

/** Plans one instance of a declared resource against the live object. */
export async function planManaged(
  run: StackRun,
  declaration: ResourceDeclaration,
  instance: Instance,
  refreshed: Refreshed | undefined,
  dependencies: InstancePlanDependencies,
): Promise<PlannedStep> {
  const open = recoveryProblems(run.context, instance.address);
  if (open.length > 0) return { step: undefined, diagnostics: open };
  const readProblems = refreshed?.diagnostics ?? [];
  const stage: InstanceContext = { run, declaration, instance };
  const before = checkInstance(stage, "precondition");
  const diagnostics = [...readProblems, ...before];
  if (hasErrors(diagnostics)) return { step: undefined, diagnostics };
  const planned = await planInstance(stage, refreshed, dependencies);
  if (planned.step === undefined)
    return { ...planned, diagnostics: [...diagnostics, ...planned.diagnostics] };
  const prevented = [
    ...createRecoveryProblems(run.context, planned.step),
    ...preventDestroy(declaration, planned.step.change),
  ];
  const { step } = planned;
  const after = checkInstance(stage, "postcondition", {
    values: step.change.after,
    sensitive: step.sensitive,
  });
  return {
    // As under Terraform, a step with a failed postcondition is shown.
    step: hasErrors(prevented) ? undefined : planned.step,
    diagnostics: [...diagnostics, ...planned.diagnostics, ...prevented, ...after],
  };
}

async function planInstance(
  { run, declaration, instance }: InstanceContext,
  refreshed: Refreshed | undefined,
  { createBeforeDestroy, config, stepsOf }: InstancePlanDependencies,
): Promise<PlannedStep> {
  const { type, provider, construct, lifecycle } = declaration;
  const { attributes } = run.schema(declaration);
  const { address, repetition } = instance;
  const withAddress = (found: readonly Diagnostic[]) => at(found, address, construct);
  const body = config();
  if (hasErrors(body.diagnostics)) return { step: undefined, diagnostics: body.diagnostics };
  const invalid = withAddress(body.invalid);
  const triggers = isTriggered(declaration, run.evaluation, repetition, stepsOf);
  const found = [...body.diagnostics, ...invalid, ...triggers.diagnostics];
  if (hasErrors(found)) return { step: undefined, diagnostics: found };

  const request = {
    type,
    address,
    lifecycle,
    attributes,
    live: refreshed?.live,
    tainted: refreshed?.object.instance.status === "tainted",
    forced: triggers.triggered || (run.context.replace ?? []).includes(address),
    config: body.config,
  };
  const answer = await planChange(run.configured(provider), request);
  const diagnostics = [...found, ...withAddress(answer.diagnostics)];
  if (hasErrors(diagnostics)) return { step: undefined, diagnostics };

  const before = refreshed?.live?.attributes ?? null;
  const after = answer.planned!.attributes;
  const beforeSensitive = sensitivePathsOf(refreshed?.object.instance, attributes);
  const action = actionFor(before, after, answer, createBeforeDestroy, (one, other) => {
    const isUnchanged = differingAttributes(attributes, one, other).length === 0;
    return isUnchanged && samePaths(beforeSensitive, body.sensitive);
  });
  const reason = reasonFor(action, answer, triggers.triggered);
  const replaced =
    action === "create"
      ? await replacedValues({ run, declaration, instance }, body, answer.planned!)
      : undefined;
  const step: Step = {
    change: {
      ...instanceMetadata(run, declaration, instance),
      action,
      ...(reason && { reason }),
      ...(refreshed?.importing !== undefined && { importing: refreshed.importing }),
      before,
      after,
      ...identitiesOf(refreshed?.live, answer.planned),
      beforeSensitive,
      afterSensitive: body.sensitive,
      replacePaths: answer.requiresReplace,
      ...(replaced && { replaced }),
    },
    provider,
    declared: { declaration, instance },
    object: refreshed?.object,
    private: { prior: refreshed?.live?.private, planned: answer.planned!.private },
    // The place of a replacement holds the object that the plan deletes.
    ...(action === "create" && answer.observed && { observed: answer.observed }),
    config: answer.config,
    sensitive: body.sensitive,
    dependencies: resourceDependencies(run.graph, declaration.address),
    createBeforeDestroy,
  };
  return { step, diagnostics };
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
  triggered: boolean,
): ActionReason | undefined {
  if (triggered) return "replace_by_triggers";
  return action === "create" ? undefined : replaceReason;
}
