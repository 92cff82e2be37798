import { type AttributePath, type Diagnostic, error, formatPath } from "../../diagnostics";
import {
  type Attribute,
  type Attributes,
  type AttributeType,
  isCollectionOfPrimitives,
  isNested,
} from "./attribute";
import { isNumericId, type ReferenceKind } from "./reference";
import { isObject, isUnknown, type Value, type ValueObject } from "./value";

/**
 * Checks a configuration against its attributes. Values that are not known yet are passed over; types are the
 * host's to check, which converts every value to the schema's type first.
 */
export function validateAttributes(
  attributes: Attributes,
  config: ValueObject,
  path: AttributePath = [],
): Diagnostic[] {
  return Object.entries(attributes).flatMap(([name, attribute]) =>
    validateAttribute(attribute, config[name] ?? null, [...path, name]),
  );
}

function validateAttribute(attribute: Attribute, value: Value, path: AttributePath): Diagnostic[] {
  if (isUnknown(value)) return [];
  if (value === null) return attribute.presence === "required" ? [missing(path)] : [];
  if (attribute.presence === "computed") return [readOnly(path)];
  const found = [...validateShape(attribute, value, path)];
  if (found.length > 0) return found;
  const problem = attribute.text.check?.(value);
  return problem === undefined ? [] : [invalidValue(path, problem)];
}

/** What the type alone asks for: well-formed references, no null elements, right nested objects. */
function* validateShape({ type, text }: Attribute, value: Value, path: AttributePath): Generator<Diagnostic> {
  if (type.kind === "reference") {
    const problem = checkReference(type.to, value);
    if (problem !== undefined) yield invalidValue(path, problem);
    return;
  }
  const elements = type.kind === "single" ? [value] : Array.isArray(value) ? value : [];
  for (const [index, element] of elements.entries()) {
    if (isUnknown(element)) continue;
    const at = type.kind === "single" ? path : [...path, index];
    const found =
      element === null
        ? [invalidValue(at, "An element can't be null.")]
        : [...validateElement(type, element, at)];
    yield* found;
    const problem = found.length > 0 ? undefined : text.checkElement?.(element);
    if (problem !== undefined) yield invalidValue(at, problem);
  }
}

function* validateElement(type: AttributeType, element: Value, path: AttributePath): Generator<Diagnostic> {
  if (isNested(type) && isObject(element)) yield* validateAttributes(type.nested, element, path);
  else if (isCollectionOfPrimitives(type) && type.element.kind === "reference") {
    const problem = checkReference(type.element.to, element);
    if (problem !== undefined) yield invalidValue(path, problem);
  }
}

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
export const invalidValue = (attribute: AttributePath, problem: string): Diagnostic =>
  error({
    code: "invalid_value",
    summary: "Invalid value",
    detail: `${formatPath(attribute)}: ${problem}`,
    attribute,
  });

const missing = (attribute: AttributePath): Diagnostic =>
  error({
    code: "missing_attribute",
    summary: "Missing required attribute",
    detail: `${formatPath(attribute)} is required, and nothing was given. Set it in the declaration.`,
    attribute,
  });

const readOnly = (attribute: AttributePath): Diagnostic =>
  error({
    code: "read_only_attribute",
    summary: "Attribute can't be set",
    detail: `${formatPath(attribute)} is set by the service alone. Take it out of the declaration.`,
    attribute,
  });
