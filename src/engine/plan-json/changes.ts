import type { AttributePath } from "../../diagnostics";
import type { Provider } from "../../framework";
import { compareText } from "../../language";
import {
  type Attributes,
  type AttributeType,
  isNested,
  isObject,
  isUnknown,
  isWhollyKnown,
  type Schema,
  shown,
  type Value,
  type ValueObject,
} from "../../schema";
import { compareInstances, isJsonObject, type Json, type JsonObject, sensitivityOf } from "../../state";
import type { OutputChange, ResourceChange } from "../results/plan";
import { builtinSchema } from "../stack-run/builtin-provider";

/**
 * Converts each part of a value. If the result for a part is undefined, the part is omitted from an object, and replaced by
 * `absent` in a list.
 */
function converted(value: Value, convert: (part: Value) => Json | undefined, absent: Json): Json | undefined {
  if (Array.isArray(value) && value.length > 0)
    return value.map((one: Value) => converted(one, convert, absent) ?? absent);
  return isObject(value) && Object.keys(value).length > 0
    ? convertedObject(value, convert, absent)
    : convert(value);
}

const convertedObject = (object: ValueObject, convert: (part: Value) => Json | undefined, absent: Json) =>
  Object.fromEntries(
    entriesInOrder(object)
      .map(([name, one]) => [name, converted(one, convert, absent)] as const)
      .filter((entry): entry is [string, Json] => entry[1] !== undefined),
  );

const ifKnown = (part: Value): Json | undefined => (isUnknown(part) ? undefined : (part as Json));
const ifUnknown = (part: Value): Json | undefined => (isUnknown(part) ? true : undefined);

/** Returns an object without its unknown parts. In lists, an unknown element becomes null. */
export const knownAttributes = (object: ValueObject): JsonObject => convertedObject(object, ifKnown, null);

/** Returns a mask of an object, with `true` for unknown parts. Known parts are omitted from objects, and `false` in lists. */
const unknownAttributes = (object: ValueObject): JsonObject => convertedObject(object, ifUnknown, false);

/** Returns a mask of an object, with `true` for its sensitive parts; `false` if there is no object. */
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

/** Returns a value in which an unknown collection is empty, because the mask needs the shape of the value. */
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

/** Returns an object with one property. Returns an empty object if the value of the property would be empty, as in Terraform. */
export const present = (name: string, part: JsonObject | Json[]): JsonObject =>
  Object.keys(part).length === 0 ? {} : { [name]: part };

/** Sorts changes as Terraform does: data sources first, and indexes by number. */
export const inTerraformOrder = (changes: readonly ResourceChange[]): ResourceChange[] =>
  [...changes].sort(
    (one, other) =>
      compareText(one.mode, other.mode) ||
      compareText(one.type, other.type) ||
      compareText(one.name, other.name) ||
      compareInstances(keyOnly(one), keyOnly(other)),
  );

const keyOnly = ({ indexKey }: ResourceChange) =>
  ({ ...(indexKey !== undefined && { indexKey }) }) as Parameters<typeof compareInstances>[0];

/** Returns the fields that name an object in all parts of a plan. */
export const objectJson = ({ address, previousAddress, mode, type, name, indexKey, provider }: Named) => ({
  address,
  ...(previousAddress !== undefined && { previous_address: previousAddress }),
  mode,
  type,
  name,
  ...(indexKey !== undefined && { index: indexKey }),
  provider_name: provider,
});

type Named = Pick<
  ResourceChange,
  "address" | "previousAddress" | "mode" | "type" | "name" | "indexKey" | "provider"
>;

/** Returns one entry of `resource_changes` or `resource_drift`. */
export function resourceChangeJson(change: ResourceChange): JsonObject {
  const { deposed, reason } = change;
  return {
    ...objectJson(change),
    ...(deposed !== undefined && { deposed }),
    change: changeJson(change),
    ...(reason !== undefined && { action_reason: reason }),
  };
}

function changeJson(change: ResourceChange): JsonObject {
  const { action, attributes, replacePaths, importing, beforeIdentity, afterIdentity } = change;
  const before = change.before && shown(attributes, change.before);
  const after = change.after && shown(attributes, change.after);
  return {
    actions: action.split("-then-"),
    before: before && knownAttributes(before),
    after: after && knownAttributes(after),
    // As in Terraform, the mask of a wholly known object is empty.
    after_unknown: after === null || isWhollyKnown(after) ? {} : unknownAttributes(after),
    before_sensitive: sensitivePart(before, attributes, change.beforeSensitive),
    after_sensitive: sensitivePart(after, attributes, change.afterSensitive),
    ...(replacePaths.length > 0 && { replace_paths: replacePaths.map((path): Json => [...path]) }),
    ...(importing !== undefined && { importing: importingJson(importing) }),
    ...(beforeIdentity && { before_identity: beforeIdentity as JsonObject }),
    ...(afterIdentity && { after_identity: afterIdentity as JsonObject }),
  };
}

/** Returns the id or the identity that the import uses, as in Terraform. */
const importingJson = ({ id, identity }: NonNullable<ResourceChange["importing"]>): JsonObject =>
  identity === undefined ? { id } : { identity: identity as JsonObject };

/**
 * Returns the paths that a mask marks with `true`. An invalid part of a mask counts as `true`, so that nothing sensitive is
 * shown.
 */
export function markedPaths(mask: unknown, path: AttributePath = []): AttributePath[] {
  if (mask === false || mask === null || mask === undefined) return [];
  if (Array.isArray(mask)) return mask.flatMap((one, at) => markedPaths(one, [...path, at]));
  if (!isJsonObject(mask as Json)) return [path];
  return Object.entries(mask as JsonObject).flatMap(([name, one]) => markedPaths(one, [...path, name]));
}

/** Returns one entry of `output_changes`. */
export function outputChangeJson({ action, before, after, sensitive }: OutputChange): JsonObject {
  const known = converted(after, ifKnown, null);
  return {
    actions: [action],
    before: converted(before, ifKnown, null) ?? null,
    ...(known !== undefined && { after: known }),
    after_unknown: isWhollyKnown(after) ? false : (converted(after, ifUnknown, false) ?? false),
    before_sensitive: sensitive,
    after_sensitive: sensitive,
  };
}

type Type = { readonly mode: "managed" | "data"; readonly type: string };

/** Returns the schema of a resource or data source; undefined if neither a provider nor the engine has the type. */
export function findSchema(
  providers: Readonly<Record<string, Provider>>,
  { mode, type }: Type,
): Schema | undefined {
  const kind = mode === "managed" ? "resources" : "dataSources";
  const found = Object.values(providers).find(({ schema }) => Object.hasOwn(schema[kind], type));
  return found?.schema[kind][type] ?? builtinSchema(mode, type);
}

/** Returns the attributes of a type's schema; undefined for an unknown type. */
export const attributesOf = (
  providers: Readonly<Record<string, Provider>>,
  type: Type,
): Attributes | undefined => findSchema(providers, type)?.attributes;
