import type { AttributePath } from "../../diagnostics";
import { JsonNumber, plainDecimal } from "../../json";
import {
  type Attributes,
  type AttributeType,
  elementType,
  isObject,
  isUnknown,
  semanticKey,
  UNKNOWN,
  type Value,
  type ValueObject,
} from "../../schema";
import { isJsonObject, type Json, type JsonObject } from "../../state";

// The values of changes in saved plans and approval files. An object with one key that starts with `$` represents a value that
// JSON can't express. Keys of the values themselves that start with `$` get a second `$`.

const UNKNOWN_TAG = "$unknown";
const SENSITIVE_TAG = "$sensitive";

/** The mark of a sensitive value in a file, such as a hash. Equal values have the same mark. */
type Mark = string | number;

/** The encoding of the values in one file. */
export interface Encoding {
  /**
   * Returns the mark for a sensitive value.
   *
   * @param attribute the attribute that contains the value; undefined for a value that belongs to no object
   */
  markOf(value: Value, attribute: string | undefined): Mark;
  /**
   * Returns whether a text outside of the sensitive paths contains a sensitive value. Without this function, all texts outside of
   * the sensitive paths count as not sensitive.
   */
  isSecret?(text: string): boolean;
  /** Whether sets and attributes are sorted, so that equal values have the same text. */
  readonly isSorted?: boolean;
}

/**
 * Encodes the attributes of an object.
 *
 * @param sensitive paths of sensitive values; an empty path means all attributes
 * @param attributes the schema of the attributes, for the order of sets
 */
export function encodeValues(
  values: ValueObject,
  sensitive: readonly AttributePath[],
  encoding: Encoding,
  attributes: Attributes = {},
): JsonObject {
  const isWhole = sensitive.some((path) => path.length === 0);
  return encodeFields(values, encoding, (name, value) =>
    encode(value, isWhole ? [[]] : below(sensitive, name), {
      encoding,
      attribute: name,
      type: attributes[name]?.type,
    }),
  );
}

/** Encodes a value that belongs to no object, such as the value of an output. */
export const encodeValue = (value: Value, sensitive: readonly AttributePath[], encoding: Encoding): Json =>
  encode(value, sensitive, { encoding, attribute: undefined, type: undefined });

/** The context in which a part of a value is encoded. */
interface Context {
  readonly encoding: Encoding;
  readonly attribute: string | undefined;
  readonly type: AttributeType | undefined;
}

function encode(value: Value, sensitive: readonly AttributePath[], context: Context): Json {
  const { encoding, attribute, type } = context;
  const marked = () => ({ [SENSITIVE_TAG]: encoding.markOf(value, attribute) });
  if (isUnknown(value)) return { [UNKNOWN_TAG]: true };
  if (value !== null && sensitive.some((path) => path.length === 0)) return marked();
  if (typeof value === "string") return encoding.isSecret?.(value) === true ? marked() : value;
  if (Array.isArray(value)) return encodeElements(value, sensitive, context);
  if (!isObject(value)) return value as Json;
  const nested = type !== undefined && "nested" in type ? type.nested : undefined;
  return encodeFields(value, encoding, (name, one) =>
    encode(one, below(sensitive, name), { ...context, type: nested?.[name]?.type }),
  );
}

function encodeFields(
  object: ValueObject,
  { isSorted }: Encoding,
  encodeField: (name: string, value: Value) => Json,
): JsonObject {
  const entries = Object.entries(object).filter(([, one]) => one !== undefined);
  if (isSorted) entries.sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(
    entries.map(([name, one]) => [name.startsWith("$") ? `$${name}` : name, encodeField(name, one)]),
  );
}

function encodeElements(
  list: readonly Value[],
  sensitive: readonly AttributePath[],
  context: Context,
): Json[] {
  const { encoding, type } = context;
  const inList = { ...context, type: elementType(type) };
  const elements = list.map((one, at) => encode(one, below(sensitive, at), inList));
  if (!encoding.isSorted || type?.kind !== "set") return elements;
  const keyed = elements.map((one) => [semanticKey(one as Value, inList.type), one] as const);
  return keyed.sort(([one], [other]) => (one < other ? -1 : 1)).map(([, one]) => one);
}

const NONE: readonly AttributePath[] = [];

/** Returns the paths that begin with this field or element, without their first step. */
const below = (paths: readonly AttributePath[], step: string | number): readonly AttributePath[] =>
  paths.length === 0 ? NONE : paths.filter(([first]) => first === step).map(([, ...rest]) => rest);

/** Returns whether a JSON value can be a result of `encodeValue`. */
export function isEncoded(json: unknown): json is Json {
  if (Array.isArray(json)) return json.every(isEncoded);
  // A number with a very large exponent is refused, because its digits could exhaust the memory.
  if (json instanceof JsonNumber) return plainDecimal(json.text) !== undefined;
  if (typeof json !== "object" || json === null) return true;
  const entries = Object.entries(json);
  return isTag(entries) || entries.every(([name, one]) => !/^\$(?!\$)/.test(name) && isEncoded(one));
}

function isTag(entries: readonly (readonly [string, unknown])[]): boolean {
  const [[name, content] = [], ...others] = entries;
  if (others.length > 0) return false;
  if (name === UNKNOWN_TAG) return content === true;
  return name === SENSITIVE_TAG && (typeof content === "string" || Number.isSafeInteger(content));
}

/** Decodes a value. Each sensitive value becomes a placeholder text, which is the same for equal values. */
export function decodeValue(json: Json): Value {
  if (Array.isArray(json)) return json.map(decodeValue);
  if (!isJsonObject(json)) return json;
  if (UNKNOWN_TAG in json) return UNKNOWN;
  if (SENSITIVE_TAG in json) return `(sensitive value ${json[SENSITIVE_TAG]})`;
  return Object.fromEntries(
    Object.entries(json).map(([name, one]) => [name.replace(/^\$\$/, "$"), decodeValue(one)]),
  );
}

const hasTag = (json: unknown, tag: string): boolean =>
  typeof json === "object" && json !== null && Object.hasOwn(json, tag);

/** Returns whether an encoded value is unknown as a whole. */
export const isEncodedUnknown = (json: unknown): boolean => hasTag(json, UNKNOWN_TAG);

/** Returns whether an encoded value has sensitive parts. */
export const hasSensitive = (json: Json): boolean =>
  typeof json === "object" &&
  json !== null &&
  (hasTag(json, SENSITIVE_TAG) || Object.values(json).some((one) => hasSensitive(one as Json)));

/** Returns an encoded value as a line of JSON for people, without the marks of sensitive values. */
export const encodedText = (json: unknown): string =>
  JSON.stringify(json, (_key, one: unknown) => {
    if (hasTag(one, SENSITIVE_TAG)) return "(sensitive value)";
    return hasTag(one, UNKNOWN_TAG) ? "(known after apply)" : one;
  });
