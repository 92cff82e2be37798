import type { Client } from "../../api";
import {
  type AccessScope as AnyAccessScope,
  type Collection,
  type LiveCollection,
  NOT_CACHED,
} from "../../framework";

export type AccessScope = AnyAccessScope<Client>;

/** The methods with which a report reads a collection. */
export type ReadCollection<K, T> = Pick<LiveCollection<K, T>, "all" | "allWithin" | "get">;

/** The requests that a report can send to the service. */
export interface Reads extends Omit<AccessScope, "collection"> {
  /**
   * Returns the methods that read the collection of one container. With a request limit, a read throws `NotRead` if it
   * needs more requests than are left.
   */
  collection<K, T, Whole extends T = T>(
    container: number,
    collection: Collection<K, T, Whole, Client>,
  ): ReadCollection<K, T>;
  /**
   * Sends a request for an object that does not belong to a collection.
   *
   * @throws NotRead if no request is left
   */
  ask<T>(request: () => Promise<T>): Promise<T>;
}

/** The error that is thrown instead of sending a request beyond the limit of the report. */
export class NotRead extends Error {
  constructor() {
    super("a plan reads it only with --access");
  }
}

/** Returns the `Reads` of a report without a request limit. */
export const unlimitedReads = (scope: AccessScope): Reads => ({ ...scope, ask: (request) => request() });

/**
 * Returns the `Reads` of a report with a request limit. These reads use cached records and send at most `left`
 * requests. The report does not read lists of several pages, because each page costs one request.
 */
export function limitedReads(scope: AccessScope, left: number): Reads {
  let remaining = left;
  const pay = (requests: number): void => {
    if (requests > remaining) throw new NotRead();
    remaining -= requests;
  };
  return {
    ...scope,
    reasonOf: (problem) => (problem instanceof NotRead ? problem.message : scope.reasonOf(problem)),
    async ask(request) {
      pay(1);
      return request();
    },
    collection(container, collection) {
      const live = scope.collection(container, collection);
      const all = () =>
        orElse(
          () => live.asKnown().all(),
          async () => {
            pay(1);
            const records = await live.allWithin(1);
            if (records === undefined) throw new NotRead();
            return records;
          },
        );
      return {
        all,
        allWithin: all,
        get: (key) =>
          orElse(
            async () => live.asKnown().get(key, undefined),
            async () => {
              if (collection.single === undefined) return (await all()).get(key);
              // A single read counts as two requests: after a 404, the read also requests the first page of the list.
              pay(2);
              return live.get(key, 1);
            },
          ),
      };
    },
  };
}

/**
 * Returns the result of `known`, which uses only cached records. If the cached records are not enough, the function
 * calls `read`, which sends requests.
 */
async function orElse<T>(known: () => Promise<T>, read: () => Promise<T>): Promise<T> {
  try {
    return await known();
  } catch (problem) {
    if (problem !== NOT_CACHED) throw problem;
    return read();
  }
}
