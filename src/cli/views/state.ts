import { formatPath } from "../../diagnostics";
import { instanceAddress } from "../../engine/state/address";
import type { InstanceState, ResourceState, SensitivePath, State } from "../../engine/state/model";
import type { Schema } from "../../provider/schema";
import { renderOutputs } from "./outputs";
import { printable, quote } from "./printable";
import type { Style } from "./style";
import { renderFieldLines } from "./values";

/** The schema of a type, where it is known. */
export type SchemaOf = (resource: ResourceState) => Schema | undefined;

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
  return [
    `# ${printable(instanceAddress(resource, instance))}:${marks.length > 0 ? ` (${marks.join(", ")})` : ""}`,
    `${keyword} ${quote(resource.type)} ${quote(resource.name)} {`,
    ...renderFieldLines(attributes, {
      step: 4,
      margin: 4,
      hides: hider(instance.sensitivePaths, schema),
    }),
    "}\n",
  ].join("\n");
}

function hider(
  sensitive: readonly SensitivePath[],
  schema: Schema | undefined,
): (path: readonly (string | number)[]) => boolean {
  const hidden = new Set(
    sensitive.map((path) =>
      formatPath(
        path.map((step) => ("attribute" in step ? step.attribute : (step.index as string | number))),
      ),
    ),
  );
  return (path) =>
    hidden.has(formatPath(path)) ||
    (path.length === 1 && schema?.attributes[path[0]!]?.text.sensitive === true);
}

/** What stands above a stack's part where there are several. */
export const renderStackHeading = (stack: string | undefined, { bold }: Style): string =>
  `\n${bold(printable(`Stack ${stack ?? ""}`))}\n`;
