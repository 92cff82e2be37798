import type { DeclaredObject, StoredState } from "../../framework";
import type { Attributes } from "../../schema";
import type { StackRun } from "../run/stack-run";

/** Something live that nobody declares. */
export interface UnmanagedObject {
  readonly type: string;
  /** As an import takes it. */
  readonly id: string;
  /** Such as `space 42`. */
  readonly container: string;
  readonly live: StoredState["attributes"];
  /** The schema's attributes, for views. */
  readonly attributes: Attributes;
}

/** What one client of a provider looked through. */
export interface Looked {
  /** Tells apart services, for objects of several stacks. */
  readonly service: string;
  /** Every container that declarations touch. */
  readonly containers: readonly string[];
  /** What is live there, and declared through this client by nobody. */
  readonly unmanaged: readonly UnmanagedObject[];
}

/** Gathers what is declared through each provider configuration, and looks for what else is there. */
export class Coverage {
  readonly #declared = new Map<string, DeclaredObject[]>();

  /** Notes a declaration, or an object that the state holds, by the key of its provider configuration. */
  declare(provider: string, object: DeclaredObject): void {
    const known = this.#declared.get(provider);
    if (known === undefined) this.#declared.set(provider, [object]);
    else known.push(object);
  }

  async look(run: StackRun): Promise<Looked[]> {
    const looked = [...this.#declared].map(async ([key, declared]): Promise<Looked[]> => {
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
    return (await Promise.all(looked)).flat();
  }
}

/**
 * What nobody declares over several stacks: what is unmanaged for every one that touches the container. One
 * stack's objects are no surprise to another that has others of the same container.
 */
export function unmanagedByAll(looked: readonly Looked[]): UnmanagedObject[] {
  const lookers = new Map<string, number>();
  const found = new Map<string, { readonly object: UnmanagedObject; times: number }>();
  for (const { service, containers, unmanaged } of looked) {
    for (const container of containers) count(lookers, `${service} ${container}`);
    for (const object of unmanaged) {
      const name = `${service} ${object.type} ${object.id}`;
      const known = found.get(name);
      if (known === undefined) found.set(name, { object, times: 1 });
      else known.times++;
    }
  }
  const services = new Map(
    looked.flatMap(({ service, unmanaged }) => unmanaged.map((one) => [one, service])),
  );
  return [...found.values()]
    .filter(({ object, times }) => times === lookers.get(`${services.get(object)} ${object.container}`))
    .map(({ object }) => object)
    .sort((one, other) => (`${one.type} ${one.id}` < `${other.type} ${other.id}` ? -1 : 1));
}

const count = (counts: Map<string, number>, name: string): void =>
  void counts.set(name, (counts.get(name) ?? 0) + 1);
