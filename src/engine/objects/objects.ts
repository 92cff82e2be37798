import { type Diagnostic, error, fail, hasErrors, warning } from "../../diagnostics";
import type { StoredState } from "../../framework";
import {
  type Configuration,
  instanceAddress,
  moduleChain,
  objectName,
  resourceAddress,
} from "../../language";
import type { ValueObject } from "../../schema";
import type { InstanceState, ResourceState, State } from "../../state";
import { counted, namesUpTo } from "../../text";
import { withoutKeys } from "../declarations/address-keys";
import { collectSensitive, sensitivePathsOf } from "../results/redaction";
import type { StackRun } from "../stack-run/stack-run";

/** An object of a state, with the provider configuration that manages it. */
export interface StateObject {
  readonly address: string;
  readonly resource: ResourceState;
  readonly instance: InstanceState;
  /**
   * The key of the object's provider configuration. For a foreign object, the field is the address of the provider in
   * the state.
   */
  readonly provider: string;
  /** Whether the provider of the object is not part of the run. The run then does not know the object's type. */
  readonly isForeign?: boolean;
}

/** The objects of a state by resource address, in the order of the state. */
export interface StateObjects {
  /** Current objects of instances. */
  readonly current: Map<string, StateObject[]>;
  /** Objects that wait for their delete after a replacement was created. */
  readonly deposed: Map<string, StateObject[]>;
  /** Resources of providers that are not part of the run. They stay unchanged. */
  readonly foreign: readonly ResourceState[];
}

/** Returns the name of an object: its address and, if it is deposed, its key. */
export const nameOf = ({ address, instance }: StateObject): string => objectName(address, instance.deposed);

export function objectsOf(state: State | undefined, run: StackRun): StateObjects {
  const current = new Map<string, StateObject[]>();
  const deposed = new Map<string, StateObject[]>();
  const foreign: ResourceState[] = [];
  const isForeign = foreignTest(run);
  const keys = new Map<string, string>();
  for (const resource of state?.resources ?? []) {
    const name = resourceAddress(resource);
    // The address is the same string as in the configuration, because maps compare identical strings quickly.
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

/** Returns the objects of a resource whose provider is not part of the run. */
export const foreignObjects = (resource: ResourceState): StateObject[] =>
  resource.instances.map((instance) => ({
    address: instanceAddress(resource, instance),
    resource,
    instance,
    provider: resource.provider,
    isForeign: true,
  }));

/** Returns the objects of managed resources, without data sources. */
export function managedOf(all: ReadonlyMap<string, StateObject[]>): StateObject[] {
  const found: StateObject[] = [];
  all.forEach((objects) => {
    if (objects[0]?.resource.mode === "managed") found.push(...objects);
  });
  return found;
}

const isDeposed = ({ instance }: StateObject): boolean => instance.deposed !== undefined;

/** Returns the address of a provider configuration in states: `provider["SOURCE"].ALIAS`. */
export function providerAddress(source: string, key: string): string {
  const alias = key.split(".")[1];
  return `provider["${source}"]${alias === undefined ? "" : `.${alias}`}`;
}

/**
 * Returns a function for objects of other stacks. Other stacks can use other provider aliases. The function returns the
 * provider address that this configuration uses for the object's resource.
 */
export const providerInConfiguration =
  ({ resources }: Configuration) =>
  (at: Parameters<typeof resourceAddress>[0], provider: string): string => {
    const [, source] = /^provider\["([^"]+)"\](?:\.(.+))?$/.exec(provider) ?? [];
    const key = resources.get(resourceAddress(at))?.provider;
    return source === undefined || key === undefined ? provider : providerAddress(source, key);
  };

/**
 * Returns the configuration key for a provider address of a state.
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
  // The configuration no longer uses this provider. The default configuration of the provider can still delete the objects.
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

/** Returns the construct of an object's resource, if the resource is still declared. */
export const constructOf = (
  { resources }: Configuration,
  resource: Pick<ResourceState, "mode" | "type" | "name">,
): string | undefined => resources.get(resourceAddress(resource))?.construct;

/** Adds the address and the construct of an object to diagnostics from its provider. */
export const at = (
  diagnostics: readonly Diagnostic[],
  address: string,
  construct: string | undefined,
): readonly Diagnostic[] =>
  diagnostics.length === 0
    ? diagnostics
    : diagnostics.map((one) => ({ ...one, address, ...(construct !== undefined && { construct }) }));

/** The fields that identify a resource in a state, and its provider. */
type Held = Pick<ResourceState, "mode" | "type" | "name" | "module" | "provider">;

/** Matches the source in the address of a provider in a state, in any module: `module.web.provider["SOURCE"].ALIAS`. */
const SOURCE = /(?:^|\.)provider\["([^"]+)"\]/;

