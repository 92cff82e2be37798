import type { Client } from "../../api";
import {
  type AccessScope as AnyAccessScope,
  type Collection,
  type LiveCollection,
  NOT_CACHED,
} from "../../framework";

export type AccessScope = AnyAccessScope<Client>;

/** The reads that a report sends to a collection. */
export type ReadCollection<K, T> = Pick<LiveCollection<K, T>, "all" | "allWithin" | "get">;

/** The requests that a report can send to the service. */
export interface Reads extends Omit<AccessScope, "collection"> {
  /** A collection of one container. With a limit, its methods throw `NotRead` instead of a request too many. */
  collection<K, T, Whole extends T = T>(
    container: number,
    collection: Collection<K, T, Whole, Client>,
  ): ReadCollection<K, T>;
  /**
   * Sends a request for something that is in no collection.
   *
   * @throws NotRead if it is a request too many
   */
  ask<T>(request: () => Promise<T>): Promise<T>;
}

/** A request that a report with a limit does not send. */
export class NotRead extends Error {
  constructor() {
    super("a plan reads it only with --access");
  }
}

/** Sends all requests of a report. */
export const unlimitedReads = (scope: AccessScope): Reads => ({ ...scope, ask: (request) => request() });

/**
 * Reads cached records, and sends at most `left` requests. A list of several pages is not read, because each page is a request.
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
              // After a 404, the first page of the list is requested.
              pay(2);
              return live.get(key, 1);
            },
          ),
      };
    },
  };
}

/** Returns cached records, or the response of a request. */
async function orElse<T>(known: () => Promise<T>, read: () => Promise<T>): Promise<T> {
  try {
    return await known();
  } catch (problem) {
    if (problem !== NOT_CACHED) throw problem;
    return read();
  }
}
