import { Encoder, ExtData } from "@msgpack/msgpack";
import {
  type Attributes,
  type AttributeType,
  isNested,
  isUnknown,
  type Value,
  type ValueObject,
} from "../../schema";
import { writeNumber } from "./numbers";

/** Terraform's extension of an unknown value; its content is empty. */
const UNKNOWN_VALUE = new ExtData(0, new Uint8Array([0]));

/** Shared: creating an encoder takes longer than writing a small object. */
const encoder = new Encoder();
const NULL = encoder.encode(null);

/** Writes an object with all these attributes, null if they have no value. Undefined is written as null. */
export const writeObject = (
  attributes: Attributes,
  value: ValueObject | undefined,
): { msgpack: Uint8Array } => ({
  msgpack: value === undefined ? NULL : encoder.encode(writeAttributes(attributes, value)),
});

/** Writes one value of a type. */
export const writeDynamic = (type: AttributeType, value: Value): { msgpack: Uint8Array } => ({
  msgpack: encoder.encode(writeValue(type, value)),
});

function writeAttributes(attributes: Attributes, value: ValueObject): Readonly<Record<string, unknown>> {
  const written: Record<string, unknown> = {};
  for (const name in attributes) written[name] = writeValue(attributes[name]!.type, value[name] ?? null);
  return written;
}

function writeValue(type: AttributeType, value: Value): unknown {
  if (value === null) return null;
  if (isUnknown(value)) return UNKNOWN_VALUE;
  if (typeof value === "number") return writeNumber(value);
  if (Array.isArray(value)) return value.map((element: Value) => writeElement(type, element));
  if (typeof value !== "object") return value;
  if (type.kind === "single") return writeAttributes(type.nested, value as ValueObject);
  return Object.fromEntries(
    Object.entries(value).map(([key, element]) => [key, writeElement(type, element)]),
  );
}

function writeElement(type: AttributeType, element: Value): unknown {
  if ("element" in type) return writeValue(type.element, element);
  if (!isNested(type) || element === null || isUnknown(element)) return writeValue(type, element);
  return writeAttributes(type.nested, element as ValueObject);
}
