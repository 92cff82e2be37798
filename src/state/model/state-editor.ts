import { randomBytes } from "node:crypto";
import { instanceAddress, objectName, resourceAddress } from "../../language";
import { emptyState, type InstanceState, type OutputState, type ResourceState, type State } from "./model";

type Named = Pick<ResourceState, "mode" | "type" | "name" | "provider">;

const nameIn = (named: Named, instance: InstanceState): string =>
  objectName(instanceAddress(named, instance), instance.deposed);

/** A state while it is changed, object by object. Snapshots of it are what is saved. */
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
      // Terraform leaves a resource without any object where its making failed.
      if (resource.instances.length === 0) continue;
      const instances = resource.instances.map((one): [string, InstanceState] => [
        nameIn(resource, one),
        one,
      ]);
      this.#resources.set(resourceAddress(resource), { resource, instances: new Map(instances) });
    }
  }

  /** The instances of a resource with the objects that they have now, in the order of their keys. */
  instances(resource: string): InstanceState[] {
    const all = [...(this.#resources.get(resource)?.instances.values() ?? [])];
    return all
      .filter(({ deposed }) => deposed === undefined)
      .sort(({ indexKey: one = "" }, { indexKey: other = "" }) =>
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

  /** One object of a resource, by its name. */
  find(resource: string, name: string): InstanceState | undefined {
    return this.#resources.get(resource)?.instances.get(name);
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
    entry.instances.set(nameIn(named, instance), instance);
  }

  /** Drops an object, by its name. */
  remove(resource: string, name: string): void {
    const entry = this.#resources.get(resource);
    entry?.instances.delete(name);
    if (entry?.instances.size === 0) this.#resources.delete(resource);
  }

  get lineage(): string {
    return this.#base.lineage;
  }

  /** Makes room for the replacement of an instance's object: that one waits for its end under a key, which is answered. */
  depose(resource: string, address: string): string {
    const entry = this.#resources.get(resource)!;
    const object = entry.instances.get(address)!;
    let deposed = randomBytes(4).toString("hex");
    while (entry.instances.has(objectName(address, deposed))) deposed = randomBytes(4).toString("hex");
    entry.instances.delete(address);
    entry.instances.set(objectName(address, deposed), { ...object, deposed });
    return deposed;
  }

  /** Takes that back, where no replacement came to be. */
  restore(resource: string, address: string, deposed: string): void {
    const entry = this.#resources.get(resource)!;
    const { deposed: _key, ...object } = entry.instances.get(objectName(address, deposed))!;
    entry.instances.delete(objectName(address, deposed));
    entry.instances.set(address, object);
  }

  get holdsManaged(): boolean {
    return [...this.#resources.values()].some(({ resource }) => resource.mode === "managed");
  }

  get isEmpty(): boolean {
    return this.#resources.size === 0 && this.#outputs.size === 0;
  }

  /** Drops all resources that are not wanted any more. */
  removeResources(unwanted: (resource: ResourceState, address: string) => boolean): void {
    for (const [address, { resource }] of this.#resources)
      if (unwanted(resource, address)) this.#resources.delete(address);
  }

  /** The state keeps what came of all conditions that there are. */
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
