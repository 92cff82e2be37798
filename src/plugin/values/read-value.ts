import { decode, ExtData } from "@msgpack/msgpack";
import type { AttributePath } from "../../diagnostics";
import {
  type Attributes,
  type AttributeType,
  isNested,
  UNKNOWN,
  type Value,
  type ValueObject,
} from "../../provider/schema";
import type { Messages } from "../messages/generated/tfplugin6";
import { readNumber } from "./numbers";

/** What msgpack gives: maps have become plain objects, and extensions stay what they are. */
type Raw =
  | null
  | boolean
  | number
  | bigint
  | string
  | ExtData
  | readonly Raw[]
  | { readonly [name: string]: Raw };

/**
 * Reads an object of these attributes: whatever is absent is null, whatever is not among them is dropped.
 * Nothing where the object itself is null.
 *
 * @throws DiagnosticError for a number that can't be kept exactly
 */
export function readObject(
  attributes: Attributes,
  dynamic: Messages["DynamicValue"] | undefined,
): ValueObject | undefined {
  const raw = dynamic === undefined ? null : parse(dynamic);
  return raw === null ? undefined : (readAttributes(attributes, raw, []) as ValueObject);
}

function parse({ msgpack, json }: Messages["DynamicValue"]): Raw {
  if (msgpack.length > 0) return decode(msgpack, { useBigInt64: true }) as Raw;
  if (json.length === 0) return null;
  // A number of JSON is the decimal that stands there, as msgpack has it in a text.
  return JSON.parse(Buffer.from(json).toString(), (_, value: unknown) =>
    typeof value === "number" ? String(value) : value,
  ) as Raw;
}

function readAttributes(attributes: Attributes, raw: Raw, path: AttributePath): Value {
  const fields = isExtension(raw) ? undefined : (raw as { readonly [name: string]: Raw });
  return Object.fromEntries(
    Object.entries(attributes).map(([name, { type }]): [string, Value] => [
      name,
      // Of an object that isn't known, no attribute is known.
      fields === undefined ? UNKNOWN : readValue(type, fields[name] ?? null, [...path, name]),
    ]),
  );
}

/** Unknown values are extensions; what else they tell of a value, such as its prefix, is not needed here. */
const isExtension = (raw: Raw): boolean => raw instanceof ExtData;

function readValue(type: AttributeType, raw: Raw, path: AttributePath): Value {
  if (raw === null) return null;
  if (isExtension(raw)) return UNKNOWN;
  switch (type.kind) {
    case "number":
      return readNumber(raw as number | bigint | string, path);
    case "set":
    case "list":
      return (raw as readonly Raw[]).map((element, index) => readElement(type, element, [...path, index]));
    case "map":
      return Object.fromEntries(
        Object.entries(raw).map(([key, element]: [string, Raw]) => [
          key,
          readElement(type, element, [...path, key]),
        ]),
      );
    case "single":
      return readAttributes(type.nested, raw, path);
    default:
      return raw as string | boolean;
  }
}

type Collection = Extract<AttributeType, { readonly kind: "set" | "list" | "map" | "single" }>;

function readElement(type: Collection, raw: Raw, path: AttributePath): Value {
  if (raw === null) return null;
  if (isExtension(raw)) return UNKNOWN;
  return isNested(type) ? readAttributes(type.nested, raw, path) : readValue(type.element, raw, path);
}
