import type { ResourceDeclaration } from "../config";
import type { Instance } from "../run/instances";
import { constructOf, type StateObject } from "../run/objects";
import type { StackRun } from "../run/stack-run";
import type { ResourceChange } from "./model";
import { sensitivePathsOf } from "./sensitivity";

/** What a change says of its object, whatever happens to it. */
export type ObjectFacts = Omit<ResourceChange, "action" | "reason" | "before" | "after">;

/** The facts of an object that the state holds. */
export function objectFacts(
  run: StackRun,
  { address, resource, instance, provider }: StateObject,
): ObjectFacts {
  const construct = constructOf(run.context.configuration, resource);
  const { attributes } = run.providerFor(provider)!.schema.resources[resource.type]!;
  const sensitive = sensitivePathsOf(instance, attributes);
  return {
    address,
    mode: "managed",
    type: resource.type,
    name: resource.name,
    ...(instance.indexKey !== undefined && { indexKey: instance.indexKey }),
    ...movedFrom(run, address),
    ...(instance.deposed !== undefined && { deposed: instance.deposed }),
    provider: run.source(provider),
    beforeSensitive: sensitive,
    afterSensitive: sensitive,
    replacePaths: [],
    attributes,
    ...(construct !== undefined && { construct }),
  };
}

/** The facts of an instance that the configuration declares. */
export function instanceFacts(
  run: StackRun,
  declaration: ResourceDeclaration,
  { address, key }: Instance,
): ObjectFacts {
  const { mode, type, name, provider, construct } = declaration;
  return {
    address,
    mode,
    type,
    name,
    ...(key !== undefined && { indexKey: key }),
    ...movedFrom(run, address),
    provider: run.source(provider),
    beforeSensitive: [],
    afterSensitive: [],
    replacePaths: [],
    attributes: run.schema(declaration).attributes,
    ...(construct !== undefined && { construct }),
  };
}

function movedFrom(run: StackRun, address: string): { previousAddress?: string } {
  const previousAddress = run.previousAddresses.get(address);
  return previousAddress === undefined ? {} : { previousAddress };
}
