import { ApiError } from "../../../src/api";
import type { Collection } from "../../../src/framework/collections/listing";
import { LiveCollection } from "../../../src/framework/collections/live-collection";
import { Failures } from "../../../src/framework/protocol/failures";
import { type Page, RecordList } from "../../../src/http/pages";
import { readByOffset } from "../../../src/http/read-pages";
import { failureOf } from "../../../src/provider/failure-of";

export interface Item {
  readonly key: number;
  readonly value: string;
}

export const reach = { api: {}, failures: new Failures(failureOf) };
export const failure = (code: "not_found" | "service_failed") => new ApiError({ code, what: "it failed" });

/** Defines a list with this number of pages, which clients request by number. */
export function listOf(
  pages: () => number,
  read: (page: number) => Promise<readonly Item[]>,
): RecordList<Item> {
  const numbered = async (page: number): Promise<Page<Item>> => {
    const totalPages = pages();
    const records = await read(page);
    return {
      records,
      keys: records.map(({ key, value }) => `${key} ${value}`),
      next: undefined,
      total: undefined,
      totalPages,
    };
  };
  const request = { operation: "items.list", method: "GET", path: "/items" } as const;
  const first = () => numbered(1);
  return new RecordList(() => ({ request, first, at: first, numbered }), readByOffset);
}

/** Makes a service that counts its requests, returns ten records a page, and can fail on demand. */
export function shop(items: readonly Item[]) {
  const truth = new Map(items.map((item) => [item.key, item]));
  const asked = { lists: 0, pages: 0, singles: 0 };
  const failing = { lists: 0, singles: 0, with: "service_failed" as Parameters<typeof failure>[0] };
  const list = listOf(
    () => Math.max(1, Math.ceil(truth.size / 10)),
    async (page) => {
      asked.pages++;
      if (page === 1) asked.lists++;
      if (page === 1 && failing.lists-- > 0) throw failure(failing.with);
      return [...truth.values()].slice((page - 1) * 10, page * 10);
    },
  );
  const collection: Collection<number, Item> = {
    name: "items",
    keyOf: ({ key }) => key,
    list: () => list,
    async single(_api, _container, key) {
      asked.singles++;
      if (failing.singles-- > 0) throw failure("service_failed");
      const found = truth.get(key);
      if (found === undefined) throw failure("not_found");
      return found;
    },
  };
  return { truth, asked, failing, collection, live: new LiveCollection(collection, reach, 1) };
}

export const item = (key: number, value = "first"): Item => ({ key, value });
export const hundred = Array.from({ length: 100 }, (_, key) => item(key));
export const ten = hundred.slice(0, 10);
