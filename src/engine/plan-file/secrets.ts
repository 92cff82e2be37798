import type { AttributePath } from "../../diagnostics";
import { canonicalJson, isObject, isUnknown, type Value } from "../../schema";
import { type Kept, Withheld } from "./value-json";

/** Shorter texts would take ordinary words with them. */
const SHORTEST_TEXT = 8;

/**
 * What a saved plan must not hold: values at sensitive paths, and texts in which such a value stands, as an id made of
 * a sensitive name is.
 */
export class Secrets {
  readonly #texts = new Set<string>();
  readonly #numbers = new Map<string, number>();

  /** Keeps every text of a value out of all others. */
  keep(value: Value | undefined): void {
    if (typeof value === "string" && value.length >= SHORTEST_TEXT) this.#texts.add(value);
    else if (typeof value === "object" && value !== null && !isUnknown(value))
      for (const one of Object.values(value) as Value[]) this.keep(one);
  }

  /** Keeps what stands at these places of a value out of all others. */
  keepAt(value: Value | null | undefined, paths: readonly AttributePath[]): void {
    for (const path of paths) this.keep(valueAt(value ?? undefined, path));
  }

  /** The value without what must not be told: what stands at a sensitive place, and texts that hold such a value. */
  withhold(value: Value, sensitive: readonly AttributePath[] = []): Kept {
    if (value === null || isUnknown(value)) return value;
    if (sensitive.some((path) => path.length === 0)) return this.#withheld(value);
    if (typeof value === "string") return this.#tells(value) ? this.#withheld(value) : value;
    if (Array.isArray(value)) return value.map((one: Value, at) => this.withhold(one, below(sensitive, at)));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, this.withhold(one, below(sensitive, name))]),
    );
  }

  /** The text without what must not be told. */
  redact(text: string): string {
    return [...this.#texts].reduce((left, secret) => left.replaceAll(secret, "(sensitive value)"), text);
  }

  #tells(text: string): boolean {
    for (const secret of this.#texts) if (text.includes(secret)) return true;
    return false;
  }

  #withheld(value: Value): Withheld {
    const key = canonicalJson(value);
    const number = this.#numbers.get(key) ?? this.#numbers.size + 1;
    this.#numbers.set(key, number);
    return new Withheld(number);
  }
}

const NONE: readonly AttributePath[] = [];

const below = (paths: readonly AttributePath[], step: string | number): readonly AttributePath[] =>
  paths.length === 0 ? NONE : paths.filter(([first]) => first === step).map(([, ...rest]) => rest);

const valueAt = (value: Value | undefined, path: AttributePath): Value | undefined =>
  path.reduce<Value | undefined>(
    (at, step) =>
      typeof at === "object" && at !== null
        ? (at as unknown as Record<string | number, Value>)[step]
        : undefined,
    value,
  );
