import { fail } from "../../diagnostics";
import { instanceAddress, type ResourceAddress, resourceAddress, type StateAddress } from "../../language";
import type { InstanceState, ResourceState, State } from "./model";
import { type InstanceMove, Relocator } from "./relocator";
import { addressesOf, type FoundInstance, notInState, readAddress, selectInstances } from "./select";

/**
 * Removes objects from a state. The objects stay on the service.
 *
 * @returns the state without the objects, and the unique addresses of the instances
 * @throws DiagnosticError `state_address_invalid`, `state_object_not_found`
 */
export function removeFromState(state: State, addresses: readonly string[]) {
  const found = addresses.flatMap((address) => {
    const selected = selectInstances(state, readAddress(address));
    return selected.length === 0 ? notInState(address, [state]) : selected;
  });
  return { state: withoutInstances(state, found), removed: addressesOf(found) };
}

/** Returns a state without these instances. */
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
 * Returns a state with only the selected objects, and without outputs.
 *
 * @throws DiagnosticError `state_address_invalid`, `state_object_not_found`
 */
export function selectFromState(state: State, addresses: readonly string[]): State {
  const { state: rest } = removeFromState(state, addresses);
  const left = new Set(selectInstances(rest).map(({ instance }) => instance));
  const others = selectInstances(state).filter(({ instance }) => left.has(instance));
  return { ...withoutInstances(state, others), outputs: {} };
}

/** A state after a move. */
export interface Move {
  readonly state: State;
  /** The address of each moved instance, before and after the move. */
  readonly moved: readonly (readonly [from: string, to: string])[];
}

/**
 * Moves a module, a resource with all its instances, or one instance to another address. If a whole resource moves,
 * dependencies on this resource get the new address.
 *
 * @throws DiagnosticError `state_address_invalid`, `state_object_not_found`, `state_move_refused`
 */
export function moveInState(state: State, from: string, to: string): Move {
  const { request, found, moving } = selectMoving(state, from, to);
  const hasMoves = moving.some(
    ({ resource, instance, to: place }) =>
      instanceAddress(resource, instance) !== instanceAddress(place, place),
  );
  if (!hasMoves) moveRefused(request, "both are the same address of the same state");
  requireFree(withoutInstances(state, found), moving, request);
  return { state: relocate(state, moving), moved: movedAddresses(moving) };
}

/**
 * Returns the addresses before and after a move to another state, for each instance that would move. Changes no state.
 *
 * @throws DiagnosticError like `moveInState`
 */
export function movesBetween(
  source: State,
  target: State,
  [from, to]: readonly [from: string, to: string],
): Move["moved"] {
  const { request, moving } = selectMoving(source, from, to);
  requireFree(target, moving, request);
  return movedAddresses(moving);
}

function selectMoving(state: State, from: string, to: string) {
  const request: Request = { from, to, source: readAddress(from), target: readAddress(to) };
  const found = selectInstances(state, request.source);
  if (found.length === 0) notInState(from, [state]);
  return {
    request,
    found,
    moving: found.map((one): InstanceMove => ({ ...one, to: destination(one, request) })),
  };
}

const movedAddresses = (moving: readonly InstanceMove[]): Move["moved"] => [
  ...new Map(
    moving.map(({ resource, instance, to }): [string, string] => [
      instanceAddress(resource, instance),
      instanceAddress(to, to),
    ]),
  ),
];

/** Returns a state with instances at their new addresses, see `Relocator`. */
export function relocate(state: State, moving: readonly InstanceMove[]): State {
  const relocator = new Relocator(state);
  relocator.move(moving);
  return relocator.result();
}

interface Request {
  readonly from: string;
  readonly to: string;
  readonly source: StateAddress;
  readonly target: StateAddress;
}

/** Returns whether complete resources move, with all their instances. */
const isWhole = ({ source, target }: Request): boolean =>
  source.type === undefined ||
  target.type === undefined ||
  (source.indexKey === undefined && target.indexKey === undefined);

function destination({ resource, instance }: FoundInstance, request: Request): ResourceAddress {
  const { source, target, from } = request;
  if (source.type === undefined || target.type === undefined) {
    if (source.type !== target.type) moveRefused(request, "a module can only be moved to a module");
    const { mode, type, name, module = "" } = resource;
    const inner = module.slice(source.module!.length);
    return { mode, type, name, module: `${target.module}${inner}`, ...keyOf(instance) };
  }
  if (source.mode !== target.mode || source.type !== target.type) {
    moveRefused(request, "an object can only be moved to an address of the same type");
  }
  if (isWhole(request)) return { ...target, ...keyOf(instance) };
  if (source.indexKey === undefined && instance.indexKey !== undefined) {
    moveRefused(request, `${from} has several instances; name one of them with its key`);
  }
  return target;
}

const keyOf = ({ indexKey }: InstanceState): Pick<InstanceState, "indexKey"> =>
  indexKey === undefined ? {} : { indexKey };

