import { formatPath } from "../../diagnostics";
import { instanceAddress } from "../../engine/state/address";
import { stateView } from "../../engine/state/json-view";
import {
  emptyState,
  type InstanceState,
  type ResourceState,
  type SensitivePath,
  type State,
} from "../../engine/state/model";
import type { Schema } from "../../provider/schema";
import type { ViewArguments } from "../arguments/command-line";
import type { NamedState } from "../stack/read-states";
import type { Terminal } from "../terminal";
import { renderOutputs } from "./outputs";
import { printable, quote } from "./printable";
import { renderStackHeading } from "./stack-heading";
import { styleFor } from "./style";
import { renderFieldLines } from "./values";

/** The schema of a type, where it is known. */
export type SchemaOf = (resource: ResourceState) => Schema | undefined;

/** Shows states to people, each below the name of its stack where there are several. */
export function writeStates(
  states: readonly NamedState[],
  schemaOf: SchemaOf,
  terminal: Terminal,
  { color }: ViewArguments,
): void {
  const style = styleFor(terminal.out, terminal, color);
  for (const { stack, state } of states) {
    if (states.length > 1) terminal.out.write(renderStackHeading(stack, style));
    terminal.out.write(renderState(state ?? emptyState(), schemaOf));
  }
}

/** Writes a state in the shape of `terraform show -json`. */
export function writeStateJson(state: State, schemaOf: SchemaOf, { out }: Pick<Terminal, "out">): void {
  const sensitive = (resource: ResourceState) =>
    sensitiveNames(schemaOf(resource)).map((attribute) => [{ attribute }]);
  out.write(`${JSON.stringify(stateView(state, { sensitive }))}\n`);
}

/** A state as people read it: every object with its attributes, then the outputs. Sensitive values are hidden. */
export function renderState(state: State, schemaOf: SchemaOf): string {
  const objects = state.resources.flatMap((resource) =>
    resource.instances.map((instance) => renderObject(resource, instance, schemaOf(resource))),
  );
  const outputs = renderOutputs(state.outputs);
  if (objects.length === 0 && outputs === "") return "The state is empty.\n";
  return [...objects, ...(outputs === "" ? [] : [`Outputs:\n\n${outputs}`])].join("\n");
}

function renderObject(resource: ResourceState, instance: InstanceState, schema: Schema | undefined): string {
  const marks = [
    ...(instance.status === "tainted" ? ["tainted"] : []),
    ...(instance.deposed === undefined ? [] : [`deposed object ${instance.deposed}`]),
  ];
  const keyword = resource.mode === "data" ? "data" : "resource";
  // An attribute that has no value says nothing of the object.
  const attributes = Object.fromEntries(
    Object.entries(instance.attributes).filter(([, value]) => value !== null),
  );
  const hides = hider(instance.sensitivePaths, schema);
  return [
    `# ${printable(instanceAddress(resource, instance))}:${marks.length > 0 ? ` (${marks.join(", ")})` : ""}`,
    `${keyword} ${quote(resource.type)} ${quote(resource.name)} {`,
    ...renderFieldLines(attributes, { step: 4, margin: 4, hides }),
    "}\n",
  ].join("\n");
}

function hider(
  sensitive: readonly SensitivePath[],
  schema: Schema | undefined,
): (path: readonly (string | number)[]) => boolean {
  const hidden = new Set([
    ...sensitiveNames(schema),
    ...sensitive.map((path) =>
      formatPath(
        path.map((step) => ("attribute" in step ? step.attribute : (step.index as string | number))),
      ),
    ),
  ]);
  return (path) => hidden.has(formatPath(path));
}

const sensitiveNames = (schema: Schema | undefined): string[] =>
  Object.entries(schema?.attributes ?? {})
    .filter(([, attribute]) => attribute.text.sensitive)
    .map(([name]) => name);
