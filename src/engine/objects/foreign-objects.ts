import { type Diagnostic, error, warning } from "../../diagnostics";
import { type Configuration, moduleChain, resourceAddress } from "../../language";
import type { ResourceState } from "../../state";
import { counted, namesUpTo } from "../../text";
import { withoutKeys } from "../declarations/address-keys";
import type { StackRun } from "../stack-run/stack-run";

/** The parts of a resource in a state that identify it and its provider. */
type Held = Pick<ResourceState, "mode" | "type" | "name" | "module" | "provider">;

/** The source of a provider's address in a state, in any module: `module.web.provider["SOURCE"].ALIAS`. */
const SOURCE = /(?:^|\.)provider\["([^"]+)"\]/;

/** The source of the provider of a resource in a state. */
export const sourceOf = ({ provider }: Pick<Held, "provider">): string =>
  SOURCE.exec(provider)?.[1] ?? provider;

/**
 * Returns a test for resources of a state that belong to providers which a run does not have. Such resources stay in the state
 * as they are.
 */
export function foreignTest(run: StackRun): (resource: Held) => boolean {
  const isOwnSource = new Map<string, boolean>();
  return (resource) => {
    let isOwn = isOwnSource.get(resource.provider);
    if (isOwn === undefined) {
      isOwn = run.hasSource(sourceOf(resource));
      isOwnSource.set(resource.provider, isOwn);
    }
    return !isOwn && !hasType(run, resource);
  };
}

/** Whether a provider of the run has the type: it may be installed from another source than the one in the state. */
function hasType(run: StackRun, resource: Held): boolean {
  const schema = run.providerFor(sourceOf(resource).split("/").at(-1)!)?.schema;
  if (schema === undefined) return false;
  return resource.type in (resource.mode === "data" ? schema.dataSources : schema.resources);
}

/** How the `removed` block for a resource ends its management; undefined without one. A block may name a module. */
export function removalOf({ removals }: Configuration, resource: Held) {
  if (removals.size === 0) return undefined;
  const own = removals.get(withoutKeys(resourceAddress(resource)));
  if (own !== undefined || resource.module === undefined) return own;
  const modules = moduleChain(withoutKeys(resource.module)) ?? [];
  return modules.map((module) => removals.get(module)).find((one) => one !== undefined);
}

/** Names each type of foreign objects once, with how many there are. */
const typesOf = (resources: readonly ResourceState[]): string[] => {
  const counts = new Map<string, number>();
  for (const { type, instances } of resources) counts.set(type, (counts.get(type) ?? 0) + instances.length);
  return [...counts].sort(([, one], [, other]) => other - one).map(([type, count]) => `${type} (${count})`);
};

/** How many types a message names. */
const MAX_TYPES = 8;

/**
 * Lists the objects of other providers in a state, once.
 *
 * @param isForgotten whether the plan removes a resource from the state
 */
export function reportForeign(
  foreign: readonly ResourceState[],
  isForgotten: (resource: ResourceState) => boolean,
): Diagnostic[] {
  const staying = foreign.filter((resource) => resource.mode === "managed" && !isForgotten(resource));
  const count = staying.reduce((sum, { instances }) => sum + instances.length, 0);
  if (count === 0) return [];
  const sources = [...new Set(staying.map(sourceOf))];
  return [
    warning({
      code: "other_providers",
      summary: "Objects of other providers",
      detail: `The state contains ${counted(count, "object")} of ${namesUpTo(MAX_TYPES, sources)}: ${namesUpTo(MAX_TYPES, typesOf(staying))}. The embedded engine does not manage objects of other providers, and keeps them in the state. To remove such an object from the state, declare a removed block with \`destroy = false\`. To change it, run Terraform with this command.`,
      action: { kind: "other", program: "terraform plan" },
    }),
  ];
}

/** A `removed` block asks to destroy objects that only their own provider can destroy. */
export const foreignRemoval = (address: string, resource: ResourceState): Diagnostic =>
  error({
    code: "configuration_unsupported",
    summary: "Not supported by the embedded engine",
    detail: `A removed block destroys ${address}, an object of the provider ${sourceOf(resource)}, which the embedded engine does not contain. Nothing is sent for this object. To keep the object and remove it from the state, set \`destroy = false\` in the block's lifecycle. To destroy the object, run Terraform with this command.`,
    action: { kind: "other", program: "terraform apply" },
    address,
  });
