import { type AttributeType, canonicalJson, isObject, isUnknown, type Value } from "../../../provider/schema";
import { elementType } from "./place";

/** A text that is equal for values that mean the same at a place: sets in any order, an absent attribute like null. */
export function identity(value: Value, type: AttributeType | undefined): string {
  if (type === undefined || value === null || isUnknown(value)) return canonicalJson(value);
  if (Array.isArray(value)) {
    const elements = value.map((one) => identity(one, elementType({ type })));
    return `[${(type.kind === "set" ? elements.sort() : elements).join(",")}]`;
  }
  if (!isObject(value) || !("nested" in type)) return canonicalJson(value);
  const fields = Object.entries(value)
    .filter(([, one]) => one !== null)
    .map(([name, one]) => `${JSON.stringify(name)}:${identity(one, type.nested[name]?.type)}`);
  return `{${fields.sort().join(",")}}`;
}
