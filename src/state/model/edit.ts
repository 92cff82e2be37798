import { fail } from "../../diagnostics";
import { instanceAddress, type ResourceAddress, resourceAddress, type StateAddress } from "../../language";
import type { FoundInstance } from "./find-instance";
import type { InstanceState, ResourceState, State } from "./model";
import { notInState, readAddress, selectInstances } from "./select";

/** A state without some of its objects. The objects themselves stay as they are. */
export interface Removal {
  readonly state: State;
  /** Addresses of the instances, each once. */
  readonly removed: readonly string[];
}

/**
 * Takes objects out of a state.
 *
 * @throws DiagnosticError `state_address_invalid`, `state_object_not_found`
 */
export function removeFromState(state: State, addresses: readonly string[]): Removal {
  const found = addresses.flatMap((address) => {
    const selected = selectInstances(state, readAddress(address));
    return selected.length === 0 ? notInState(address) : selected;
  });
  return { state: withoutInstances(state, found), removed: addressesOf(found) };
}

/** The addresses of instances, each once: a deposed object shares that of its instance. */
export const addressesOf = (found: readonly FoundInstance[]): string[] => [
  ...new Set(found.map(({ resource, instance }) => instanceAddress(resource, instance))),
];

/** A state without these of its instances. */
export function withoutInstances(state: State, found: readonly FoundInstance[]): State {
  const gone = new Set(found.map(({ instance }) => instance));
  const resources = state.resources
    .map((resource) => ({
      ...resource,
      instances: resource.instances.filter((instance) => !gone.has(instance)),
    }))
    .filter(({ instances }, at) => instances.length > 0 || state.resources[at]!.instances.length === 0);
  return { ...state, resources };
}

/**
 * A state with some of its objects alone, and without outputs.
 *
 * @throws DiagnosticError `state_address_invalid`, `state_object_not_found`
 */
export function pickFromState(state: State, addresses: readonly string[]): State {
  const { state: rest } = removeFromState(state, addresses);
  const left = new Set(selectInstances(rest).map(({ instance }) => instance));
  const others = selectInstances(state).filter(({ instance }) => left.has(instance));
  return { ...withoutInstances(state, others), outputs: {} };
}

/** A state in which objects have other addresses. */
export interface Move {
  readonly state: State;
  /** Each instance's address before and after. */
  readonly moved: readonly (readonly [from: string, to: string])[];
}

/** One instance with its new place. */
export interface Moving extends FoundInstance {
  readonly to: ResourceAddress;
  /** What it is at the new place, where its type is another there. */
  readonly becomes?: { readonly provider: string; readonly instance: InstanceState };
}

/**
 * Gives objects of a state other addresses: a module's, a resource's with all its instances, or one instance's. What
 * depends on a resource that moved as a whole depends on it at its new address.
 *
 * @throws DiagnosticError `state_address_invalid`, `state_object_not_found`, `state_move_refused`
 */
export function moveInState(state: State, from: string, to: string): Move {
  const { request, found, moving } = selectMoving(state, from, to);
  const moves = moving.some(
    ({ resource, instance, to: place }) =>
      instanceAddress(resource, instance) !== instanceAddress(place, place),
  );
  if (!moves) refuseMove(request, "that is where it is");
  refuseTaken(withoutInstances(state, found), moving, request);
  return { state: relocate(state, moving), moved: movedAddresses(moving) };
}

/** Two states between which objects went from one to the other. */
export interface MoveBetween {
  readonly source: State;
  readonly target: State;
  /** Each instance's address before and after. */
  readonly moved: Move["moved"];
}

/**
 * Takes objects out of one state and puts them into another, at the same addresses or at others. What they depended on
 * is forgotten where the other state does not have it.
 *
 * @param providerOf the provider's address at the new place.
 * @throws DiagnosticError as `moveInState` does
 */
export function moveBetween(
  source: State,
  target: State,
  [from, to]: readonly [from: string, to: string],
  providerOf: (to: ResourceAddress, provider: string) => string = (_to, provider) => provider,
): MoveBetween {
  const { request, found, moving } = selectMoving(source, from, to);
  const names = new Map(moving.map((one) => [resourceAddress(one.resource), resourceAddress(one.to)]));
  const known = new Set([...target.resources.map(resourceAddress), ...names.values()]);
  const arriving = moving.map((one): Moving => {
    const dependencies = one.instance.dependencies
      .map((address) => names.get(address) ?? address)
      .filter((address) => known.has(address));
    const instance = { ...one.instance, dependencies };
    return { ...one, becomes: { provider: providerOf(one.to, one.resource.provider), instance } };
  });
  refuseTaken(target, arriving, request);
  return {
    source: withoutInstances(source, found),
    target: { ...target, resources: arriving.reduce(placed, target.resources) },
    moved: movedAddresses(moving),
  };
}

