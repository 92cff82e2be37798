import type { DeclaredObject } from "../../framework";
import type { CoverageScan, UnmanagedObject } from "../model/drift";
import type { StackRun } from "../run/stack-run";

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
