import type { DeclaredObject, StoredState } from "../../framework";
import type { Attributes } from "../../schema";
import type { StackRun } from "../run/stack-run";

/** A live object that is not declared. */
export interface UnmanagedObject {
  readonly type: string;
  /** The id that an import takes. */
  readonly id: string;
  /** The object's container, such as `space 42`. */
  readonly container: string;
  readonly live: StoredState["attributes"];
  /** The schema's attributes, for views. */
  readonly attributes: Attributes;
}

/** What one client of a provider scanned for undeclared objects. */
export interface CoverageScan {
  /** Identifies the service, to combine the scans of several stacks. */
  readonly service: string;
  /** Every container that declarations touch. */
  readonly containers: readonly string[];
  /** Live objects in these containers that are not declared through this client. */
  readonly unmanaged: readonly UnmanagedObject[];
}

/** Collects the declared objects of each provider configuration and scans for others. */
export class Coverage {
  readonly #declared = new Map<string, DeclaredObject[]>();

  /**
   * Records a declared object, or one that the state holds.
   *
   * @param provider key of the provider configuration
   */
  declare(provider: string, object: DeclaredObject): void {
    const known = this.#declared.get(provider);
    if (known === undefined) this.#declared.set(provider, [object]);
    else known.push(object);
  }

  async scan(run: StackRun): Promise<CoverageScan[]> {
    const scans = [...this.#declared].map(async ([key, declared]): Promise<CoverageScan[]> => {
      const answer = await run.configured(key)?.listUndeclared?.({ declared });
      if (answer === undefined) return [];
      const { service, containers, objects, diagnostics } = answer;
      run.report(diagnostics);
      const { resources } = run.providerFor(key)!.schema;
      const unmanaged = objects.map(({ type, container, state }) => ({
        type,
        id: String(state.attributes["id"]),
        container,
        live: state.attributes,
        attributes: resources[type]!.attributes,
      }));
      return [{ service, containers, unmanaged }];
    });
    return (await Promise.all(scans)).flat();
  }
}

/**
 * The objects that no stack declares: unmanaged for each stack that touches their container. One stack's
 * objects are not unmanaged for another stack that declares others of the same container.
 */
export function unmanagedInAll(scans: readonly CoverageScan[]): UnmanagedObject[] {
  const scanCounts = new Map<string, number>();
  const found = new Map<string, { readonly object: UnmanagedObject; times: number }>();
  for (const { service, containers, unmanaged } of scans) {
    for (const container of containers) count(scanCounts, `${service} ${container}`);
    for (const object of unmanaged) {
      const name = `${service} ${object.type} ${object.id}`;
      const known = found.get(name);
      if (known === undefined) found.set(name, { object, times: 1 });
      else known.times++;
    }
  }
  const services = new Map(scans.flatMap(({ service, unmanaged }) => unmanaged.map((one) => [one, service])));
  return [...found.values()]
    .filter(({ object, times }) => times === scanCounts.get(`${services.get(object)} ${object.container}`))
    .map(({ object }) => object)
    .sort((one, other) => (`${one.type} ${one.id}` < `${other.type} ${other.id}` ? -1 : 1));
}

const count = (counts: Map<string, number>, name: string): void =>
  void counts.set(name, (counts.get(name) ?? 0) + 1);
