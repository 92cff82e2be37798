import { JsonNumber } from "../json";

/**
 * The values that a host and a provider exchange: JSON, and `UNKNOWN` for a value that is known only after
 * apply. A set is an array in any order.
 */
export class Unknown {
  /** This private member makes the type nominal. */
  readonly #isUnknown = true;
  toString(): string {
    return this.#isUnknown ? "(known after apply)" : "";
  }
}

export const UNKNOWN = new Unknown();

export type Value = null | boolean | number | string | JsonNumber | Unknown | readonly Value[] | ValueObject;
export interface ValueObject {
  readonly [name: string]: Value;
}

export const isUnknown = (value: unknown): value is Unknown => value instanceof Unknown;

export const isObject = (value: Value): value is ValueObject =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  !isUnknown(value) &&
  !(value instanceof JsonNumber);

/** Returns whether the value contains no unknown part. */
export function isWhollyKnown(value: Value): boolean {
  if (isUnknown(value)) return false;
  if (Array.isArray(value)) return value.every(isWhollyKnown);
  return isObject(value) ? Object.values(value).every(isWhollyKnown) : true;
}

/**
 * Returns a text that is equal for equal values. It ignores the order of object keys. An unknown value
 * differs from every known value.
 */
export function canonicalJson(value: Value): string {
  if (isUnknown(value)) return "\u0000unknown";
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (value instanceof JsonNumber) return String(value);
  if (!isObject(value)) return JSON.stringify(value);
  const fields = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name]!)}`);
  return `{${fields.join(",")}}`;
}
