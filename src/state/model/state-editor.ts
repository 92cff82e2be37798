import { randomBytes } from "node:crypto";
import { instanceAddress, objectName, resourceAddress } from "../../language";
import {
  compareInstances,
  emptyState,
  type InstanceState,
  type OutputState,
  type ResourceState,
  type State,
} from "./model";

type InstanceName = Pick<ResourceState, "mode" | "type" | "name" | "provider" | "fleet">;

const nameOf = (named: InstanceName, instance: InstanceState): string =>
  objectName(instanceAddress(named, instance), instance.deposed);

/** A state that is changed object by object. `snapshot` returns the state to save. */
export class StateEditor {
  readonly #base: State;
  readonly #resources = new Map<
    string,
    { readonly resource: ResourceState; readonly instances: Map<string, InstanceState> }
  >();
  readonly #outputs: Map<string, OutputState>;
  #checks: State["checkResults"];

  constructor(prior: State | undefined) {
    this.#base = prior ?? emptyState();
    this.#outputs = new Map(Object.entries(this.#base.outputs));
    for (const resource of this.#base.resources) {
      // Terraform leaves a resource without objects in the state if its creation failed. It is dropped here.
      if (resource.instances.length === 0) continue;
      const instances = resource.instances.map((one): [string, InstanceState] => [
        nameOf(resource, one),
        one,
      ]);
      this.#resources.set(resourceAddress(resource), { resource, instances: new Map(instances) });
    }
  }

  /** Returns the current objects of a resource, in the order of their instance keys. Deposed objects are left out. */
  instances(resource: string): InstanceState[] {
    const all = [...(this.#resources.get(resource)?.instances.values() ?? [])];
    return all.filter(({ deposed }) => deposed === undefined).sort(compareInstances);
  }

  /** Returns all objects of one managed resource type, including deposed objects. */
  ofType(type: string): InstanceState[] {
    return [...this.#resources.values()]
      .filter(({ resource }) => resource.mode === "managed" && resource.type === type)
      .flatMap(({ instances }) => [...instances.values()]);
  }

  /** Returns an object of a resource by its name, see `objectName`. */
  find(resource: string, name: string): InstanceState | undefined {
    return this.#resources.get(resource)?.instances.get(name);
  }

  put(named: InstanceName, instance: InstanceState): void {
    const address = resourceAddress(named);
    const known = this.#resources.get(address);
    const instances = known?.instances ?? new Map<string, InstanceState>();
    // The resource may have changed its provider configuration.
    if (known?.resource.provider !== named.provider) {
      const resource = { ...(known?.resource ?? { ...named, instances: [] }), provider: named.provider };
      this.#resources.set(address, { resource, instances });
    }
    instances.set(nameOf(named, instance), instance);
  }

  /**
   * Records the fleet that `fleetOf` returns for each resource. If `fleetOf` returns undefined, the resource gets no record.
   */
  recordFleets(fleetOf: (resource: ResourceState) => ResourceState["fleet"]): void {
    for (const [address, { resource, instances }] of this.#resources) {
      const { fleet: before, ...unrecorded } = resource;
      const fleet = fleetOf({ ...resource, instances: [...instances.values()] });
      if (fleet === before) continue;
      const recorded = fleet === undefined ? unrecorded : { ...unrecorded, fleet };
      this.#resources.set(address, { resource: recorded, instances });
    }
  }

  /** Removes an object by its name, see `objectName`. */
  remove(resource: string, name: string): void {
    const entry = this.#resources.get(resource);
    entry?.instances.delete(name);
    if (entry?.instances.size === 0) this.#resources.delete(resource);
  }

  get lineage(): string {
    return this.#base.lineage;
  }

  /** Deposes an instance's object before its replacement is created. Returns the deposed key. */
  depose(resource: string, address: string): string {
    const entry = this.#resources.get(resource)!;
    const object = entry.instances.get(address)!;
    let deposed = randomBytes(4).toString("hex");
    while (entry.instances.has(objectName(address, deposed))) deposed = randomBytes(4).toString("hex");
    entry.instances.delete(address);
    entry.instances.set(objectName(address, deposed), { ...object, deposed });
    return deposed;
  }

  /** Makes a deposed object the current object again, because no replacement was created. */
  restore(resource: string, address: string, deposed: string): void {
    const entry = this.#resources.get(resource)!;
    const { deposed: _key, ...object } = entry.instances.get(objectName(address, deposed))!;
    entry.instances.delete(objectName(address, deposed));
    entry.instances.set(address, object);
  }

  get hasManaged(): boolean {
    return [...this.#resources.values()].some(({ resource }) => resource.mode === "managed");
  }

  get isEmpty(): boolean {
    return this.#resources.size === 0 && this.#outputs.size === 0;
  }

  /** Removes the resources for which `isUnwanted` returns true. */
  removeResources(isUnwanted: (resource: ResourceState, address: string) => boolean): void {
    for (const [address, { resource }] of this.#resources)
      if (isUnwanted(resource, address)) this.#resources.delete(address);
  }

  /** Sets the results of all conditions, which the state contains as `checkResults`. */
  setChecks(results: State["checkResults"]): void {
    this.#checks = results;
  }

  setOutput(name: string, output: OutputState | undefined): void {
    if (output === undefined) this.#outputs.delete(name);
    else this.#outputs.set(name, output);
  }

  snapshot(): State {
    const { checkResults, ...base } = this.#base;
    const checks = this.#checks === undefined ? checkResults : this.#checks;
    return {
      ...base,
      ...(checks !== undefined && checks !== null && { checkResults: checks }),
      outputs: Object.fromEntries(this.#outputs),
      resources: [...this.#resources.values()].map(({ resource, instances }) => ({
        ...resource,
        instances: [...instances.values()],
      })),
    };
  }
}
