import { fail, hintFor, LIST_OBJECTS } from "../../diagnostics";
import {
  instanceAddress,
  moduleChain,
  parseAddress,
  resourceAddress,
  type StateAddress,
} from "../../language";
import { groupBy, memoize } from "../../schema";
import { wildcard } from "../../text";
import {
  compareInstances,
  compareResources,
  type InstanceState,
  type ResourceState,
  type State,
  sorted,
} from "./model";

/** An instance with its resource. */
export interface FoundInstance {
  readonly resource: ResourceState;
  readonly instance: InstanceState;
}

/**
 * Parses an address from the command line.
 *
 * @throws DiagnosticError `state_address_invalid`
 */
export function readAddress(text: string): StateAddress {
  return (
    parseAddress(text) ??
    fail({
      code: "state_address_invalid",
      summary: "Invalid address",
      detail: `"${text}" is not the address of a resource, an instance or a module. Write TYPE.NAME or 'TYPE.NAME["KEY"]' (quoted for the shell). This command lists the addresses in the state.`,
      action: { kind: "list" },
    })
  );
}

/**
 * Returns the resources of a list by their address. The result is cached, because commands look up many addresses of one state.
 */
const resourcesByAddress = memoize((resources: readonly ResourceState[]) =>
  groupBy(resources, resourceAddress),
);

/**
 * Returns whether an address selects this instance: it is the address of the instance, its resource, or a module that contains
 * it.
 */
function isSelected(address: StateAddress, resource: ResourceState, instance: InstanceState): boolean {
  if (address.type === undefined) return isWithin(address.module, resource.module);
  return address.indexKey === undefined || address.indexKey === instance.indexKey;
}

/** Returns whether a resource's module is the given module, or a module within it. */
const isWithin = (module: string, inner: string | undefined): boolean =>
  inner === module || inner?.startsWith(`${module}.`) === true;

/**
 * Returns the instances that an address selects, in the order of the state. Without an address, returns all instances. Deposed
 * objects are included.
 */
export function selectInstances(state: State, address?: StateAddress): FoundInstance[] {
  const resources =
    address?.type === undefined
      ? sorted(state.resources, compareResources)
      : (resourcesByAddress(state.resources).get(resourceAddress(address)) ?? []);
  return resources.flatMap((resource) =>
    sorted(resource.instances, compareInstances)
      .filter((instance) => address === undefined || isSelected(address, resource, instance))
      .map((instance) => ({ resource, instance })),
  );
}

/** Returns the unique addresses of instances. A deposed object has the address of its instance. */
export const addressesOf = (found: readonly FoundInstance[]): string[] => [
  ...new Set(found.map(({ resource, instance }) => instanceAddress(resource, instance))),
];

/** Throws the error for an address without objects in these states. @throws DiagnosticError `state_object_not_found` */
export function notInState(address: string, states: readonly State[]): never {
  const known = states.flatMap((state) => addressesOf(selectInstances(state)));
  const { hint, action } = hintFor(address, known, LIST_OBJECTS);
  return fail({
    code: "state_object_not_found",
    summary: "Not in the state",
    detail: `The state has no object at ${address}. ${hint}`,
    ...(action !== undefined && { action }),
  });
}

/**
 * Returns a function that checks whether the address of an instance matches one of the patterns. `*` matches any text. A
 * pattern that matches the resource or one of its modules also selects the instance.
 */
export function addressMatcher(
  patterns: readonly string[],
): (found: Pick<FoundInstance, "resource" | "instance">) => boolean {
  const expressions = patterns.map((pattern) => wildcard(pattern));
  return ({ resource, instance }) => {
    const { module } = resource;
    const names = [
      instanceAddress(resource, instance),
      resourceAddress(resource),
      ...(module === undefined ? [] : (moduleChain(module) ?? [module])),
    ];
    return expressions.some((expression) => names.some((name) => expression.test(name)));
  };
}
