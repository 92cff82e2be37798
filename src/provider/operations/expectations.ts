import type { ResourceDefinition } from "../definition";

/** How many objects of one type and one container will be read in a run, as far as the host said. */
export class Expectations {
  readonly #counts = new Map<string, number>();

  add({ type }: ResourceDefinition, container: number): void {
    const place = `${type} ${container}`;
    this.#counts.set(place, (this.#counts.get(place) ?? 0) + 1);
  }

  of({ type }: ResourceDefinition, container: number): number | undefined {
    return this.#counts.get(`${type} ${container}`);
  }
}
