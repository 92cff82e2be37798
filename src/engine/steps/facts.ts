import type { ResourceDeclaration } from "../../language";
import { type Attributes, differences, type ValueObject } from "../../schema";
import type { ResourceChange } from "../model/plan";
import type { Instance } from "../run/instances";
import { constructOf, type StateObject } from "../run/objects";
import { sensitivePathsOf } from "../run/sensitivity";
import type { StackRun } from "../run/stack-run";
import type { Refreshed } from "./refresh";

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

/** What looking at the service found of an object, as a change from what the state holds to what is live. */
export function observedChange(
  run: StackRun,
  { object, before: { attributes: before }, live }: Refreshed,
): ResourceChange {
  const facts = objectFacts(run, object);
  const after = live?.attributes ?? null;
  const isSame = after !== null && isAlike(facts.attributes, before, after);
  return { ...facts, action: after === null ? "delete" : isSame ? "no-op" : "update", before, after };
}

const isAlike = (attributes: Attributes, one: ValueObject, other: ValueObject): boolean =>
  differences(attributes, one, other).length === 0;

/** Whether an object is on the service as the state has it. */
export const isAsStored = (run: StackRun, { object, before, live }: Refreshed): boolean =>
  live !== undefined &&
  isAlike(
    run.providerFor(object.provider)!.schema.resources[object.resource.type]!.attributes,
    before.attributes,
    live.attributes,
  );

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
