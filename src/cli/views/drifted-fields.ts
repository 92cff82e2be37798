import {
  type DriftedObject,
  type Enumeration,
  isObject,
  isWhollyKnown,
  sameValue,
  UNKNOWN,
  type Value,
} from "../../engine";
import { type Field, fieldsOf, renderNamed } from "../difference";
import { fieldName } from "../printing/printable";
import type { Style } from "../printing/style";
import { SENSITIVE } from "../printing/values";

/** The attributes of an object that drifted, compared from applied to live. None for a vanished object. */
export function driftedFields({ kind, change, attributes }: DriftedObject): Field[] {
  const drifted = new Set(attributes);
  return kind === "vanished" ? [] : fieldsOf(change).filter(({ name }) => drifted.has(name));
}

/**
 * Comments on attributes whose declared value differs from both the applied and the live value, and on
 * attributes that may not be declared.
 */
export const declaredLines = (drifted: DriftedObject, fields: readonly Field[], style: Style): string[] => [
  ...thirdValues(drifted, fields, style),
  ...(drifted.notKnownDeclared ?? []).map(
    (name) => `        ${style.dim(`# (${fieldName(name)} is not known to be declared)`)}`,
  ),
];

const thirdValues = (
  { change: { attributes, after }, declared }: DriftedObject,
  fields: readonly Field[],
  { dim }: Style,
): string[] =>
  fields
    .filter(
      ({ name }) =>
        name in declared && !sameValue(declared[name]!, after?.[name] ?? null, attributes[name]?.type),
    )
    .map(({ name, difference }) => {
      const names = attributes[name]?.text.values;
      const value = difference.kind === "hidden" ? SENSITIVE : inOneLine(declared[name]!, names);
      return `        ${dim(`# (now declared: ${fieldName(name)} = ${value})`)}`;
    });

const inOneLine = (value: Value, names: Enumeration | undefined): string =>
  renderNamed(isWhollyKnown(value) ? withoutNulls(value) : UNKNOWN, names);

/** Attributes that an element does not set are not shown. */
function withoutNulls(value: Value): Value {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(fields.map(([name, field]) => [name, withoutNulls(field)]));
}
