import { type ResourceDeclaration, resourceAddress } from "../../language";
import { type Attributes, differences, type ValueObject } from "../../schema";
import type { ChangeMetadata, ResourceChange } from "../model/plan";
import type { Instance } from "../run/instances";
import type { StateObject } from "../run/objects";
import { sensitivePathsOf } from "../run/sensitive-paths";
import type { StackRun } from "../run/stack-run";
import { containerOf } from "./container";
import type { Refreshed } from "./refresh";

/** Where an object is declared that no longer is. */
const NOT_DECLARED: Partial<Pick<ResourceDeclaration, "construct" | "position">> = {};

/** The metadata for an object of the state. */
export function objectMetadata(
  run: StackRun,
  { address, resource, instance, provider }: StateObject,
): ChangeMetadata {
  const { construct, position } =
    run.context.configuration.resources.get(resourceAddress(resource)) ?? NOT_DECLARED;
  const { attributes } = run.providerFor(provider)!.schema.resources[resource.type]!;
  const sensitive = sensitivePathsOf(instance, attributes);
  const metadata = {
    address,
    mode: "managed" as const,
    type: resource.type,
    name: resource.name,
    ...(instance.indexKey !== undefined && { indexKey: instance.indexKey }),
    ...previousAddressOf(run, address),
    ...(instance.deposed !== undefined && { deposed: instance.deposed }),
    provider: run.source(provider),
    beforeSensitive: sensitive,
    afterSensitive: sensitive,
    replacePaths: [],
    attributes,
    ...(construct !== undefined && { construct }),
    ...(position !== undefined && { position }),
  };
  const container = containerOf(run, provider, {
    ...metadata,
    before: instance.attributes as ValueObject,
    after: null,
  });
  return container === undefined ? metadata : { ...metadata, container };
}

/** The difference between state and service as a change. */
export function observedChange(
  run: StackRun,
  { object, before: { attributes: before }, live }: Refreshed,
): ResourceChange {
  const metadata = objectMetadata(run, object);
  const after = live?.attributes ?? null;
  const isSame = after !== null && isEqual(metadata.attributes, before, after);
  return { ...metadata, action: after === null ? "delete" : isSame ? "no-op" : "update", before, after };
}

const isEqual = (attributes: Attributes, one: ValueObject, other: ValueObject): boolean =>
  differences(attributes, one, other).length === 0;

/** Whether the live object equals the stored one. */
export const isAsStored = (run: StackRun, { object, before, live }: Refreshed): boolean =>
  live !== undefined &&
  isEqual(
    run.providerFor(object.provider)!.schema.resources[object.resource.type]!.attributes,
    before.attributes,
    live.attributes,
  );

/** The metadata for a declared instance. */
export function instanceMetadata(
  run: StackRun,
  declaration: ResourceDeclaration,
  { address, key }: Instance,
): ChangeMetadata {
  const { mode, type, name, provider, construct, position } = declaration;
  return {
    address,
    mode,
    type,
    name,
    ...(key !== undefined && { indexKey: key }),
    ...previousAddressOf(run, address),
    provider: run.source(provider),
    beforeSensitive: [],
    afterSensitive: [],
    replacePaths: [],
    attributes: run.schema(declaration).attributes,
    ...(construct !== undefined && { construct }),
    ...(position !== undefined && { position }),
  };
}

function previousAddressOf(run: StackRun, address: string): { previousAddress?: string } {
  const previousAddress = run.previousAddresses.get(address);
  return previousAddress === undefined ? {} : { previousAddress };
}
