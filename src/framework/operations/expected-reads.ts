import type { ResourceDefinition } from "../definition/definition";

/**
 * How many objects of one type and container the run will read, and which of them are in the state, as far as
 * it is known.
 */
export class ExpectedReads {
  readonly #counts = new Map<string, number>();
  readonly #held = new Set<string>();

  /** Whether the host's state contains this object, as far as it announced it. */
  hold({ type }: ResourceDefinition, id: string): void {
    this.#held.add(`${type} ${id}`);
  }

  isHeld({ type }: ResourceDefinition, id: string): boolean {
    return this.#held.has(`${type} ${id}`);
  }

  /** The number of objects that the run will read; `container` is an id, or the path that an import gives. */
  add({ type }: ResourceDefinition, container: number | string): void {
    const place = `${type} ${container}`;
    this.#counts.set(place, (this.#counts.get(place) ?? 0) + 1);
  }

  of({ type }: ResourceDefinition, container: number | string): number | undefined {
    return this.#counts.get(`${type} ${container}`);
  }
}
