import type { ResourceDefinition } from "../definition/definition";

/**
 * How many objects of one type and container the run will read, and which of them are in the state, as far as
 * it is known.
 */
export class ExpectedReads {
  /** By type: every object asks, and a text for each pair would have to be made and hashed. */
  readonly #types = new Map<string, { readonly held: Set<string>; readonly counts: Map<string, number> }>();

  /** Whether the host's state contains this object, as far as it announced it. */
  hold(definition: ResourceDefinition, id: string): void {
    this.#of(definition).held.add(id);
  }

  isHeld(definition: ResourceDefinition, id: string): boolean {
    return this.#of(definition).held.has(id);
  }

  /** The number of objects that the run will read; `container` is an id, or the path that an import gives. */
  add(definition: ResourceDefinition, container: number | string): void {
    const { counts } = this.#of(definition);
    const place = String(container);
    counts.set(place, (counts.get(place) ?? 0) + 1);
  }

  of(definition: ResourceDefinition, container: number | string): number | undefined {
    return this.#of(definition).counts.get(String(container));
  }

  #of({ type }: ResourceDefinition) {
    const known = this.#types.get(type);
    if (known !== undefined) return known;
    const made = { held: new Set<string>(), counts: new Map<string, number>() };
    this.#types.set(type, made);
    return made;
  }
}
