import { JsonNumber, plainDecimal } from "../../json";
import { isUnknown, UNKNOWN, type Value } from "../../schema";
import { isJsonObject, type Json } from "../../state";

/** A placeholder for a sensitive value in a saved plan; equal values have equal numbers. */
export class Withheld {
  constructor(readonly number: number) {}
}

/** A value with withheld parts. */
export type RedactedValue =
  | Value
  | Withheld
  | readonly RedactedValue[]
  | { readonly [name: string]: RedactedValue };

const UNKNOWN_TAG = "$unknown";
const WITHHELD_TAG = "$withheld";

/**
 * Encodes a value for a saved plan. What JSON can't express is an object with one key that starts with `$`;
 * such keys of the value itself get a second `$`.
 */
export function writeValue(value: RedactedValue): Json {
  if (isUnknown(value)) return { [UNKNOWN_TAG]: true };
  if (value instanceof Withheld) return { [WITHHELD_TAG]: value.number };
  if (Array.isArray(value)) return value.map(writeValue);
  if (typeof value !== "object" || value === null || value instanceof JsonNumber) return value as Json;
  const entries = Object.entries(value as { readonly [name: string]: RedactedValue });
  return Object.fromEntries(
    entries
      .filter(([, one]) => one !== undefined)
      .map(([name, one]) => [name.startsWith("$") ? `$${name}` : name, writeValue(one)]),
  );
}

/** Whether `writeValue` can have written this JSON. */
export function isWrittenValue(json: unknown): json is Json {
  if (Array.isArray(json)) return json.every(isWrittenValue);
  // Expanding the digits of a large exponent could exhaust the memory.
  if (json instanceof JsonNumber) return plainDecimal(json.text) !== undefined;
  if (typeof json !== "object" || json === null) return true;
  const entries = Object.entries(json);
  return isTag(entries) || entries.every(([name, one]) => !/^\$(?!\$)/.test(name) && isWrittenValue(one));
}

function isTag(entries: readonly (readonly [string, unknown])[]): boolean {
  const [[name, content] = [], ...others] = entries;
  if (others.length > 0) return false;
  return name === UNKNOWN_TAG ? content === true : name === WITHHELD_TAG && Number.isSafeInteger(content);
}

/** Decodes what `writeValue` wrote. */
export function readValue(json: Json): RedactedValue {
  if (Array.isArray(json)) return json.map(readValue);
  if (!isJsonObject(json)) return json;
  if (UNKNOWN_TAG in json) return UNKNOWN;
  const withheld = json[WITHHELD_TAG];
  if (withheld !== undefined) return new Withheld(withheld as number);
  return Object.fromEntries(
    Object.entries(json).map(([name, one]) => [name.replace(/^\$\$/, "$"), readValue(one)]),
  );
}

/** Replaces all withheld values. */
export function fillWithheld(value: RedactedValue, fill: (withheld: Withheld) => Value): Value {
  if (value instanceof Withheld) return fill(value);
  if (typeof value !== "object" || value === null || isUnknown(value) || value instanceof JsonNumber)
    return value as Value;
  if (Array.isArray(value)) return value.map((one: RedactedValue) => fillWithheld(one, fill));
  return Object.fromEntries(
    Object.entries(value as { readonly [name: string]: RedactedValue }).map(([name, one]) => [
      name,
      fillWithheld(one, fill),
    ]),
  );
}

/** Whether a value has withheld parts. */
export function holdsWithheld(value: RedactedValue): boolean {
  if (value instanceof Withheld) return true;
  if (typeof value !== "object" || value === null || isUnknown(value)) return false;
  return Object.values(value).some((one) => holdsWithheld(one as RedactedValue));
}
