import { type AttributePath, type Diagnostic, error, formatPath, nearest } from "../../diagnostics";
import type { Attributes, ValueObject } from "../../provider/schema";
import { isNested } from "../../provider/schema";
import type { Body } from "../config";
import { ConversionError, convert, type Type, unmarkDeep, type Value, type ValuePath } from "../values";
import type { Evaluation, Repetition, Site } from "./evaluation";
import { constraintType, sensitiveAttributes, toPlainAs } from "./plain";

/** A block's attributes, evaluated and of the schema's types; unknown where a value isn't known yet. */
export interface EvaluatedBody {
  readonly config: ValueObject;
  /** Where the expressions, or the schema, say that a value is sensitive. */
  readonly sensitive: readonly AttributePath[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Evaluates a block against its schema: unknown names and wrong types are told with their path and construct. */
export function evaluateBody(
  body: Body,
  attributes: Attributes,
  evaluation: Evaluation,
  site: Site,
  repetition: Repetition = {},
): EvaluatedBody {
  const diagnostics: Diagnostic[] = [];
  const sensitive: AttributePath[] = [];
  const config: Record<string, ValueObject[string]> = {};
  for (const name of body.keys()) {
    if (!(name in attributes)) diagnostics.push(unknownAttribute([name], Object.keys(attributes), site));
  }
  const types = constraintType(attributes);
  for (const name of Object.keys(attributes)) {
    config[name] = null;
    const expression = body.get(name);
    if (expression === undefined) continue;
    const { value, diagnostics: found } = evaluation.evaluate(expression, site, [name], repetition);
    diagnostics.push(...found);
    if (value === undefined) continue;
    diagnostics.push(...unknownNested(attributes[name]!.type, value, [name], site));
    const converted = convertTo(value, types.attributes.get(name)!, [name], site, diagnostics);
    if (converted === undefined) continue;
    const { value: unmarked, sensitivePaths } = unmarkDeep(converted);
    sensitive.push(...sensitivePaths.map((path: ValuePath) => [name, ...path]));
    config[name] = toPlainAs(types.attributes.get(name)!, unmarked);
  }
  return { config, sensitive: [...sensitive, ...sensitiveAttributes(attributes)], diagnostics };
}

function convertTo(
  value: Value,
  type: Type,
  attribute: AttributePath,
  site: Site,
  diagnostics: Diagnostic[],
): Value | undefined {
  try {
    return convert(value, type);
  } catch (problem) {
    if (!(problem instanceof ConversionError)) throw problem;
    const path = [...attribute, ...problem.path];
    const detail = `${formatPath(path)}: ${problem.reason}.`;
    diagnostics.push(error({ code: "wrong_type", summary: "Wrong type", detail, ...locate(site, path) }));
    return undefined;
  }
}

/** A conversion drops the attributes that an object type doesn't have; a misspelt one must not go that way unseen. */
function unknownNested(
  type: Attributes[string]["type"],
  value: Value,
  path: AttributePath,
  site: Site,
): Diagnostic[] {
  if (!isNested(type)) return [];
  const { content } = value;
  if (Array.isArray(content)) {
    return (content as readonly Value[]).flatMap((element, index) =>
      unknownNested(type, element, [...path, index], site),
    );
  }
  if (!(content instanceof Map)) return [];
  return [...(content as ReadonlyMap<string, Value>).keys()]
    .filter((name) => !(name in type.nested))
    .map((name) => unknownAttribute([...path, name], Object.keys(type.nested), site));
}

function unknownAttribute(path: AttributePath, names: readonly string[], site: Site): Diagnostic {
  const name = String(path.at(-1));
  const close = nearest(name, names);
  const hint =
    close === undefined ? `Known are ${[...names].sort().join(", ")}.` : `Did you mean "${close}"?`;
  return error({
    code: "unknown_attribute",
    summary: "Unknown attribute",
    detail: `${formatPath(path)} is no attribute here. ${hint}`,
    ...locate(site, path),
  });
}

export const locate = ({ address, construct }: Site, attribute?: AttributePath) => ({
  address,
  ...(construct !== undefined && { construct }),
  ...(attribute !== undefined && { attribute }),
});
