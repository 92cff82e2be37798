import { instanceAddress, resourceAddress } from "../state/address";
import {
  emptyState,
  type InstanceState,
  type OutputState,
  type ResourceState,
  type State,
} from "../state/model";

type Named = Pick<ResourceState, "mode" | "type" | "name" | "provider">;

/** A state while it is changed, object by object. Snapshots of it are what is saved. */
export class StateEditor {
  readonly #base: State;
  readonly #resources = new Map<
    string,
    { readonly resource: ResourceState; readonly instances: Map<string, InstanceState> }
  >();
  readonly #outputs: Map<string, OutputState>;

  constructor(prior: State | undefined) {
    this.#base = prior ?? emptyState();
    this.#outputs = new Map(Object.entries(this.#base.outputs));
    for (const resource of this.#base.resources) {
      const instances = resource.instances.map((one): [string, InstanceState] => [
        instanceAddress(resource, one),
        one,
      ]);
      this.#resources.set(resourceAddress(resource), { resource, instances: new Map(instances) });
    }
  }

  /** The instances of a resource, in the order of their keys. */
  instances(resource: string): InstanceState[] {
    const all = [...(this.#resources.get(resource)?.instances.values() ?? [])];
    return all.sort(({ indexKey: one = "" }, { indexKey: other = "" }) =>
      typeof one === "number" && typeof other === "number"
        ? one - other
        : String(one) < String(other)
          ? -1
          : 1,
    );
  }

  /** All instances of one type of managed resource. */
  ofType(type: string): InstanceState[] {
    return [...this.#resources.values()]
      .filter(({ resource }) => resource.mode === "managed" && resource.type === type)
      .flatMap(({ instances }) => [...instances.values()]);
  }

  put(named: Named, instance: InstanceState): void {
    const address = resourceAddress(named);
    const known = this.#resources.get(address);
    const entry = known ?? {
      resource: { ...named, instances: [] },
      instances: new Map<string, InstanceState>(),
    };
    // A resource may have been handed to another provider configuration.
    const resource = { ...entry.resource, provider: named.provider };
    this.#resources.set(address, { resource, instances: entry.instances });
    entry.instances.set(instanceAddress(named, instance), instance);
  }

  remove(resource: string, address: string): void {
    const entry = this.#resources.get(resource);
    entry?.instances.delete(address);
    if (entry?.instances.size === 0) this.#resources.delete(resource);
  }

  get lineage(): string {
    return this.#base.lineage;
  }

  get isEmpty(): boolean {
    return this.#resources.size === 0 && this.#outputs.size === 0;
  }

  /** Drops all resources that are not wanted any more. */
  removeResources(unwanted: (resource: ResourceState, address: string) => boolean): void {
    for (const [address, { resource }] of this.#resources)
      if (unwanted(resource, address)) this.#resources.delete(address);
  }

  setOutput(name: string, output: OutputState | undefined): void {
    if (output === undefined) this.#outputs.delete(name);
    else this.#outputs.set(name, output);
  }

  snapshot(): State {
    return {
      ...this.#base,
      outputs: Object.fromEntries(this.#outputs),
      resources: [...this.#resources.values()].map(({ resource, instances }) => ({
        ...resource,
        instances: [...instances.values()],
      })),
    };
  }
}
