import type { AttributePath, Diagnostic } from "../../diagnostics";
import type { ObservedBeforeCreate, StoredState } from "../../framework";
import { type Configuration, type ResourceDeclaration, resourceAddress } from "../../language";
import { isSameObject, type ResourceSchema, type ValueObject } from "../../schema";
import type {
  FleetRecord,
  InstanceState,
  JsonObject,
  ResourceIdentity,
  ResourceState,
  State,
  StateEditor,
} from "../../state";
import { containerOf } from "../objects/identities";
import { nameOf, providerAddress, type StateObject, sourceOf } from "../objects/objects";
import type { Refreshed } from "../objects/refresh";
import type { StoredObject } from "../results/drift";
import type { Action, ChangeMetadata, Plan, ResourceChange } from "../results/plan";
import { sensitivePathsOf, toState as sensitiveToState } from "../results/redaction";
import type { Instance, InstanceKey } from "../stack-run/instances";
import type { StackRun } from "../stack-run/stack-run";

/** The plan for one object: the change that people see, and the values that apply needs. */
export interface Step {
  readonly change: ResourceChange;
  /** Key of the provider configuration. */
  readonly provider: string;
  /** The declaration of the object; undefined if the object is no longer declared. */
  readonly declared: { readonly declaration: ResourceDeclaration; readonly instance: Instance } | undefined;
  readonly object: StateObject | undefined;
  /** The object before the step; undefined if the object does not exist yet. */
  readonly prior: StoredState | undefined;
  /** The object as planned, with unknown values; undefined if the step deletes the object. */
  readonly planned: StoredState | undefined;
  /**
   * The live objects with the identity of the new object, as the provider observed them during the plan. Set only for a create.
   */
  readonly observed?: ObservedBeforeCreate;
  /** Paths in the new values whose ids the state does not contain yet. */
  readonly newPaths?: readonly string[];
  readonly config: ValueObject | undefined;
  /** The paths of sensitive values in the object's configuration. */
  readonly sensitive: readonly AttributePath[];
  /** Addresses of the resources and data sources that the object depends on. */
  readonly dependencies: readonly string[];
  /**
   * The types of objects whose deletes wait until this new object exists. Set only if the identity of the new object is
   * unknown. When the object exists, apply knows whether a delete is for the same object.
   */
  readonly deletesAfter?: readonly string[];
  /**
   * Addresses of the declarations that become owners of the object or of its parts. The state keeps the object until the changes
   * at these addresses are applied.
   */
  readonly handedTo?: readonly string[];
  /** Whether a delete of the object comes after the changes of its dependents. */
  readonly createBeforeDestroy: boolean;
}

