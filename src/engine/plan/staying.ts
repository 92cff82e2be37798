import { type ResourceDeclaration, sensitiveAttributes } from "../../language";
import { constantConfig, instanceConfig } from "../run/instance-config";
import { onlyInstance } from "../run/instances";
import { sensitivePathsOf } from "../run/redaction";
import type { StackRun } from "../run/stack-run";
import { containerOf } from "../steps/identities";
import type { Standing } from "../steps/refresh";
import { changeOf } from "../steps/state-instance";
import type { Step } from "../steps/steps";

/**
 * Whether an object stays as it is, live and as it is declared: by a constant declaration without lifecycle that depends on
 * nothing but its provider, for its only instance. False where that is not certain; otherwise what it owns is registered.
 */
export function isUnchangedObject(
  run: StackRun,
  declaration: ResourceDeclaration,
  { object: { instance }, before: state, isRead }: Standing,
): boolean {
  const config = constantConfig(run, declaration);
  if (config === undefined) return false;
  const { type, address, provider } = declaration;
  const { attributes } = run.schema(declaration);
  if (instance.status !== undefined) return false;
  if (sensitivePathsOf(instance, attributes) !== sensitiveAttributes(attributes)) return false;
  return run.configured(provider).isUnchanged?.({ type, address, state, config, isRead }) === true;
}

const NO_DEPENDENCIES: readonly string[] = [];

/** The step of an object that stays as it is. */
export function stayingStep(run: StackRun, { object, before }: Standing, createBeforeDestroy: boolean): Step {
  const declaration = run.context.configuration.resources.get(object.address)!;
  const { provider } = declaration;
  const instance = onlyInstance(declaration);
  const { config, sensitive } = instanceConfig(run, declaration, instance);
  const change = changeOf(run, declaration, instance, {
    action: "no-op",
    before,
    after: before,
    beforeSensitive: sensitive,
    afterSensitive: sensitive,
  });
  const container = containerOf(run, provider, change);
  if (container !== undefined) change.container = container;
  return {
    change,
    provider,
    declared: { declaration, instance },
    object,
    private: { prior: before.private, planned: before.private },
    config,
    sensitive,
    dependencies: NO_DEPENDENCIES,
    createBeforeDestroy,
  };
}
