import { type Diagnostic, fail } from "../../diagnostics";
import { type Configuration, instanceAddress, objectName, resourceAddress } from "../../language";
import type { InstanceState, ResourceState, State } from "../../state";
import { keepAt } from "./sensitive";
import { sensitivePathsOf } from "./sensitivity";
import type { StackRun } from "./stack-run";

/** One object that a state holds, with the key of the provider configuration that manages it. */
export interface StateObject {
  readonly address: string;
  readonly resource: ResourceState;
  readonly instance: InstanceState;
  /** Key into the configuration's providers. */
  readonly provider: string;
}

/** The objects of a state, by resource address without keys, each in their order. */
export interface StateObjects {
  /** The objects that instances have now. */
  readonly current: Map<string, StateObject[]>;
  /** Those that wait for their end after a replacement was made. */
  readonly deposed: Map<string, StateObject[]>;
}

/** What an object is called. */
export const nameOf = ({ address, instance }: StateObject): string => objectName(address, instance.deposed);

export function objectsOf(state: State | undefined, run: StackRun): StateObjects {
  const current = new Map<string, StateObject[]>();
  const deposed = new Map<string, StateObject[]>();
  const keys = new Map<string, string>();
  for (const resource of state?.resources ?? []) {
    const address = resourceAddress(resource);
    refuseUnsupported(resource, address);
    const provider = keys.get(resource.provider) ?? providerKeyOf(resource.provider, run);
    keys.set(resource.provider, provider);
    refuseUnknownType(resource, run, provider);
    for (const instance of resource.instances)
      keepAt(run.context.sensitive, instance.attributes, sensitivePathsOf(instance, {}));
    const all = resource.instances.map((instance) => ({
      address: instanceAddress(resource, instance),
      resource,
      instance,
      provider,
    }));
    current.set(
      address,
      all.filter(({ instance }) => instance.deposed === undefined),
    );
    const waiting = all.filter(({ instance }) => instance.deposed !== undefined);
    if (waiting.length > 0) deposed.set(address, waiting);
  }
  return { current, deposed };
}

/** The address of a provider configuration as states have it: `provider["SOURCE"].ALIAS`. */
export function providerAddress(source: string, key: string): string {
  const alias = key.split(".")[1];
  return `provider["${source}"]${alias === undefined ? "" : `.${alias}`}`;
}

/** The provider's address that an object has where this configuration declares its resource: that of another stack has its own aliases. */
export const inConfiguration =
  ({ resources }: Configuration) =>
  (at: Parameters<typeof resourceAddress>[0], provider: string): string => {
    const [, source] = /^provider\["([^"]+)"\](?:\.(.+))?$/.exec(provider) ?? [];
    const key = resources.get(resourceAddress(at))?.provider;
    return source === undefined || key === undefined ? provider : providerAddress(source, key);
  };

/** The key in the configuration for a provider's address in a state. @throws DiagnosticError */
export function providerKeyOf(address: string, run: StackRun): string {
  const [, source, alias] = /^provider\["([^"]+)"\](?:\.(.+))?$/.exec(address) ?? [];
  if (source === undefined) return unknownConfiguration(address);
  const known = run.graph.ids
    .filter((id) => id.startsWith("provider."))
    .map((id) => id.slice("provider.".length));
  const key = known.find((one) => run.source(one) === source && one.split(".")[1] === alias);
  if (key !== undefined) return key;
  // Everything that used it was taken out of the code: the provider's default configuration still removes it.
  return alias === undefined ? source.split("/").at(-1)! : unknownConfiguration(address);
}

const unknownConfiguration = (address: string): never =>
  fail({
    code: "unknown_provider",
    summary: "Missing provider configuration for the state",
    detail: `The state holds objects of ${address}, but the configuration has no such provider block. Restore the block, or remove the objects first.`,
  });

function refuseUnsupported({ module }: ResourceState, address: string): void {
  if (module === undefined) return;
  fail({
    code: "configuration_unsupported",
    summary: "Not supported by the embedded engine",
    detail: `The state holds objects of modules (${address}), which the embedded engine does not manage. Run Terraform on this state: \`steward exec -- terraform plan\`.`,
    address,
  });
}

function refuseUnknownType({ mode, type, name }: ResourceState, run: StackRun, provider: string): void {
  const known = run.providerFor(provider)?.schema;
  if (mode === "data" || (known !== undefined && type in known.resources)) return;
  fail({
    code: "unknown_type",
    summary: "Unknown resource type in the state",
    detail: `The state holds ${type}.${name}, but the provider ${run.source(provider)} has no resource of that type. Use the provider version that wrote it.`,
  });
}

/** The declared construct of an object's resource, where it is still declared. */
export const constructOf = ({ resources }: Configuration, resource: ResourceState): string | undefined =>
  resources.get(resourceAddress(resource))?.construct;

/** Gives diagnostics of the provider the object's address and construct. */
export const at = (
  diagnostics: readonly Diagnostic[],
  address: string,
  construct: string | undefined,
): Diagnostic[] =>
  diagnostics.map((one) => ({
    ...one,
    address,
    ...(construct !== undefined && { construct }),
  }));