/** A step, or diagnostics that explain why there is no step. */
export interface PlannedStep {
  readonly step: Step | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

const DELETE_ACTIONS: ReadonlySet<Action> = new Set(["delete", "delete-then-create", "create-then-delete"]);

/** Returns whether a step deletes an object, even if only to replace it. */
export const isObjectDelete = ({ change: { action } }: Pick<Step, "change">): boolean =>
  DELETE_ACTIONS.has(action);

/**
 * Returns whether the state forgets an object because its container leaves the fleet. Returns false for objects of `removed`
 * blocks and for objects with a second address.
 */
export const isLeaving = ({ change: { action, reason, sameAs } }: Pick<Step, "change">): boolean =>
  action === "forget" && reason === "delete_because_each_key" && sameAs === undefined;

/**
 * Returns whether a step ends the ownership of an object or of a part of it. Another declaration can then take over the object
 * or the part.
 */
export function isRelease(
  run: Pick<StackRun, "configured">,
  { change: { mode, type, action }, provider }: Step,
): boolean {
  if (mode !== "managed") return false;
  if (DELETE_ACTIONS.has(action) || action === "forget") return true;
  // An update can end the ownership of a set and leave its content to others.
  return action === "update" && (run.configured(provider)?.sharesWith?.(type) ?? []).length > 0;
}

const LOCAL_ACTIONS: ReadonlySet<Action> = new Set(["no-op", "read", "forget"]);

/** Returns whether a step changes an object on the service. */
export const isChange = ({ change: { action } }: Step): boolean => !LOCAL_ACTIONS.has(action);

/** Returns whether a step adds, moves or removes an object in the state. */
export const isStateChange = ({ change: { action, importing, previousAddress } }: Step): boolean =>
  action === "forget" || importing !== undefined || previousAddress !== undefined;

/** Returns whether the apply of a step changes anything, on the service or in the state. */
export const hasEffect = (step: Step): boolean =>
  isChange(step) || isStateChange(step) || step.change.action === "read";

/** A plan with everything that apply needs. */
export interface ExecutablePlan extends Plan {
  readonly steps: readonly Step[];
  /** Objects that differ between the state and the service. */
  readonly drifted: readonly Refreshed[];
  /** The state as it was read; undefined if there was none. */
  readonly priorState: State | undefined;
  /** Names of undeclared objects that the plan leaves unchanged. */
  readonly leftBehind: ReadonlySet<string>;
  /** The changes that the plan postpones because of other objects, with their decisions. The plan does not contain them. */
  readonly postponed?: readonly ResourceChange[];
  /** The fleets of undeclared resources, if the state does not record these fleets and the plan found them. */
  readonly foundFleets?: ReadonlyMap<string, FleetRecord>;
  /** The prior state after moves, from which apply starts. */
  readonly movedState: State | undefined;
}

/** The data of a stored object that do not come from the provider. */
interface InstanceMetadata {
  readonly key: InstanceKey;
  readonly sensitive: readonly AttributePath[];
  /** Addresses of the resources and data sources that the object depends on. */
  readonly dependencies: readonly string[];
  readonly tainted?: boolean;
  readonly createBeforeDestroy?: boolean;
}

/** Returns an object in the form that the state stores. */
export const stateInstance = (
  state: StoredState,
  schema: ResourceSchema,
  { key, sensitive, dependencies, tainted, createBeforeDestroy }: InstanceMetadata,
): InstanceState => ({
  schemaVersion: schema.version,
  sensitivePaths: sensitiveToState(sensitive, schema.attributes),
  dependencies: [...dependencies],
  // The common fields of all objects come first, because V8 is slow to add a field after a spread.
  ...storedValues(state, schema),
  ...(key !== undefined && { indexKey: key }),
  ...(tainted && { status: "tainted" }),
  ...(createBeforeDestroy && { createBeforeDestroy: true }),
});

/** Returns the data of a stored object that come from the provider. */
export const storedValues = (
  { attributes, private: bytes, identity: values }: StoredState,
  { identity: schema }: ResourceSchema,
): Pick<InstanceState, "attributes" | "private" | "identity"> => ({
  attributes: attributes as InstanceState["attributes"],
  ...(bytes !== undefined && { private: bytes }),
  ...(values && schema && { identity: { version: schema.version, values: values as JsonObject } }),
});

/** Returns the properties that identify the resource of a step in the state, and the record of its fleet. */
export function resourceIdentity(
  { context: { configuration } }: Pick<StackRun, "context">,
  { change: { mode, type, name, provider: source, indexKey }, provider, declared }: Step,
): ResourceIdentity {
  const fleet = declared && fleetRecord(configuration, declared.declaration, [indexKey]);
  return {
    mode,
    type,
    name,
    provider: providerAddress(source, provider),
    ...(fleet !== undefined && { fleet }),
  };
}

export const schemaOf = (run: StackRun, { change: { mode, type }, provider }: Step): ResourceSchema =>
  run.schema({ mode, type, provider });

/** Returns the schema of an object in a state. */
function schemaOfObject(
  run: StackRun,
  { resource, instance, provider, isForeign }: StateObject,
): ResourceSchema {
  if (isForeign) return { version: instance.schemaVersion, attributes: {}, description: "" };
  return run.schema({ mode: resource.mode, type: resource.type, provider });
}

/** Stores in the state the values of objects that were read. Removes objects that no longer exist. */
export function storeFound(run: StackRun, editor: StateEditor, found: ExecutablePlan["drifted"]): void {
  for (const { object, live } of found) {
    if (live === undefined) editor.remove(resourceAddress(object.resource), nameOf(object));
    else
      editor.put(object.resource, { ...object.instance, ...storedValues(live, schemaOfObject(run, object)) });
  }
}

const NONE: readonly AttributePath[] = [];

/** The action of a change, and the values before and after it. */
interface Difference
  extends Pick<ResourceChange, "action">,
    Partial<Pick<ResourceChange, "beforeSensitive" | "afterSensitive" | "replacePaths">> {
  readonly before: StoredState | undefined;
  readonly after: StoredState;
}

/** The values for an object without a declaration: no construct and no position. */
const NOT_DECLARED: Partial<Pick<ResourceDeclaration, "construct" | "position">> = {};

/** Returns the fields of a change that describe an object of the state, except the values of the object. */
export function objectMetadata(run: StackRun, object: StateObject): ChangeMetadata {
  const { address, resource, instance, provider } = object;
  const { construct, position } =
    run.context.configuration.resources.get(resourceAddress(resource)) ?? NOT_DECLARED;
  const { attributes } = schemaOfObject(run, object);
  const sensitive = sensitivePathsOf(instance, attributes);
  const metadata = {
    address,
    mode: "managed" as const,
    type: resource.type,
    name: resource.name,
    ...(instance.indexKey !== undefined && { indexKey: instance.indexKey }),
    ...previousAddressOf(run, address),
    ...(instance.deposed !== undefined && { deposed: instance.deposed }),
    provider: object.isForeign ? sourceOf(resource) : run.source(provider),
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

/** Returns an object of the state with its stored values. */
export const storedObject = (run: StackRun, object: StateObject): StoredObject => ({
  ...objectMetadata(run, object),
  before: object.instance.attributes as ValueObject,
});

/** Returns the difference between the state and the service as a change. */
export function observedChange(
  run: StackRun,
  { object, before: { attributes: before }, live }: Refreshed,
): ResourceChange {
  const metadata = objectMetadata(run, object);
  const after = live?.attributes ?? null;
  const isSame = after !== null && isSameObject(metadata.attributes, before, after);
  const actionOfLive = isSame ? "no-op" : "update";
  return { ...metadata, action: after === null ? "delete" : actionOfLive, before, after };
}

/** Returns whether the live object equals the stored object. */
export const isAsStored = (run: StackRun, { object, before, live }: Refreshed): boolean =>
  live !== undefined &&
  (live.attributes === before.attributes ||
    isSameObject(schemaOfObject(run, object).attributes, before.attributes, live.attributes));

/**
 * Returns the change of a declared instance. The function runs for every object, so it uses assignments, which are faster here
 * than spreads.
 */
export function changeOf(
  run: StackRun,
  declaration: ResourceDeclaration,
  { address, key }: Instance,
  { action, before, after, beforeSensitive = NONE, afterSensitive = NONE, replacePaths = NONE }: Difference,
): { -readonly [K in keyof ResourceChange]: ResourceChange[K] } {
  const { mode, type, name, provider, construct, position } = declaration;
  const metadata: { -readonly [K in keyof ResourceChange]: ResourceChange[K] } = {
    address,
    mode,
    type,
    name,
    provider: run.source(provider),
    beforeSensitive,
    afterSensitive,
    replacePaths,
    attributes: run.schema(declaration).attributes,
    action,
    before: before?.attributes ?? null,
    after: after.attributes,
  };
  if (before?.identity !== undefined) metadata.beforeIdentity = before.identity;
  if (after.identity !== undefined) metadata.afterIdentity = after.identity;
  if (key !== undefined) metadata.indexKey = key;
  const previousAddress = run.previousAddresses.get(address);
  if (previousAddress !== undefined) metadata.previousAddress = previousAddress;
  if (construct !== undefined) metadata.construct = construct;
  if (position !== undefined) metadata.position = position;
  return metadata;
}

function previousAddressOf(run: StackRun, address: string): { previousAddress?: string } {
  const previousAddress = run.previousAddresses.get(address);
  return previousAddress === undefined ? {} : { previousAddress };
}

type IndexKey = ResourceState["instances"][number]["indexKey"];

/**
 * Returns whether a key has the form of a fleet's key in older releases. In older releases, a key was the id or
 * position of a member, optionally followed by the key of a part.
 */
export const isMemberKey = (key: IndexKey): boolean => typeof key === "string" && /^\d+(?::|$)/.test(key);

/**
 * Returns the record of a declared resource's fleet for the state. Null records that a `for_each` resource belongs to
 * no fleet. The result is null only if the configuration has fleets, or if the keys look like keys of a fleet. If the
 * result is undefined, the state records nothing.
 */
export function fleetRecord(
  { fleets }: Pick<Configuration, "fleets">,
  { mode, fleet: members, fleetPart, type, forEach }: ResourceDeclaration,
  keys: readonly IndexKey[] = [],
): FleetRecord | null | undefined {
  const fleet = members === undefined ? undefined : fleets.get(members);
  if (fleet !== undefined) return { path: fleet.path, part: fleetPart ?? type, onLeave: fleet.onLeave };
  if (mode !== "managed" || forEach === undefined) return undefined;
  return fleets.size > 0 || keys.some(isMemberKey) ? null : undefined;
}
