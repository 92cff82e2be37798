import { type Diagnostic, type DiagnosticPath, error, formatPath } from "../diagnostics";
import {
  type Attribute,
  type Attributes,
  type AttributeType,
  attributeEntries,
  isCollectionOfPrimitives,
  isNested,
} from "./attribute";
import { elementStep } from "./element-step";
import { isNumericId, type PathSyntax, type PathSyntaxes } from "./reference";
import { isObject, isUnknown, type Value, type ValueObject } from "./value";

/**
 * Validates a configuration against its attributes, except for unknown values. The host has converted all
 * values to the schema's types. `paths` holds the reference kinds.
 */
export const validateAttributes = (
  attributes: Attributes,
  config: ValueObject,
  paths: PathSyntaxes = {},
): Diagnostic[] => validateObject(attributes, config, paths, []);

function validateObject(
  attributes: Attributes,
  config: ValueObject,
  paths: PathSyntaxes,
  path: DiagnosticPath,
): Diagnostic[] {
  return attributeEntries(attributes).flatMap(([name, attribute]) =>
    validateAttribute(attribute, config[name] ?? null, paths, [...path, name]),
  );
}

function validateAttribute(
  attribute: Attribute,
  value: Value,
  paths: PathSyntaxes,
  path: DiagnosticPath,
): Diagnostic[] {
  if (isUnknown(value)) return [];
  if (value === null) return attribute.presence === "required" ? [missing(path)] : [];
  if (attribute.presence === "computed") return [readOnly(path)];
  const found = validateShape(attribute, value, paths, path);
  return found.length > 0 ? found : invalid(path, attribute.text.check?.(value));
}

/** Checks that follow from the type: valid references, no null elements, valid nested objects. */
function validateShape(
  { type, text }: Attribute,
  value: Value,
  paths: PathSyntaxes,
  path: DiagnosticPath,
): Diagnostic[] {
  if (type.kind === "reference") return invalid(path, checkReference(type.to, paths, value));
  const validate = (element: Value, at: DiagnosticPath): Diagnostic[] => {
    if (isUnknown(element)) return [];
    if (element === null) return [invalidValue(at, "An element can't be null.")];
    const found = validateElement(type, element, paths, at);
    return found.length > 0 ? found : invalid(at, text.checkElement?.(element));
  };
  if (type.kind === "single") return validate(value, path);
  return Array.isArray(value)
    ? value.flatMap((element: Value, index) =>
        validate(element, [...path, elementStep(type, element, index)]),
      )
    : [];
}

function validateElement(
  type: AttributeType,
  element: Value,
  paths: PathSyntaxes,
  path: DiagnosticPath,
): Diagnostic[] {
  if (isNested(type)) return isObject(element) ? validateObject(type.nested, element, paths, path) : [];
  const isReference = isCollectionOfPrimitives(type) && type.element.kind === "reference";
  return isReference ? invalid(path, checkReference(type.element.to, paths, element)) : [];
}

const invalid = (path: DiagnosticPath, problem: string | undefined): Diagnostic[] =>
  problem === undefined ? [] : [invalidValue(path, problem)];

/** A path of digits alone would be read as an id. */
const isPath = (text: string, { pattern }: PathSyntax): boolean =>
  pattern.test(text) && !/^[0-9]+$/.test(text);

function checkReference(kind: string, paths: PathSyntaxes, value: Value): string | undefined {
  const text = String(value);
  const shape = paths[kind];
  if (isNumericId(text) || shape === undefined || isPath(text, shape)) return undefined;
  return (
    `${JSON.stringify(text)} is not a valid ${kind}. Give its numeric id, such as "42", or ` +
    `${shape.hint}.`
  );
}

/** A diagnostic about a value that is invalid in itself. */
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
    detail: `${formatPath(attribute)} is required, but it is not set. Set it in the declaration.`,
    attribute,
  });

const readOnly = (attribute: DiagnosticPath): Diagnostic =>
  error({
    code: "read_only_attribute",
    summary: "Attribute can't be set",
    detail: `${formatPath(attribute)} is set by the service alone. Remove it from the declaration.`,
    attribute,
  });
