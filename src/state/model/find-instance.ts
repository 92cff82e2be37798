import { instanceAddress, resourceAddress } from "../../language";
import type { InstanceState, ResourceState, State } from "./model";

/** An instance with its resource. */
export interface FoundInstance {
  readonly resource: ResourceState;
  readonly instance: InstanceState;
}

/** All current instances by address, for many look-ups. Deposed objects are omitted. */
export function instancesByAddress(state: State): Map<string, FoundInstance> {
  const found = new Map<string, FoundInstance>();
  for (const resource of state.resources) {
    for (const instance of resource.instances) {
      if (instance.deposed === undefined)
        found.set(instanceAddress(resource, instance), { resource, instance });
    }
  }
  return found;
}

/** A resource by its address without instance key. */
export function findResource(state: State, address: string): ResourceState | undefined {
  return state.resources.find((resource) => resourceAddress(resource) === address);
}

/** A current instance by its address. */
export function findInstance(state: State, address: string): FoundInstance | undefined {
  for (const resource of state.resources) {
    if (!address.startsWith(resourceAddress(resource))) continue;
    const instance = resource.instances.find(
      (one) => one.deposed === undefined && instanceAddress(resource, one) === address,
    );
    if (instance !== undefined) return { resource, instance };
  }
  return undefined;
}
