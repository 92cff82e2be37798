import { type Diagnostic, type DiagnosticPath, error, formatPath } from "../../diagnostics";
import {
  type Attribute,
  type Attributes,
  type AttributeType,
  attributeEntries,
  isCollectionOfPrimitives,
  isNested,
} from "./attribute";
import { stepTo } from "./element-step";
import { isNumericId, type ReferenceKind } from "./reference";
import { isObject, isUnknown, type Value, type ValueObject } from "./value";

/**
 * Checks a configuration against its attributes. Values that are not known yet are passed over; types are the
 * host's to check, which converts every value to the schema's type first.
 */
export function validateAttributes(
  attributes: Attributes,
  config: ValueObject,
  path: DiagnosticPath = [],
): Diagnostic[] {
  return attributeEntries(attributes).flatMap(([name, attribute]) =>
    validateAttribute(attribute, config[name] ?? null, [...path, name]),
  );
}

function validateAttribute(attribute: Attribute, value: Value, path: DiagnosticPath): Diagnostic[] {
  if (isUnknown(value)) return [];
  if (value === null) return attribute.presence === "required" ? [missing(path)] : [];
  if (attribute.presence === "computed") return [readOnly(path)];
  const found = validateShape(attribute, value, path);
  return found.length > 0 ? found : invalid(path, attribute.text.check?.(value));
}

/** What the type alone asks for: well-formed references, no null elements, right nested objects. */
function validateShape({ type, text }: Attribute, value: Value, path: DiagnosticPath): Diagnostic[] {
  if (type.kind === "reference") return invalid(path, checkReference(type.to, value));
  const validate = (element: Value, at: DiagnosticPath): Diagnostic[] => {
    if (isUnknown(element)) return [];
    if (element === null) return [invalidValue(at, "An element can't be null.")];
    const found = validateElement(type, element, at);
    return found.length > 0 ? found : invalid(at, text.checkElement?.(element));
  };
  if (type.kind === "single") return validate(value, path);
  return Array.isArray(value)
    ? value.flatMap((element: Value, index) => validate(element, [...path, stepTo(type, element, index)]))
    : [];
}

function validateElement(type: AttributeType, element: Value, path: DiagnosticPath): Diagnostic[] {
  if (isNested(type)) return isObject(element) ? validateAttributes(type.nested, element, path) : [];
  const isReference = isCollectionOfPrimitives(type) && type.element.kind === "reference";
  return isReference ? invalid(path, checkReference(type.element.to, element)) : [];
}

const invalid = (path: DiagnosticPath, problem: string | undefined): Diagnostic[] =>
  problem === undefined ? [] : [invalidValue(path, problem)];

const REFERENCE_SHAPES: Record<ReferenceKind, { readonly pattern: RegExp; readonly says: string }> = {
  project: { pattern: /^[^/\s]+(\/[^/\s]+)+$/, says: 'its full path, such as "acme/web-shop"' },
  group: { pattern: /^[^/\s]+(\/[^/\s]+)*$/, says: 'its full path, such as "acme/platform"' },
  user: { pattern: /^[^/\s@]+$/, says: 'a username, such as "ada"' },
};

function checkReference(kind: ReferenceKind, value: Value): string | undefined {
  const text = String(value);
  const { pattern, says } = REFERENCE_SHAPES[kind];
  if (isNumericId(text) || (pattern.test(text) && !/^[0-9]+$/.test(text))) return undefined;
  return `${JSON.stringify(text)} names no ${kind}. Give its numeric id, such as "42", or ${says}.`;
}

/** A diagnostic on a value that is wrong in itself. */
export const invalidValue = (attribute: DiagnosticPath, problem: string): Diagnostic =>
  error({
    code: "invalid_value",
    summary: "Invalid value",
    detail: `${formatPath(attribute)}: ${problem}`,
    attribute,
  });

const missing = (attribute: DiagnosticPath): Diagnostic =>
  error({
    code: "missing_attribute",
    summary: "Missing required attribute",
    detail: `${formatPath(attribute)} is required, and nothing was given. Set it in the declaration.`,
    attribute,
  });

const readOnly = (attribute: DiagnosticPath): Diagnostic =>
  error({
    code: "read_only_attribute",
    summary: "Attribute can't be set",
    detail: `${formatPath(attribute)} is set by the service alone. Take it out of the declaration.`,
    attribute,
  });
