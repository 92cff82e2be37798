import { hasErrors } from "../../diagnostics";
import type { StoredState } from "../../framework";
import type { ValueObject } from "../../schema";
import type { InstanceState } from "../../state";
import type { StackRun } from "../stack-run/stack-run";
import type { StateObject } from "./objects";

/** Whether an object was stored under the current versions of its schemas. */
export function isCurrent(
  run: StackRun,
  { instance: { schemaVersion, identity }, resource: { type }, provider }: StateObject,
): boolean {
  const schema = run.providerFor(provider)!.schema.resources[type];
  if (schema === undefined || schema.version !== schemaVersion) return false;
  return identity === undefined || identity.version === schema.identity?.version;
}

/** An object of a state as its provider knows it, without its identity. */
export const stateOf = ({ attributes, private: bytes }: InstanceState): StoredState => ({
  attributes: attributes as ValueObject,
  private: bytes,
});

/** Returns an object of the state with its upgraded attributes and identity. */
export function storedState(
  instance: InstanceState,
  attributes = instance.attributes as ValueObject,
  identity = instance.identity?.values as ValueObject | undefined,
): StoredState {
  const stored: { -readonly [K in keyof StoredState]: StoredState[K] } = {
    attributes,
    private: instance.private,
  };
  if (identity !== undefined) stored.identity = identity;
  return stored;
}

/** An object of the state under the current versions of its schemas, if it is not newer; otherwise as it is. */
export function upgraded(run: StackRun, { instance, resource: { type }, provider: key }: StateObject) {
  const provider = run.providerFor(key)!;
  const { schemaVersion, identity } = instance;
  const found = provider.upgradeResource(type, schemaVersion, instance.attributes as ValueObject);
  const { attributes } = found;
  const isUpgraded = attributes !== undefined;
  const isIdentityCurrent =
    identity === undefined || provider.schema.resources[type]?.identity?.version === identity.version;
  if (!isUpgraded || isIdentityCurrent)
    return { before: storedState(instance, attributes), isUpgraded, diagnostics: found.diagnostics };
  const values = identity.values as ValueObject;
  const answer = provider.upgradeIdentity?.(type, identity.version, values);
  const { attributes: now, diagnostics = [] } = answer ?? {};
  const hasFailed = hasErrors(diagnostics);
  const before = { ...storedState(instance, hasFailed ? undefined : attributes), identity: now };
  return { before, isUpgraded: !hasFailed, diagnostics };
}
