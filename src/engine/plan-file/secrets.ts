import type { AttributePath } from "../../diagnostics";
import { canonicalJson, isObject, isUnknown, type Value } from "../../schema";
import { type RedactedValue, Withheld } from "./value-json";

/** Shorter texts would match ordinary words. */
const MIN_LENGTH = 8;

/**
 * The values that a saved plan must not contain: those at sensitive paths, and texts that contain them, such
 * as an id made of a sensitive name.
 */
export class Secrets {
  readonly #texts = new Set<string>();
  readonly #numbers = new Map<string, number>();

  /** Adds every text of a value. */
  add(value: Value | undefined): void {
    if (typeof value === "string" && value.length >= MIN_LENGTH) this.#texts.add(value);
    else if (typeof value === "object" && value !== null && !isUnknown(value))
      for (const one of Object.values(value) as Value[]) this.add(one);
  }

  /** Adds the values at these paths. */
  addAt(value: Value | null | undefined, paths: readonly AttributePath[]): void {
    for (const path of paths) this.add(valueAt(value ?? undefined, path));
  }

  /** The value without secrets: sensitive paths, and texts that contain a secret, are withheld. */
  withhold(value: Value, sensitive: readonly AttributePath[] = []): RedactedValue {
    if (value === null || isUnknown(value)) return value;
    if (sensitive.some((path) => path.length === 0)) return this.#withheld(value);
    if (typeof value === "string") return this.#containsSecret(value) ? this.#withheld(value) : value;
    if (Array.isArray(value)) return value.map((one: Value, at) => this.withhold(one, below(sensitive, at)));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, this.withhold(one, below(sensitive, name))]),
    );
  }

  /** The text without secrets. */
  redact(text: string): string {
    return [...this.#texts].reduce((left, secret) => left.replaceAll(secret, "(sensitive value)"), text);
  }

  #containsSecret(text: string): boolean {
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
