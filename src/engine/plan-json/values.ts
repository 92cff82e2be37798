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

/** A value without what is not known yet: an object leaves it out, and a list has null in its place. */
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

/** The shape of a value with `true` for what is not known yet: objects leave out what is known, lists say `false` for it. */
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

/** The same for what is sensitive; `false` where there is no object. */
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

/** An unknown collection has a shape all the same: an empty one. */
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