/**
 * Refuses a move to an occupied address, or to an address of a resource that another provider manages.
 *
 * @param request the request of the user, whose addresses the error contains; without it, the error contains the addresses of
 * the instance
 */
function requireFree({ resources }: State, moving: readonly InstanceMove[], request?: Request): void {
  const there = new Map(
    resources.map((resource) => [
      resourceAddress(resource),
      { ...resource, keys: new Set(resource.instances.map(({ indexKey }) => indexKey)) },
    ]),
  );
  for (const { resource, instance, to, replacement } of moving) {
    const other = there.get(resourceAddress(to));
    if (other === undefined) continue;
    const named = request ?? { from: instanceAddress(resource, instance), to: instanceAddress(to, to) };
    if (other.keys.has(to.indexKey))
      moveRefused(
        named,
        named.from === named.to
          ? "the target state already contains an object with this address"
          : `${instanceAddress(to, to)} already exists`,
      );
    if (request !== undefined && isWhole(request))
      moveRefused(named, `${resourceAddress(to)} already exists`);
    if (other.provider !== (replacement?.provider ?? resource.provider))
      moveRefused(named, `${resourceAddress(to)} is managed by ${other.provider}`);
  }
}

function moveRefused({ from, to }: Pick<Request, "from" | "to">, why: string): never {
  return fail({
    code: "state_move_refused",
    summary: "Move refused",
    detail: `${from} can't be moved to ${to}: ${why}. Nothing was changed. Use another target address.`,
  });
}

/**
 * Moves objects, with their deposed objects, from one state to another state. Dependencies on moved objects get the new
 * addresses. Dependencies on objects that the target state does not contain are removed.
 *
 * @param moves the new address of each instance, by its current address
 * @param providerOf returns the provider's address at the new location
 * @throws DiagnosticError `state_move_refused`
 */
export function moveBetween(
  source: State,
  target: State,
  moves: ReadonlyMap<string, string>,
  providerOf: (to: ResourceAddress, provider: string) => string = (_to, provider) => provider,
) {
  const found = selectInstances(source).flatMap((one): InstanceMove[] => {
    const to = moves.get(instanceAddress(one.resource, one.instance));
    return to === undefined ? [] : [{ ...one, to: readAddress(to) as ResourceAddress }];
  });
  const names = new Map(found.map(({ resource, to }) => [resourceAddress(resource), resourceAddress(to)]));
  const known = new Set([...target.resources.map(resourceAddress), ...names.values()]);
  const arriving = found.map((one): InstanceMove => {
    const dependencies = one.instance.dependencies
      .map((address) => names.get(address) ?? address)
      .filter((address) => known.has(address));
    const instance: InstanceState = { ...one.instance, dependencies };
    return { ...one, replacement: { provider: providerOf(one.to, one.resource.provider), instance } };
  });
  requireFree(target, arriving);
  const relocator = new Relocator(target);
  relocator.add(arriving);
  return { source: withoutInstances(source, found), target: relocator.result() };
}

/** The names of the stacks between which objects move. */
export interface Stacks {
  readonly from: string;
  readonly to: string;
}

/** The reference to a provider in a state: `module.web.provider["SOURCE"].ALIAS`. */
const PROVIDER_REFERENCE = /^((?:module\..+\.)?provider\[")([^"]+)("\](?:\..+)?)$/;

/**
 * Changes the source address of a provider.
 *
 * @param from current source address; without a host, the address in Terraform's registry
 * @returns the state, and the unique addresses of the changed objects
 * @throws DiagnosticError `provider_source_invalid`
 */
export function replaceProvider(state: State, from: string, to: string) {
  const [current, next] = [readSource(from), readSource(to)];
  const isConcerned = ({ provider }: ResourceState) => PROVIDER_REFERENCE.exec(provider)?.[2] === current;
  const resources = state.resources.map((resource) =>
    isConcerned(resource)
      ? { ...resource, provider: resource.provider.replace(PROVIDER_REFERENCE, `$1${next}$3`) }
      : resource,
  );
  const found = selectInstances({ ...state, resources: state.resources.filter(isConcerned) });
  return { state: { ...state, resources }, replaced: addressesOf(found) };
}

const SOURCE_PART = /^[0-9A-Za-z](?:[0-9A-Za-z_.:-]*[0-9A-Za-z])?$/;

/** Returns the full source address: `registry.terraform.io/NAMESPACE/TYPE` for a short address. */
function readSource(text: string): string {
  const parts = text.split("/");
  const isValid = parts.length <= 3 && parts.every((part) => SOURCE_PART.test(part));
  if (!isValid)
    fail({
      code: "provider_source_invalid",
      summary: "Invalid provider source address",
      detail: `"${text}" is not a source address, such as registry.example.com/steward/steward. Correct it.`,
    });
  return ["registry.terraform.io", "hashicorp"]
    .slice(0, 3 - parts.length)
    .concat(parts)
    .join("/")
    .toLowerCase();
}