/** Returns the source address of a resource's provider, from a state. */
export const sourceOf = ({ provider }: Pick<Held, "provider">): string =>
  SOURCE.exec(provider)?.[1] ?? provider;

/** Returns a test for resources whose providers are not part of the run. The run does not change these resources in the state. */
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

/**
 * Returns whether a provider of the run has the type of a resource. The state can name another source address for this
 * provider.
 */
function hasType(run: StackRun, resource: Held): boolean {
  const schema = run.providerFor(sourceOf(resource).split("/").at(-1)!)?.schema;
  if (schema === undefined) return false;
  return resource.type in (resource.mode === "data" ? schema.dataSources : schema.resources);
}

/**
 * Returns how a `removed` block ends the management of a resource; undefined without a block. The block can name the resource,
 * or a module that contains it.
 */
export function removalOf({ removals }: Configuration, resource: Held) {
  if (removals.size === 0) return undefined;
  const own = removals.get(withoutKeys(resourceAddress(resource)));
  if (own !== undefined || resource.module === undefined) return own;
  const modules = moduleChain(withoutKeys(resource.module)) ?? [];
  return modules.map((module) => removals.get(module)).find((one) => one !== undefined);
}

/** Returns one text for each type of foreign objects: the type and the number of its objects. */
const typesOf = (resources: readonly ResourceState[]): string[] => {
  const counts = new Map<string, number>();
  for (const { type, instances } of resources) counts.set(type, (counts.get(type) ?? 0) + instances.length);
  return [...counts].sort(([, one], [, other]) => other - one).map(([type, count]) => `${type} (${count})`);
};

/** The maximum number of types in a message. */
const MAX_TYPES = 8;

/**
 * Reports the objects of other providers in a state, once per run.
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

/**
 * Returns the error for a `removed` block that would destroy an object whose provider is not part of the run. Only that
 * provider can destroy the object.
 */
export const foreignRemoval = (address: string, resource: ResourceState): Diagnostic =>
  error({
    code: "configuration_unsupported",
    summary: "Not supported by the embedded engine",
    detail: `A removed block destroys ${address}, an object of the provider ${sourceOf(resource)}, which the embedded engine does not contain. Nothing is sent for this object. To keep the object and remove it from the state, set \`destroy = false\` in the block's lifecycle. To destroy the object, run Terraform with this command.`,
    action: { kind: "other", program: "terraform apply" },
    address,
  });

/** Returns whether an object in the state already has the current versions of its schemas. */
export function isCurrent(
  run: StackRun,
  { instance: { schemaVersion, identity }, resource: { type }, provider }: StateObject,
): boolean {
  const schema = run.providerFor(provider)!.schema.resources[type];
  if (schema === undefined || schema.version !== schemaVersion) return false;
  return identity === undefined || identity.version === schema.identity?.version;
}

/** Returns the attributes and private bytes of an object in a state, in the form that providers use. */
export const stateOf = ({ attributes, private: bytes }: InstanceState): StoredState => ({
  attributes: attributes as ValueObject,
  private: bytes,
});

/** Returns an object of the state with its upgraded attributes and identity. */
export function storedState(
  instance: InstanceState,
  attributes = instance.attributes as ValueObject,
  identity = instance.identity?.values as ValueObject | undefined,
): StoredState {
  const stored: { -readonly [K in keyof StoredState]: StoredState[K] } = {
    attributes,
    private: instance.private,
  };
  if (identity !== undefined) stored.identity = identity;
  return stored;
}

/** Upgrades an object of the state to the current versions of its schemas. An object of a newer version is returned unchanged. */
export function upgraded(run: StackRun, { instance, resource: { type }, provider: key }: StateObject) {
  const provider = run.providerFor(key)!;
  const { schemaVersion, identity } = instance;
  const found = provider.upgradeResource(type, schemaVersion, instance.attributes as ValueObject);
  const { attributes } = found;
  const isUpgraded = attributes !== undefined;
  const isIdentityCurrent =
    identity === undefined || provider.schema.resources[type]?.identity?.version === identity.version;
  if (!isUpgraded || isIdentityCurrent)
    return { before: storedState(instance, attributes), isUpgraded, diagnostics: found.diagnostics };
  const values = identity.values as ValueObject;
  const answer = provider.upgradeIdentity?.(type, identity.version, values);
  const { attributes: now, diagnostics = [] } = answer ?? {};
  const hasFailed = hasErrors(diagnostics);
  const before = { ...storedState(instance, hasFailed ? undefined : attributes), identity: now };
  return { before, isUpgraded: !hasFailed, diagnostics };
}
