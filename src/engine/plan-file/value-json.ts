import { JsonNumber, plainDecimal } from "../../json";
import { isUnknown, UNKNOWN, type Value } from "../../schema";
import { isJsonObject, type Json } from "../../state";

/** Stands where a saved plan leaves something sensitive out; equal values have equal numbers. */
export class Withheld {
  constructor(readonly number: number) {}
}

/** A value of which parts may be left out. */
export type Kept = Value | Withheld | readonly Kept[] | { readonly [name: string]: Kept };

const UNKNOWN_TAG = "$unknown";
const WITHHELD_TAG = "$withheld";

/**
 * A value as a saved plan holds it. What JSON has no word for is an object with one key that begins with `$`; a key of
 * the value's own that begins with `$` has one more.
 */
export function writeValue(value: Kept): Json {
  if (isUnknown(value)) return { [UNKNOWN_TAG]: true };
  if (value instanceof Withheld) return { [WITHHELD_TAG]: value.number };
  if (Array.isArray(value)) return value.map(writeValue);
  if (typeof value !== "object" || value === null || value instanceof JsonNumber) return value as Json;
  const entries = Object.entries(value as { readonly [name: string]: Kept });
  return Object.fromEntries(
    entries
      .filter(([, one]) => one !== undefined)
      .map(([name, one]) => [name.startsWith("$") ? `$${name}` : name, writeValue(one)]),
  );
}

/** Whether `writeValue` can have written this. */
export function isWrittenValue(json: unknown): json is Json {
  if (Array.isArray(json)) return json.every(isWrittenValue);
  // Working with digits that a power of ten stands for could fill the memory.
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

/** Reads what `writeValue` wrote. */
export function readValue(json: Json): Kept {
  if (Array.isArray(json)) return json.map(readValue);
  if (!isJsonObject(json)) return json;
  if (UNKNOWN_TAG in json) return UNKNOWN;
  const withheld = json[WITHHELD_TAG];
  if (withheld !== undefined) return new Withheld(withheld as number);
  return Object.fromEntries(
    Object.entries(json).map(([name, one]) => [name.replace(/^\$\$/, "$"), readValue(one)]),
  );
}

/** Whether what `writeValue` wrote stands for something that was left out. */
export const isWithheld = (json: Json | undefined): boolean =>
  isJsonObject(json) && Object.hasOwn(json, WITHHELD_TAG);

/** Puts a value in the place of all that was left out. */
export function filled(value: Kept, fill: (withheld: Withheld) => Value): Value {
  if (value instanceof Withheld) return fill(value);
  if (typeof value !== "object" || value === null || isUnknown(value) || value instanceof JsonNumber)
    return value as Value;
  if (Array.isArray(value)) return value.map((one: Kept) => filled(one, fill));
  return Object.fromEntries(
    Object.entries(value as { readonly [name: string]: Kept }).map(([name, one]) => [
      name,
      filled(one, fill),
    ]),
  );
}

/** Whether something was left out of a value. */
export function holdsWithheld(value: Kept): boolean {
  if (value instanceof Withheld) return true;
  if (typeof value !== "object" || value === null || isUnknown(value)) return false;
  return Object.values(value).some((one) => holdsWithheld(one as Kept));
}
