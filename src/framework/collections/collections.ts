import { once } from "../../schema";
import type { Reach } from "../protocol/connection";
import type { AnyCollection, Collection } from "./listing";
import { LiveCollection } from "./live-collection";

/** Creates and caches the collections that one configured client reads in one run. */
export class Collections {
  readonly #byContainer = new Map<number, Map<string, LiveCollection<never, never>>>();
  /** Names of collections whose records are kept whole. */
  #shown: ReadonlySet<string> = new Set();

  /** Creates the collections. Data sources may show whole records of the collections in `shown`. */
  constructor(
    private readonly reach: Reach,
    shown: readonly AnyCollection[],
  ) {
    this.willShow(shown);
  }

  /** From now on, keeps whole records for these collections only. */
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

  /** Drops the cached records of a container after a write was refused or its response was lost. */
  drop(container: number): void {
    for (const live of this.#byContainer.get(container)?.values() ?? []) live.drop();
  }
}
