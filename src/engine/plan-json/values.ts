import type { AttributePath } from "../../diagnostics";
import { compareText } from "../../language";
import {
  type Attributes,
  type AttributeType,
  isNested,
  isObject,
  isUnknown,
  type Value,
  type ValueObject,
} from "../../schema";
import { type Json, type JsonObject, sensitivityOf } from "../../state";

/** A value without unknown parts: omitted in objects, null in lists. */
export function knownPart(value: Value): Json | undefined {
  if (isUnknown(value)) return undefined;
  if (Array.isArray(value)) return value.map((one: Value) => knownPart(one) ?? null);
  return isObject(value) ? knownAttributes(value) : (value as Json);
}

export const knownAttributes = (object: ValueObject): JsonObject =>
  Object.fromEntries(
    entriesInOrder(object)
      .map(([name, one]) => [name, knownPart(one)] as const)
      .filter((entry): entry is [string, Json] => entry[1] !== undefined),
  );

/**
 * A mask of a value with `true` for unknown parts. Known parts are omitted in objects and `false` in lists.
 */
export function unknownPart(value: Value): Json {
  if (isUnknown(value)) return true;
  if (Array.isArray(value)) return value.length === 0 ? false : value.map(unknownPart);
  return isObject(value) && Object.keys(value).length > 0 ? unknownAttributes(value) : false;
}

export const unknownAttributes = (object: ValueObject): JsonObject =>
  Object.fromEntries(
    entriesInOrder(object)
      .map(([name, one]): [string, Json] => [name, unknownPart(one)])
      .filter(([, one]) => one !== false),
  );

/** A mask of the sensitive parts; `false` without an object. */
export function sensitivePart(
  object: ValueObject | null,
  attributes: Attributes,
  paths: readonly AttributePath[],
): Json {
  if (object === null) return false;
  const steps = paths.map((path) =>
    path.map((step) => (typeof step === "number" ? { index: step } : { attribute: step })),
  );
  return sensitivityOf(filled(object, { kind: "single", nested: attributes }), steps);
}

/** An unknown collection has the shape of an empty one. */
function filled(value: Value, type: AttributeType | undefined): Json {
  if (isUnknown(value)) return emptyOf(type);
  const nested = type !== undefined && isNested(type) ? type.nested : undefined;
  if (Array.isArray(value))
    return value.map((one: Value) => filled(one, nested && { kind: "single", nested }));
  if (!isObject(value)) return value as Json;
  return Object.fromEntries(
    entriesInOrder(value).map(([name, one]) => [name, filled(one, nested?.[name]?.type)]),
  );
}

function emptyOf(type: AttributeType | undefined): Json {
  if (type?.kind === "list" || type?.kind === "set") return [];
  return type?.kind === "map" || type?.kind === "single" ? {} : "";
}

const entriesInOrder = (object: ValueObject): [string, Value][] =>
  Object.entries(object).sort(([one], [other]) => compareText(one, other));
