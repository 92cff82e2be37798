import {
  type DriftedObject,
  type Enumeration,
  isWhollyKnown,
  sameValue,
  UNKNOWN,
  type Value,
} from "../../engine";
import { fieldName } from "../printing/printable";
import { SENSITIVE } from "../printing/values";
import type { Field } from "./difference";
import { fieldsOf } from "./fields-of";
import { renderNamed, withoutNulls } from "./value-text";

/**
 * The attributes of an object that drifted, compared from applied to live. None for a vanished object. Remarks tell declared
 * values that differ from both, and attributes that may not be declared.
 */
export function driftedFields({
  kind,
  change,
  attributes,
  declared,
  notKnownDeclared = [],
}: DriftedObject): Field[] {
  if (kind === "vanished") return [];
  const drifted = new Set(attributes);
  return fieldsOf(change)
    .filter(({ name }) => drifted.has(name))
    .map((field) => {
      const { name, difference } = field;
      const { type, text } = change.attributes[name] ?? {};
      const isThird = name in declared && !sameValue(declared[name]!, change.after?.[name] ?? null, type);
      const value =
        difference.kind === "hidden" ? SENSITIVE : inOneLine(declared[name] ?? null, text?.values);
      const remarks = [
        ...(isThird ? [`now declared: ${fieldName(name)} = ${value}`] : []),
        ...(notKnownDeclared.includes(name) ? [`${fieldName(name)} is not known to be declared`] : []),
      ];
      return remarks.length === 0 ? field : { name, difference: { ...difference, remarks } };
    });
}

const inOneLine = (value: Value, names: Enumeration | undefined): string =>
  renderNamed(isWhollyKnown(value) ? withoutNulls(value) : UNKNOWN, names);
