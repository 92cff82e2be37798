import { type Diagnostic, fail } from "../../diagnostics";
import { type Configuration, instanceAddress, objectName, resourceAddress } from "../../language";
import type { InstanceState, ResourceState, State } from "../../state";
import { collectSensitive, sensitivePathsOf } from "../results/redaction";
import type { StackRun } from "../stack-run/stack-run";
import { foreignTest } from "./foreign-objects";

/** An object of a state, with the provider configuration that manages it. */
export interface StateObject {
  readonly address: string;
  readonly resource: ResourceState;
  readonly instance: InstanceState;
  /** Key in the configuration's providers; of a foreign object, the address of its provider. */
  readonly provider: string;
  /** Whether its provider is not part of the run, so that the run does not know its type. */
  readonly isForeign?: boolean;
}

/** The objects of a state by resource address, in their order. */
export interface StateObjects {
  /** Current objects of instances. */
  readonly current: Map<string, StateObject[]>;
  /** Objects that wait for their delete after a replacement was created. */
  readonly deposed: Map<string, StateObject[]>;
  /** Resources of providers that are not part of the run, which stay as they are. */
  readonly foreign: readonly ResourceState[];
}

/** The name of an object: its address, with the key if it is deposed. */
export const nameOf = ({ address, instance }: StateObject): string => objectName(address, instance.deposed);

export function objectsOf(state: State | undefined, run: StackRun): StateObjects {
  const current = new Map<string, StateObject[]>();
  const deposed = new Map<string, StateObject[]>();
  const foreign: ResourceState[] = [];
  const isForeign = foreignTest(run);
  const keys = new Map<string, string>();
  for (const resource of state?.resources ?? []) {
    const name = resourceAddress(resource);
    // The text by which all other objects are found, so that maps compare it fast.
    const address = run.context.configuration.resources.get(name)?.address ?? name;
    if (isForeign(resource)) {
      foreign.push(resource);
      for (const instance of resource.instances) recordSensitive(run, instance);
      continue;
    }
    rejectModules(resource, address);
    let provider = keys.get(resource.provider);
    if (provider === undefined) {
      provider = providerKeyOf(resource.provider, run);
      keys.set(resource.provider, provider);
    }
    rejectUnknownType(resource, run, provider);
    const { instances } = resource;
    const key = provider;
    const all = instances.map((instance): StateObject => {
      recordSensitive(run, instance);
      const own = instance.indexKey === undefined ? address : instanceAddress(resource, instance);
      return { address: own, resource, instance, provider: key };
    });
    if (all.length === 1 && !isDeposed(all[0]!)) {
      current.set(address, all);
      continue;
    }
    const deposedObjects = all.filter(isDeposed);
    current.set(address, deposedObjects.length === 0 ? all : all.filter((one) => !isDeposed(one)));
    if (deposedObjects.length > 0) deposed.set(address, deposedObjects);
  }
  return { current, deposed, foreign };
}

function recordSensitive(run: StackRun, instance: InstanceState): void {
  if (instance.sensitivePaths.length > 0)
    collectSensitive(run.context.sensitive, instance.attributes, sensitivePathsOf(instance, {}));
}

/** The objects of a foreign resource. */
export const foreignObjects = (resource: ResourceState): StateObject[] =>
  resource.instances.map((instance) => ({
    address: instanceAddress(resource, instance),
    resource,
    instance,
    provider: resource.provider,
    isForeign: true,
  }));

/** The objects of managed resources. */
export function managedOf(all: ReadonlyMap<string, StateObject[]>): StateObject[] {
  const found: StateObject[] = [];
  all.forEach((objects) => {
    if (objects[0]?.resource.mode === "managed") found.push(...objects);
  });
  return found;
}

const isDeposed = ({ instance }: StateObject): boolean => instance.deposed !== undefined;

/** The address of a provider configuration in states: `provider["SOURCE"].ALIAS`. */
export function providerAddress(source: string, key: string): string {
  const alias = key.split(".")[1];
  return `provider["${source}"]${alias === undefined ? "" : `.${alias}`}`;
}

/**
 * Returns the provider address of an object where this configuration declares its resource: another stack may
 * use other aliases.
 */
export const providerInConfiguration =
  ({ resources }: Configuration) =>
  (at: Parameters<typeof resourceAddress>[0], provider: string): string => {
    const [, source] = /^provider\["([^"]+)"\](?:\.(.+))?$/.exec(provider) ?? [];
    const key = resources.get(resourceAddress(at))?.provider;
    return source === undefined || key === undefined ? provider : providerAddress(source, key);
  };

/**
 * The configuration key for a provider address of a state.
 *
 * @throws DiagnosticError `unknown_provider`
 */
export function providerKeyOf(address: string, run: StackRun): string {
  const [, source, alias] = /^provider\["([^"]+)"\](?:\.(.+))?$/.exec(address) ?? [];
  if (source === undefined) return unknownConfiguration(address);
  const known = run.graph.ids
    .filter((id) => id.startsWith("provider."))
    .map((id) => id.slice("provider.".length));
  const key = known.find((one) => run.source(one) === source && one.split(".")[1] === alias);
  if (key !== undefined) return key;
  // The configuration no longer uses this provider: its default configuration can still delete the objects.
  return alias === undefined ? source.split("/").at(-1)! : unknownConfiguration(address);
}

const unknownConfiguration = (address: string): never =>
  fail({
    code: "unknown_provider",
    summary: "Missing provider block",
    detail: `The state contains objects of ${address}, but the configuration has no such provider block. Restore the block, destroy the objects, and then remove the block.`,
  });

function rejectModules({ module }: ResourceState, address: string): void {
  if (module === undefined) return;
  fail({
    code: "configuration_unsupported",
    summary: "Not supported by the embedded engine",
    detail: `The state contains ${address}, an object of a module, which the embedded engine does not manage. Run Terraform on this state.`,
    action: { kind: "other", program: "terraform plan" },
    address,
  });
}

function rejectUnknownType({ mode, type, name }: ResourceState, run: StackRun, provider: string): void {
  const known = run.providerFor(provider)?.schema;
  if (mode === "data" || (known !== undefined && type in known.resources)) return;
  fail({
    code: "unknown_type",
    summary: "Unknown resource type in the state",
    detail: `The state contains ${type}.${name}, but the provider ${run.source(provider)} has no resource of this type. Use the provider version that wrote the state.`,
  });
}

/** The construct of an object's resource, if it is still declared. */
export const constructOf = (
  { resources }: Configuration,
  resource: Pick<ResourceState, "mode" | "type" | "name">,
): string | undefined => resources.get(resourceAddress(resource))?.construct;

/** Adds the object's address and construct to diagnostics of a provider. */
export const at = (
  diagnostics: readonly Diagnostic[],
  address: string,
  construct: string | undefined,
): readonly Diagnostic[] =>
  diagnostics.length === 0
    ? diagnostics
    : diagnostics.map((one) => ({ ...one, address, ...(construct !== undefined && { construct }) }));
