import type { AttributePath } from "../../diagnostics";
import { canonicalJson, isUnknown, type Value } from "../../provider/schema";
import type { Path, Tag } from "./graph-json";

/** Shorter texts would take ordinary words with them. */
const SHORTEST_TEXT = 8;

interface Watched {
  /** Where something sensitive stands in it. */
  readonly paths: readonly AttributePath[];
  /** Its fields that are searched for what is sensitive elsewhere; without it, all. */
  readonly fields: readonly string[] | undefined;
  /** Its texts are base64. */
  readonly isEncoded?: boolean;
}

/**
 * What a saved plan must not hold: values at sensitive paths, and texts in which such a value stands, as an id made of
 * a sensitive name is. In their place stands a number that is equal for equal values and tells nothing else.
 */
export class Secrets {
  readonly #watched = new Map<object, Watched>();
  readonly #texts = new Set<string>();
  readonly #numbers = new Map<string, number>();

  has(object: object): boolean {
    return this.#watched.has(object);
  }

  /** Keeps what is sensitive in an object out of the file. */
  watch(
    object: object | null | undefined,
    paths: readonly AttributePath[],
    fields?: readonly string[],
  ): void {
    if (object === null || object === undefined) return;
    const known = this.#watched.get(object)?.paths ?? [];
    this.#watched.set(object, { paths: [...known, ...paths], fields });
    for (const path of paths) this.keep(valueAt(object as Value, path));
  }

  /** Keeps out of the file fields whose bytes, in base64, hold something sensitive. */
  watchBytes(object: object | undefined, fields: readonly string[]): void {
    if (object !== undefined) this.#watched.set(object, { paths: [], fields, isEncoded: true });
  }

  /** Keeps every text of a value out of all others. */
  keep(value: Value | undefined): void {
    if (typeof value === "string" && value.length >= SHORTEST_TEXT) this.#texts.add(value);
    else if (typeof value === "object" && value !== null && !isUnknown(value))
      for (const one of Object.values(value) as Value[]) this.keep(one);
  }

  /** What stands in the file for a value that must not be in it. */
  tagFor(value: unknown, { root, steps }: Path): Tag | undefined {
    const watched = root === undefined ? undefined : this.#watched.get(root);
    if (watched === undefined || steps.length === 0 || value === null || value === undefined)
      return undefined;
    const isSensitive = watched.paths.some((path) => samePath(path, steps));
    const isSearched = watched.fields?.includes(String(steps[0])) ?? true;
    if (!isSensitive && !(isSearched && typeof value === "string" && this.#tells(value, watched)))
      return undefined;
    return { $withheld: this.#numberOf(value as Value) };
  }

  /** The text without what must not be told. */
  redact(text: string): string {
    return [...this.#texts].reduce((left, secret) => left.replaceAll(secret, "(sensitive value)"), text);
  }

  #tells(text: string, { isEncoded }: Watched): boolean {
    const plain = isEncoded ? Buffer.from(text, "base64").toString() : text;
    for (const secret of this.#texts) if (plain.includes(secret)) return true;
    return false;
  }

  #numberOf(value: Value): number {
    const key = canonicalJson(value);
    const number = this.#numbers.get(key) ?? this.#numbers.size + 1;
    this.#numbers.set(key, number);
    return number;
  }
}

const samePath = (one: AttributePath, other: Path["steps"]): boolean =>
  one.length === other.length && one.every((step, at) => step === other[at]);

const valueAt = (value: Value, path: AttributePath): Value | undefined =>
  path.reduce<Value | undefined>(
    (at, step) =>
      typeof at === "object" && at !== null
        ? (at as unknown as Record<string | number, Value>)[step]
        : undefined,
    value,
  );
