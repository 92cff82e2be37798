import { faults, type PlantedFault } from "./planted-fault";

export const CACHE_FAULTS: readonly PlantedFault[] = [
  ...faults("cache", "framework/collections/live-collection.ts")(
    [
      "A list read before a lost response counts afterwards",
      "      if (this.#listing?.isOlderThan(since) || this.#boundedRead?.isOlderThan(since)) this.drop(since);\n",
      "",
    ],
    [
      "A deleted record stays in the cache",
      "  removed(key: K): void {\n    this.#patch(key, null);",
      "  removed(key: K): void {\n    void key;",
    ],
    [
      "Dropping keeps single records",
      "    this.#singles.clear();\n    this.#singleReads = 0;",
      "    this.#singleReads = 0;",
    ],
  ),
  ...faults("cache", "framework/collections/listing.ts")(
    [
      "Writes don't wait for reads of their list",
      "    while (this.#reads.size > 0) await settled(this.#reads);\n",
      "",
    ],
    [
      "Reads don't wait for writes of their list",
      "    return during(this.#reads, settled(this.#writes).then(read));",
      "    return during(this.#reads, read());",
    ],
    [
      "Writes from before the request for a list are merged into it",
      "    if (this.#startedAt === Number.POSITIVE_INFINITY) return;\n",
      "",
    ],
  ),
  ...faults(
    "cache",
    "http/read-pages.ts",
  )([
    "A list that changed while it was read counts",
    "    if (pass.isStable) return;",
    "    if (pass !== undefined) return;",
  ]),
];
