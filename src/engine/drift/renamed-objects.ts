import { hasErrors } from "../../diagnostics";
import type { ResourceDeclaration } from "../../language";
import { instanceConfig } from "../run/instance-config";
import type { Instance } from "../run/instances";
import type { StateObject } from "../run/objects";
import type { StackRun } from "../run/stack-run";
import { Identities } from "../steps/identities";

/** A declared instance. */
export interface DeclaredInstance {
  readonly declaration: ResourceDeclaration;
  readonly instance: Instance;
}

interface Renamed extends DeclaredInstance {
  /** The object of the state, at its newly declared address. */
  readonly object: StateObject;
}

/**
 * Pairs objects of the state that are no longer declared at their address with new declarations of the same
 * objects, as a plan does. An ambiguous match is left out: the plan reports it.
 */
export async function renamedObjects(
  run: StackRun,
  undeclared: readonly StateObject[],
  missing: readonly DeclaredInstance[],
): Promise<Renamed[]> {
  if (missing.length === 0) return [];
  const identities = new Identities(run);
  const types = new Set(missing.map(({ declaration }) => declaration.type));
  const held = new Map<string, StateObject[]>();
  for (const object of undeclared.filter(({ resource }) => types.has(resource.type))) {
    const identity = await identities.identifyObject(object);
    if (identity !== undefined) held.set(identity, [...(held.get(identity) ?? []), object]);
  }
  if (held.size === 0) return [];
  const renamed: Renamed[] = [];
  for (const { declaration, instance } of missing) {
    const { config, diagnostics, invalid } = instanceConfig(run, declaration, instance);
    if (hasErrors(diagnostics) || hasErrors(invalid)) continue;
    const { provider, type, name, mode } = declaration;
    const identity = await identities.identify(provider, type, { attributes: config });
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
