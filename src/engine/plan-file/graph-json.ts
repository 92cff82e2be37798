import { isUnknown, JsonNumber, UNKNOWN, type Value } from "../../provider/schema";
import { isJsonObject, type Json } from "../state/model";

/** What stands in JSON for something that JSON has no word for: an object with one key, which begins with `$`. */
export type Tag = { readonly [name: `$${string}`]: Json };

/** Gives the tag of something that is not written as it is; nothing for what is. */
export type Replace = (value: unknown, path: Path) => Tag | undefined;

/** Gives back what a tag stands for; nothing where it knows no such tag. */
export type Restore = (name: string, content: Json) => { readonly value: unknown } | undefined;

/** The way from the nearest object that was asked for by `watch`. */
export interface Path {
  readonly root: object | undefined;
  readonly steps: readonly (string | number)[];
}

const NOWHERE: Path = { root: undefined, steps: [] };

/**
 * Writes plain data as JSON: unknown values, long numbers, maps and sets have tags, and what is met again is a reference to where it
 * was met first, so that what was one object is one object after reading, too.
 */
export class GraphWriter {
  readonly #seen = new Map<object, number>();
  readonly #replace: Replace;
  readonly #watched: { has(object: object): boolean };

  /** @param watched objects that paths are told from. */
  constructor(replace: Replace, watched: { has(object: object): boolean }) {
    this.#replace = replace;
    this.#watched = watched;
  }

  write(value: unknown, path: Path = NOWHERE): Json {
    if (isUnknown(value)) return { $unknown: true };
    const tag = this.#replace(value, path);
    if (tag !== undefined) return tag as Json;
    if (typeof value !== "object" || value === null) return leaf(value);
    if (value instanceof JsonNumber) return { $number: value.text };
    const seen = this.#seen.get(value);
    if (seen !== undefined) return { $seen: seen };
    this.#seen.set(value, this.#seen.size);
    const place: Path = this.#watched.has(value) ? { root: value, steps: [] } : path;
    if (Array.isArray(value)) return value.map((one, at) => this.write(one, below(place, at)));
    if (value instanceof Map) return { $map: this.#pairs([...value], place) };
    if (value instanceof Set) return { $set: [...value].map((one) => this.write(one, place)) };
    if (!isPlain(value)) throw new Error(`A plan holds a ${value.constructor.name}, which can't be saved.`);
    return this.#object(value, place);
  }

  #object(value: object, place: Path): Json {
    const entries = Object.entries(value).filter(([, one]) => one !== undefined);
    return Object.fromEntries(
      entries.map(([name, one]) => [name.replace(/^\$/, "$$$$"), this.write(one, below(place, name))]),
    );
  }

  #pairs(entries: readonly (readonly [unknown, unknown])[], place: Path): Json {
    return entries.map(([key, one]) => [this.write(key, place), this.write(one, place)]);
  }
}

const below = ({ root, steps }: Path, step: string | number): Path =>
  root === undefined ? NOWHERE : { root, steps: [...steps, step] };

const isPlain = (value: object): boolean =>
  [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null);

function leaf(value: unknown): Json {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw new Error(`A plan holds a ${typeof value}, which can't be saved.`);
}

/** Reads what a `GraphWriter` wrote, in the same order. */
export class GraphReader {
  readonly #seen: unknown[] = [];
  readonly #restore: Restore;

  constructor(restore: Restore) {
    this.#restore = restore;
  }

  /** @throws TypeError where no writer wrote this */
  read(json: Json): unknown {
    if (Array.isArray(json)) return this.#list(json);
    if (!isJsonObject(json)) return json;
    const [first, ...others] = Object.keys(json);
    if (first?.startsWith("$") && !first.startsWith("$$") && others.length === 0)
      return this.#tagged(first, json[first]!);
    const object: Record<string, unknown> = {};
    this.#seen.push(object);
    for (const [name, one] of Object.entries(json)) {
      const value = this.read(one);
      Object.defineProperty(object, name.replace(/^\$\$/, "$"), {
        value,
        enumerable: true,
        writable: true,
        configurable: true,
      });
    }
    return object;
  }

  #list(json: readonly Json[]): unknown[] {
    const list: unknown[] = [];
    this.#seen.push(list);
    for (const one of json) list.push(this.read(one));
    return list;
  }

  #tagged(name: string, content: Json): unknown {
    if (name === "$unknown") return UNKNOWN;
    if (name === "$seen") return this.#again(content);
    if (name === "$map") return this.#map(content);
    if (name === "$set") return this.#set(content);
    if (name === "$number") return new JsonNumber(String(content));
    const restored = this.#restore(name, content);
    if (restored === undefined) throw new TypeError(`There is no tag ${name}.`);
    return restored.value;
  }

  #again(content: Json): unknown {
    if (typeof content !== "number" || !(content in this.#seen))
      throw new TypeError("There is nothing to refer to.");
    return this.#seen[content];
  }

  #map(content: Json): Map<unknown, unknown> {
    const map = new Map<unknown, unknown>();
    this.#seen.push(map);
    for (const [key, one] of content as [Json, Json][]) map.set(this.read(key), this.read(one));
    return map;
  }

  #set(content: Json): Set<unknown> {
    const set = new Set<unknown>();
    this.#seen.push(set);
    for (const one of content as Json[]) set.add(this.read(one));
    return set;
  }
}

/** Writes a value by itself, which holds nothing that a plan refers to. */
export const writeValue = (value: Value): Json =>
  new GraphWriter(() => undefined, { has: () => false }).write(value);

/** Reads what `writeValue` wrote. */
export const readValue = (json: Json): Value => new GraphReader(() => undefined).read(json) as Value;
