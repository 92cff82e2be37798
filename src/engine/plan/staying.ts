import type { AttributePath } from "../../diagnostics";
import { type ResourceDeclaration, sensitiveAttributes } from "../../language";
import type { ResourceChange } from "../model/plan";
import { constantConfig, instanceConfig } from "../run/instance-config";
import { onlyInstance } from "../run/instances";
import { sensitivePathsOf } from "../run/redaction";
import type { StackRun } from "../run/stack-run";
import { containerOf } from "../steps/identities";
import type { Standing } from "../steps/refresh";
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

const NO_PATHS: readonly AttributePath[] = [];
const NO_DEPENDENCIES: readonly string[] = [];

/** The step of an object that stays as it is. */
export function stayingStep(
  run: StackRun,
  { object, before: { attributes: values, identity, private: bytes } }: Standing,
  createBeforeDestroy: boolean,
): Step {
  const declaration = run.context.configuration.resources.get(object.address)!;
  const { type, address, provider, construct, position } = declaration;
  const instance = onlyInstance(declaration);
  const { config, sensitive } = instanceConfig(run, declaration, instance);
  const change: { -readonly [K in keyof ResourceChange]: ResourceChange[K] } = {
    address,
    mode: "managed",
    type,
    name: declaration.name,
    provider: run.source(provider),
    beforeSensitive: sensitive,
    afterSensitive: sensitive,
    replacePaths: NO_PATHS,
    attributes: run.schema(declaration).attributes,
    action: "no-op",
    before: values,
    after: values,
  };
  if (construct !== undefined) change.construct = construct;
  if (position !== undefined) change.position = position;
  if (identity !== undefined) {
    change.beforeIdentity = identity;
    change.afterIdentity = identity;
  }
  const container = containerOf(run, provider, change);
  if (container !== undefined) change.container = container;
  return {
    change,
    provider,
    declared: { declaration, instance },
    object,
    private: { prior: bytes, planned: bytes },
    config,
    sensitive,
    dependencies: NO_DEPENDENCIES,
    createBeforeDestroy,
  };
}
