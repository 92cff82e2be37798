import { type ResourceAddress, resourceAddress } from "../../language";
import { once } from "../../schema";
import type { InstanceState, ResourceState, State } from "./model";
import type { FoundInstance } from "./select";

/** An instance with its new address. */
export interface InstanceMove extends FoundInstance {
  readonly to: ResourceAddress;
  /** The content of the instance at the new address, if the type differs there. */
  readonly replacement?: { readonly provider: string; readonly instance: InstanceState };
}

/** A resource, with the current and the deposed objects of each instance. */
interface Entry {
  readonly resource: ResourceState;
  readonly byKey: Map<InstanceState["indexKey"], Set<InstanceState>>;
}

/**
 * A state in which instances move to other addresses, one group after the other. The cost of a move depends on the
 * moved instances, not on the size of the state.
 */
export class Relocator {
  readonly #entries = new Map<string, Entry>();
  /** The original addresses of the resources that moved completely, by their new address. */
  readonly #origins = new Map<string, readonly string[]>();

  constructor(private readonly state: State) {
    for (const resource of state.resources) {
      const entry = { resource, byKey: new Map() };
      this.#entries.set(resourceAddress(resource), entry);
      for (const instance of resource.instances) addInstance(entry, instance);
    }
  }

  has(resource: string): boolean {
    return this.#entries.has(resource);
  }

  /** Returns the objects of a resource, or of its instance with one key. Deposed objects are included. */
  instances(resource: string, only?: { readonly key: InstanceState["indexKey"] }): FoundInstance[] {
    const entry = this.#entries.get(resource);
    if (entry === undefined) return [];
    const instances = only === undefined ? instancesOf(entry) : (entry.byKey.get(only.key) ?? []);
    return [...instances].map((instance) => ({ resource: entry.resource, instance }));
  }

  /**
   * Moves several instances at once, so that two instances can exchange their addresses. If a resource moves
   * completely, all dependencies on this resource contain its new address in `result`.
   */
  move(moving: readonly InstanceMove[]): void {
    this.#remove(moving);
    const moved = new Map<string, string>();
    for (const { resource, to } of moving) {
      const before = resourceAddress(resource);
      if (!this.#entries.has(before)) moved.set(before, resourceAddress(to));
    }
    const arriving = [...moved].map(([from, to]) => [to, this.#origins.get(from) ?? [from]] as const);
    for (const from of moved.keys()) this.#origins.delete(from);
    for (const [to, origins] of arriving) {
      const present = this.#origins.get(to) ?? (this.#entries.has(to) ? [to] : []);
      this.#origins.set(to, [...present, ...origins]);
    }
    this.add(moving);
  }

  /** Adds instances at their new addresses. */
  add(moving: readonly InstanceMove[]): void {
    for (const { resource, instance, to, replacement } of moving) {
      const { indexKey: _before, ...unkeyed } = replacement?.instance ?? instance;
      const { indexKey, mode, type, name, module } = to;
      const address = resourceAddress(to);
      let entry = this.#entries.get(address);
      if (entry === undefined) {
        const { module: _module, ...rest } = resource;
        const provider = replacement?.provider ?? resource.provider;
        const named = { ...rest, provider, mode, type, name, ...(module !== undefined && { module }) };
        entry = { resource: { ...named, instances: [] }, byKey: new Map() };
        this.#entries.set(address, entry);
      }
      addInstance(entry, indexKey === undefined ? unkeyed : { ...unkeyed, indexKey });
    }
  }

  result(): State {
    const now = new Map([...this.#origins].flatMap(([to, origins]) => origins.map((one) => [one, to])));
    const resources = [...this.#entries.values()].map((entry) => ({
      ...entry.resource,
      instances: instancesOf(entry).map((instance) =>
        instance.dependencies.some((address) => now.has(address))
          ? { ...instance, dependencies: instance.dependencies.map((one) => now.get(one) ?? one) }
          : instance,
      ),
    }));
    return { ...this.state, resources };
  }

  #remove(moving: readonly InstanceMove[]): void {
    for (const { resource, instance } of moving) {
      const address = resourceAddress(resource);
      const entry = this.#entries.get(address);
      const objects = entry?.byKey.get(instance.indexKey);
      if (!objects?.delete(instance) || objects.size > 0) continue;
      entry!.byKey.delete(instance.indexKey);
      if (entry!.byKey.size === 0) this.#entries.delete(address);
    }
  }
}

const instancesOf = ({ byKey }: Entry): InstanceState[] => [...byKey.values()].flatMap((all) => [...all]);

const addInstance = ({ byKey }: Entry, instance: InstanceState): void =>
  void once(byKey, instance.indexKey, () => new Set()).add(instance);
