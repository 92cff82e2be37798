import {
  type AttributePath,
  type Diagnostic,
  type DiagnosticPath,
  error,
  formatPath,
  nearest,
  SetElement,
} from "../../diagnostics";
import { JsonNumber } from "../../json";
import {
  type Attributes,
  type AttributeType,
  attributeList,
  isNested,
  type Value as Plain,
  elementStep as schemaElementStep,
  UNKNOWN,
  type ValueObject,
} from "../../schema";
import { sentence } from "../../text";
import { constantValue } from "../configuration/load-resource";
import type { Body } from "../configuration/model";
import {
  ConversionError,
  type Type,
  toPlain,
  tryConvert,
  typeToJson,
  unmarkDeep,
  type Value,
  type ValuePath,
} from "../values";
import { type Evaluation, locate, type SourceLocation } from "./evaluation";
import type { Repetition } from "./repetition";
import { constraintType, sensitiveAttributes } from "./schema-types";

/** The evaluated attributes of a block, converted to the types of the schema. */
export interface EvaluatedBody {
  readonly config: ValueObject;
  /** The paths of values that expressions or the schema mark as sensitive. */
  readonly sensitive: readonly AttributePath[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Returns the values of a block's attributes, converted to the types of its schema. Errors contain the attribute path and the
 * construct.
 *
 * @param isStored false for a block whose values are not stored, such as the block of a provider
 */
export function evaluateBody(
  body: Body,
  attributes: Attributes,
  evaluation: Evaluation,
  site: SourceLocation,
  repetition: Repetition = {},
  isStored = true,
): EvaluatedBody {
  const bySchema = sensitiveAttributes(attributes);
  const diagnostics: Diagnostic[] = [];
  const sensitive: AttributePath[] = [];
  const config: Record<string, ValueObject[string]> = {};
  body.forEach((_, name) => {
    if (!(name in attributes)) diagnostics.push(unknownAttribute([name], Object.keys(attributes), site));
  });
  const types = constraintType(attributes);
  const all = attributeList(attributes);
  for (let index = 0; index < all.length; index += 1) {
    const { name, attribute } = all[index]!;
    config[name] = null;
    const expression = body.get(name);
    if (expression === undefined) continue;
    const constant = expression.constant && constantValue(expression.constant.json, attribute.type);
    if (constant !== undefined) {
      config[name] = constant;
      continue;
    }
    const { value, diagnostics: found } = evaluation.evaluate(expression, site, [name], repetition);
    diagnostics.push(...found);
    if (value === undefined) continue;
    const { type } = attribute;
    diagnostics.push(...unknownNested(type, value, [name], site));
    const at = (path: AttributePath) => [name, ...describeSetElement(type, value, path)];
    const target = types.attributes.get(name)!;
    const converted = tryConvert(value, target);
    if (converted instanceof ConversionError) {
      diagnostics.push(wrongType(at(converted.path), converted.reason, site));
      continue;
    }
    const { value: unmarked, sensitivePaths, ephemeralPaths } = unmarkDeep(converted);
    if (isStored) diagnostics.push(...ephemeralPaths.map((path) => ephemeralValue(at(path), site)));
    sensitive.push(...sensitivePaths.map((path: ValuePath) => [name, ...path]));
    const plain = toPlainAs(target, unmarked);
    const endless = infinitePath(plain);
    if (endless !== undefined) diagnostics.push(infiniteNumber([name, ...endless], site));
    config[name] = plain;
  }
  return {
    config,
    sensitive: sensitive.length === 0 ? bySchema : [...sensitive, ...bySchema],
    diagnostics,
  };
}

const infiniteNumber = (path: DiagnosticPath, site: SourceLocation): Diagnostic =>
  error({
    code: "infinite_number",
    summary: "Infinite number",
    detail: `\`${formatPath(path)}\` is infinite, and JSON has no infinite numbers. Guard the expression, for example with a condition.`,
    ...locate(site, path),
  });

const ephemeralValue = (path: DiagnosticPath, site: SourceLocation): Diagnostic =>
  error({
    code: "ephemeral_value",
    summary: "Invalid use of ephemeral value",
    detail: `\`${formatPath(path)}\` is stored in the state, which must not contain ephemeral values. Use the value in a provider configuration, or replace it with null: ephemeralasnull().`,
    ...locate(site, path),
  });

const wrongType = (path: DiagnosticPath, reason: string, site: SourceLocation): Diagnostic =>
  error({
    code: "wrong_type",
    summary: "Wrong type",
    detail: sentence(reason),
    ...locate(site, path),
  });

/**
 * Returns a path into an attribute's value for messages. For an element of a set, which has no index, the path contains a
 * description of the element.
 */
function describeSetElement(type: AttributeType, { content }: Value, path: AttributePath): DiagnosticPath {
  const [first, ...rest] = path;
  const element = Array.isArray(content) ? (content as readonly Value[])[Number(first)] : undefined;
  return element === undefined ? path : [elementStep(type, element, Number(first)), ...rest];
}

function elementStep(type: AttributeType, element: Value, index: number): DiagnosticPath[number] {
  if (type.kind === "set" && element.hasSensitive) return new SetElement(() => "(sensitive value)");
  return schemaElementStep(type, toPlain(unmarkDeep(element).value), index);
}

/**
 * Returns an error for each attribute that its object type lacks, such as a misspelt name. Without this check, the conversion
 * would silently drop the attribute.
 */
function unknownNested(
  type: AttributeType,
  value: Value,
  path: DiagnosticPath,
  site: SourceLocation,
): Diagnostic[] {
  if (!isNested(type)) return [];
  const { content } = value;
  if (Array.isArray(content)) {
    return (content as readonly Value[]).flatMap((element, index) =>
      unknownNested(type, element, [...path, elementStep(type, element, index)], site),
    );
  }
  if (!(content instanceof Map)) return [];
  return [...(content as ReadonlyMap<string, Value>).keys()]
    .filter((name) => !(name in type.nested))
    .map((name) => unknownAttribute([...path, name], Object.keys(type.nested), site));
}

function unknownAttribute(path: DiagnosticPath, names: readonly string[], site: SourceLocation): Diagnostic {
  const name = String(path.at(-1));
  const close = nearest(name, names);
  const hint =
    close === undefined ? `The attributes are ${[...names].sort().join(", ")}.` : `Did you mean "${close}"?`;
  return error({
    code: "unknown_attribute",
    summary: "Unknown attribute",
    detail: `\`${formatPath(path)}\` is not an attribute of this type. ${hint}`,
    ...locate(site, path),
  });
}

/**
 * Converts a value without marks to the form in which providers receive an attribute of this type. For the dynamic type, the
 * result is `{ value, type }`, as in states.
 */
export function toPlainAs(type: Type, value: Value): Plain {
  if (type.kind !== "dynamic" || value.type.kind === "dynamic") return toPlain(value);
  return { value: toPlain(value), type: typeToJson(value.type) as Plain };
}

/**
 * Returns the path of the first infinite number in a value; undefined if there is none. States and requests can't contain
 * infinite numbers.
 */
export function infinitePath(plain: Plain): AttributePath | undefined {
  if (plain instanceof JsonNumber) return /inf/i.test(plain.text) ? [] : undefined;
  if (typeof plain !== "object" || plain === null || plain === UNKNOWN) return undefined;
  const entries: Iterable<readonly [string | number, Plain]> = Array.isArray(plain)
    ? (plain as readonly Plain[]).entries()
    : Object.entries(plain as ValueObject);
  for (const [step, one] of entries) {
    const below = infinitePath(one);
    if (below !== undefined) return [step, ...below];
  }
  return undefined;
}
