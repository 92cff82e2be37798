import { createHash } from "node:crypto";
import type { Database } from "./database";

/** Position of an entry in a list: its values in the columns of the order, and its key. */
export type Position = readonly (string | number)[];

/** The positions after which pages of one selection begin, by offset, and how many entries it has. */
export interface Cursors {
  get(offset: number | "count"): Position | undefined;
  set(offset: number | "count", position: Position | undefined): void;
}

/** Remembers nothing: for a selection whose entries change without a write, as memberships expire. */
export const NO_CURSORS: Cursors = { get: () => undefined, set: () => undefined };

/** Cursors that are kept for one database; the oldest one is dropped for another. */
const MOST_CURSORS = 4_096;

const CACHES = new WeakMap<Database, { version: string; readonly cursors: Map<string, Position> }>();

/**
 * The cursors of a selection. They stay valid until this or another process changes the data. Without them SQLite skips all
 * entries before a page and counts all entries, which takes longer than reading the page.
 *
 * @param selection the text of its conditions, order and values.
 */
export function cursorsOf(database: Database, selection: string): Cursors {
  const { version } = database;
  let cache = CACHES.get(database);
  if (cache === undefined || cache.version !== version) {
    cache = { version, cursors: new Map() };
    CACHES.set(database, cache);
  }
  const { cursors } = cache;
  // A digest, because callers choose the values of a selection and their length.
  const name = createHash("sha256").update(selection).digest("base64");
  return {
    get: (offset) => cursors.get(`${name} ${offset}`),
    set(offset, position) {
      if (position === undefined) return;
      if (cursors.size >= MOST_CURSORS) cursors.delete(cursors.keys().next().value!);
      cursors.set(`${name} ${offset}`, position);
    },
  };
}
