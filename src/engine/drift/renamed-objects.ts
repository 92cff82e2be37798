import { hasErrors } from "../../diagnostics";
import type { ResourceDeclaration } from "../../language";
import { instanceConfig } from "../run/instance-config";
import type { Instance } from "../run/instances";
import type { StateObject } from "../run/objects";
import type { StackRun } from "../run/stack-run";
import { Identities } from "../steps/identities";

/** An instance that the code declares. */
export interface Declared {
  readonly declaration: ResourceDeclaration;
  readonly instance: Instance;
}

interface Renamed extends Declared {
  /** The object of the state, at the address that the code gives it. */
  readonly object: StateObject;
}

/**
 * Pairs objects of the state whose addresses left the configuration with new declarations of the same objects, as a plan
 * does. Where several would fit, there is no pair: the plan tells that.
 */
export async function renamedObjects(
  run: StackRun,
  leaving: readonly StateObject[],
  missing: readonly Declared[],
): Promise<Renamed[]> {
  if (missing.length === 0) return [];
  const identities = new Identities(run);
  const types = new Set(missing.map(({ declaration }) => declaration.type));
  const held = new Map<string, StateObject[]>();
  for (const object of leaving.filter(({ resource }) => types.has(resource.type))) {
    const identity = await identities.ofObject(object);
    if (identity !== undefined) held.set(identity, [...(held.get(identity) ?? []), object]);
  }
  if (held.size === 0) return [];
  const renamed: Renamed[] = [];
  for (const { declaration, instance } of missing) {
    const { config, diagnostics, invalid } = instanceConfig(run, declaration, instance);
    if (hasErrors(diagnostics) || hasErrors(invalid)) continue;
    const { provider, type, name, mode } = declaration;
    const identity = await identities.of(provider, type, { attributes: config });
    const [object, ...others] = (identity !== undefined && held.get(identity)) || [];
    if (object === undefined || others.length > 0) continue;
    const { address } = instance;
    renamed.push({
      declaration,
      instance,
      object: { ...object, address, resource: { ...object.resource, mode, type, name } },
    });
  }
  return renamed;
}
