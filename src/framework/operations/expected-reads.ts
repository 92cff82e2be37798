import type { ResourceDefinition } from "../definition/definition";

/** What the run was told, or has seen, of the state: how many objects of one type and one container, and which. */
export class ExpectedReads {
  readonly #counts = new Map<string, number>();
  readonly #held = new Set<string>();

  /** The host's state holds this object, as far as it said so. */
  hold({ type }: ResourceDefinition, id: string): void {
    this.#held.add(`${type} ${id}`);
  }

  isHeld({ type }: ResourceDefinition, id: string): boolean {
    return this.#held.has(`${type} ${id}`);
  }

  /** So many will be read in the run. */
  add({ type }: ResourceDefinition, container: number): void {
    const place = `${type} ${container}`;
    this.#counts.set(place, (this.#counts.get(place) ?? 0) + 1);
  }

  of({ type }: ResourceDefinition, container: number): number | undefined {
    return this.#counts.get(`${type} ${container}`);
  }
}
