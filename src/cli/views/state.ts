import type { AttributePath, PathStep } from "../../diagnostics";
import {
  checksJson,
  checksOfState,
  hiddenPaths,
  type InstanceState,
  instanceAddress,
  type Json,
  type ResourceState,
  type Schema,
  type SensitivePath,
  type State,
  shown,
  stateView,
  type ValueObject,
} from "../../engine";
import { stringifyJson } from "../../json";
import { oneLine, quote } from "../../text";
import { compareFields, NO_CONTEXT, rowsOf } from "../difference";
import { paragraphs, type Terminal } from "../terminal/terminal";
import { renderOutputs } from "./run-results";

/** A function that returns the schema of a resource; undefined if the type of the resource is unknown. */
export type SchemaOf = (resource: ResourceState) => Schema | undefined;

/** Writes a state in the format of `terraform show -json`. */
export function writeStateJson(state: State, schemaOf: SchemaOf, { out }: Pick<Terminal, "out">): void {
  const sensitive = (resource: ResourceState) =>
    sensitiveNames(schemaOf(resource)).map((attribute) => [{ attribute }]);
  const checks = checksJson(checksOfState(state.checkResults));
  const view = { ...stateView(state, sensitive), ...(checks.length > 0 && { checks }) };
  out.line(stringifyJson(view));
}

/** Renders a state for people: all objects with their attributes, then the outputs. Hides sensitive values. */
export function renderState(state: State, schemaOf: SchemaOf): string[] {
  const objects = state.resources.flatMap((resource) =>
    resource.instances.map((instance) => renderObject(resource, instance, schemaOf(resource))),
  );
  const outputs = renderOutputs(state.outputs);
  if (objects.length === 0 && outputs.length === 0) return ["The state is empty."];
  return paragraphs([...objects, ...(outputs.length === 0 ? [] : [["Outputs:"], outputs])]);
}

function renderObject(resource: ResourceState, stored: InstanceState, schema: Schema | undefined): string[] {
  const instance = { ...stored, attributes: shownIn(stored, schema) };
  const marks = [
    ...(instance.status === "tainted" ? ["tainted"] : []),
    ...(instance.deposed === undefined ? [] : [`deposed object ${instance.deposed}`]),
  ];
  const keyword = resource.mode === "data" ? "data" : "resource";
  // Attributes without a value are not shown.
  const attributes = Object.fromEntries(
    Object.entries(instance.attributes).filter(([, value]) => value !== null),
  );
  const sensitive = hiddenIn(instance, schema);
  const fields = compareFields(undefined, attributes as ValueObject, { ...NO_CONTEXT, sensitive });
  return [
    `# ${oneLine(instanceAddress(resource, instance))}:${marks.length > 0 ? ` (${marks.join(", ")})` : ""}`,
    `${keyword} ${quote(resource.type)} ${quote(resource.name)} {`,
    ...rowsOf(fields, { isUnmarked: true }).map(({ depth, text }) => `${" ".repeat(4 + 4 * depth)}${text}`),
    "}",
  ];
}

const shownIn = ({ attributes }: InstanceState, schema: Schema | undefined): InstanceState["attributes"] =>
  shown(schema?.attributes ?? {}, attributes as ValueObject) as InstanceState["attributes"];

function hiddenIn({ attributes, sensitivePaths }: InstanceState, schema: Schema | undefined) {
  const sensitive = [
    ...sensitiveNames(schema).map((name) => [name]),
    ...sensitivePaths.map((path) => resolvablePrefix(path, attributes, schema)),
  ];
  return hiddenPaths(attributes as ValueObject, sensitive).filter(({ length }) => length > 0);
}

/**
 * Returns the longest first part of a sensitive path that exists in the values. The path ends at a set,
 * because elements of a set have no position.
 */
function resolvablePrefix(
  path: SensitivePath,
  attributes: InstanceState["attributes"],
  schema: Schema | undefined,
): AttributePath {
  const reached: PathStep[] = [];
  let value: Json | undefined = attributes;
  for (const step of path) {
    const key: Json = "attribute" in step ? step.attribute : step.index;
    const isSet = reached.length === 1 && schema?.attributes[reached[0]!]?.type.kind === "set";
    if (typeof value !== "object" || value === null || isSet) break;
    if (typeof key !== "string" && typeof key !== "number") break;
    value = (value as Record<string | number, Json>)[key];
    if (value === undefined) break;
    reached.push(key);
  }
  return reached;
}

const sensitiveNames = (schema: Schema | undefined): string[] =>
  Object.entries(schema?.attributes ?? {})
    .filter(([, attribute]) => attribute.text.sensitive)
    .map(([name]) => name);
