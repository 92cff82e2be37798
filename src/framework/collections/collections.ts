import { once } from "../../schema";
import type { Reach } from "../protocol/connection";
import type { AnyCollection, Collection } from "./listing";
import { LiveCollection } from "./live-collection";

/** Creates and caches the collections that one client reads in one run. */
export class Collections {
  readonly #byContainer = new Map<number, Map<string, LiveCollection<never, never>>>();
  /** The names of collections whose records are cached whole, without the projection. */
  #shown: ReadonlySet<string> = new Set();

  /** @param shown the collections from which data sources can return whole records */
  constructor(
    private readonly reach: Reach,
    shown: readonly AnyCollection[],
  ) {
    this.willShow(shown);
  }

  /** Sets the collections whose records are cached whole. Collections that already exist do not change. */
  willShow(shown: readonly AnyCollection[]): void {
    this.#shown = new Set(shown.map(({ name }) => name));
  }

  of<K, T, Whole extends T>(
    container: number,
    collection: Collection<K, T, Whole>,
  ): LiveCollection<K, T, Whole> {
    const here = once(this.#byContainer, container, () => new Map());
    return once(
      here,
      collection.name,
      () => new LiveCollection(collection, this.reach, container, this.#shown.has(collection.name)),
    );
  }

  /** Drops all cached records of a container. Callers use this method after a refused write, or a write with a lost response. */
  drop(container: number): void {
    for (const live of this.#byContainer.get(container)?.values() ?? []) live.drop();
  }
}
