import { JsonNumber } from "../json";

/**
 * Values as they pass between a host and a provider: plain JSON, and the one thing JSON has no word for, a value
 * that is not known before apply. Sets are arrays in any order.
 */
export class Unknown {
  /** Compared by identity everywhere; the private member keeps other objects from passing for one. */
  readonly #unknown = true;
  toString(): string {
    return this.#unknown ? "(known after apply)" : "";
  }
}

/** The one unknown value. */
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

/** Whether no part of the value is unknown. */
export function isWhollyKnown(value: Value): boolean {
  if (isUnknown(value)) return false;
  if (Array.isArray(value)) return value.every(isWhollyKnown);
  return isObject(value) ? Object.values(value).every(isWhollyKnown) : true;
}

/** A text that is equal for equal values, whatever the order of an object's names. Unknowns equal nothing known. */
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