function selectMoving(state: State, from: string, to: string) {
  const request: Request = { from, to, source: readAddress(from), target: readAddress(to) };
  const found = selectInstances(state, request.source);
  if (found.length === 0) notInState(from);
  return { request, found, moving: found.map((one): Moving => ({ ...one, to: destination(one, request) })) };
}

const movedAddresses = (moving: readonly Moving[]): Move["moved"] => [
  ...new Map(
    moving.map(({ resource, instance, to }): [string, string] => [
      instanceAddress(resource, instance),
      instanceAddress(to, to),
    ]),
  ),
];

/**
 * A state in which instances stand at their new places. What depends on a resource of which nothing is left where it
 * was depends on it at its new address.
 */
export function relocate(state: State, moving: readonly Moving[]): State {
  const rest = withoutInstances(state, moving);
  const resources = moving.reduce(placed, rest.resources);
  return { ...rest, resources: withDependencies(resources, renamed(rest, moving)) };
}

interface Request {
  readonly from: string;
  readonly to: string;
  readonly source: StateAddress;
  readonly target: StateAddress;
}

/** Whether whole resources move, with all instances that they have. */
const isWhole = ({ source, target }: Request): boolean =>
  source.type === undefined ||
  target.type === undefined ||
  (source.indexKey === undefined && target.indexKey === undefined);

function destination({ resource, instance }: FoundInstance, request: Request): ResourceAddress {
  const { source, target, from } = request;
  if (source.type === undefined || target.type === undefined) {
    if (source.type !== target.type) refuseMove(request, "a module can be moved to a module alone");
    const { mode, type, name, module = "" } = resource;
    const inner = module.slice(source.module!.length);
    return { mode, type, name, module: `${target.module}${inner}`, ...keyOf(instance) };
  }
  if (source.mode !== target.mode || source.type !== target.type) {
    refuseMove(request, "an object can be moved to an address of its own type alone");
  }
  if (isWhole(request)) return { ...target, ...keyOf(instance) };
  if (source.indexKey === undefined && instance.indexKey !== undefined) {
    refuseMove(request, `${from} has several instances; name the one to move, with its key`);
  }
  return target;
}

const keyOf = ({ indexKey }: InstanceState): Pick<InstanceState, "indexKey"> =>
  indexKey === undefined ? {} : { indexKey };

function refuseTaken(rest: State, moving: readonly Moving[], request: Request): void {
  const others = new Map(rest.resources.map((resource) => [resourceAddress(resource), resource]));
  for (const { resource, to, becomes } of moving) {
    const other = others.get(resourceAddress(to));
    if (other === undefined) continue;
    const isTaken = other.instances.some(({ indexKey }) => indexKey === to.indexKey);
    if (isTaken) refuseMove(request, `there is an object at ${instanceAddress(to, to)} already`);
    if (isWhole(request)) refuseMove(request, `there are objects at ${resourceAddress(to)} already`);
    if (other.provider !== (becomes?.provider ?? resource.provider)) {
      refuseMove(request, `${resourceAddress(to)} is managed by ${other.provider}`);
    }
  }
}

function refuseMove({ from, to }: Request, why: string): never {
  return fail({
    code: "state_move_refused",
    summary: "Can't be moved",
    detail: `${from} can't be moved to ${to}: ${why}. Nothing was changed.`,
  });
}

/** The resources with one instance more. */
function placed(resources: ResourceState[], moving: Moving): ResourceState[] {
  const { resource, instance, to, becomes } = moving;
  const { indexKey: _before, ...unkeyed } = becomes?.instance ?? instance;
  const { indexKey, mode, type, name, module } = to;
  const moved = indexKey === undefined ? unkeyed : { ...unkeyed, indexKey };
  const address = resourceAddress(to);
  const known = resources.find((one) => resourceAddress(one) === address);
  if (known !== undefined) {
    const grown = { ...known, instances: [...known.instances, moved] };
    return resources.map((one) => (one === known ? grown : one));
  }
  const { module: _module, ...rest } = resource;
  const provider = becomes?.provider ?? resource.provider;
  return [
    ...resources,
    { ...rest, provider, mode, type, name, ...(module !== undefined && { module }), instances: [moved] },
  ];
}

/** New addresses of the resources of which nothing is left where they were. */
function renamed(rest: State, moving: readonly Moving[]): Map<string, string> {
  const left = new Set(rest.resources.map(resourceAddress));
  return new Map(
    moving
      .map(({ resource, to }): [string, string] => [resourceAddress(resource), resourceAddress(to)])
      .filter(([before]) => !left.has(before)),
  );
}

function withDependencies(resources: ResourceState[], names: ReadonlyMap<string, string>): ResourceState[] {
  const after = (address: string): string => names.get(address) ?? address;
  return resources.map((resource) => ({
    ...resource,
    instances: resource.instances.map((instance) =>
      instance.dependencies.some((address) => names.has(address))
        ? { ...instance, dependencies: instance.dependencies.map(after) }
        : instance,
    ),
  }));
}
