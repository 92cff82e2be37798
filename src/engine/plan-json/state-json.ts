import { compareText, instanceAddress, moduleChain, shown } from "../../language";
import type { ValueObject } from "../../schema";
import {
  compareInstances,
  compareResources,
  type InstanceState,
  type JsonObject,
  type ResourceState,
  type SensitivePath,
  type State,
  sensitivityOf,
  sorted,
} from "../../state";
import { builtinSchema } from "../builtin/builtin-provider";

/** Sensitive paths of a resource's schema, in addition to those that the state marks. */
type SensitiveBySchema = (resource: ResourceState) => readonly SensitivePath[];

/**
 * Converts a state to the format of `terraform show -json`, version 1.0, in which an empty state has no values. Like Terraform,
 * it contains sensitive values in clear text.
 */
export function stateView(state: State, sensitive: SensitiveBySchema): JsonObject {
  if (state.resources.length === 0 && Object.keys(state.outputs).length === 0)
    return { format_version: "1.0" };
  return {
    format_version: "1.0",
    terraform_version: state.terraformVersion,
    values: {
      ...(Object.keys(state.outputs).length === 0 ? {} : { outputs: outputViews(state) }),
      root_module: moduleViews(state, sensitive),
    },
  };
}

function outputViews(state: State): JsonObject {
  const names = Object.keys(state.outputs).sort(compareText);
  return Object.fromEntries(
    names.map((name) => {
      const { sensitive, value, type } = state.outputs[name]!;
      return [name, { sensitive, value, type }];
    }),
  );
}

interface Module {
  readonly address: string;
  readonly resources: JsonObject[];
  readonly children: Module[];
}

function moduleViews(state: State, sensitive: SensitiveBySchema): JsonObject {
  const root: Module = { address: "", resources: [], children: [] };
  const modules = new Map<string, Module>([["", root]]);
  for (const resource of sorted(state.resources, compareResources)) {
    const module = resource.module === undefined ? root : moduleAt(resource.module, modules, root);
    for (const instance of sorted(resource.instances, compareInstances)) {
      module.resources.push(resourceView(resource, instance, sensitive(resource)));
    }
  }
  return moduleView(root);
}

/** The module at an address; creates it and its ancestors if needed. */
function moduleAt(address: string, modules: Map<string, Module>, root: Module): Module {
  let parent = root;
  for (const one of moduleChain(address) ?? [address]) {
    const known = modules.get(one);
    const module = known ?? { address: one, resources: [], children: [] };
    if (known === undefined) {
      modules.set(one, module);
      parent.children.push(module);
    }
    parent = module;
  }
  return parent;
}

function moduleView(module: Module): JsonObject {
  const children = sorted(module.children, (left, right) => compareText(left.address, right.address));
  return {
    ...(module.resources.length === 0 ? {} : { resources: module.resources }),
    ...(module.address === "" ? {} : { address: module.address }),
    ...(children.length === 0 ? {} : { child_modules: children.map(moduleView) }),
  };
}

function resourceView(
  resource: ResourceState,
  instance: InstanceState,
  sensitive: readonly SensitivePath[],
): JsonObject {
  const values = shownValues(resource, instance);
  return {
    address: instanceAddress(resource, instance),
    mode: resource.mode,
    type: resource.type,
    name: resource.name,
    ...(instance.indexKey === undefined ? {} : { index: instance.indexKey }),
    provider_name: providerSource(resource.provider),
    schema_version: instance.schemaVersion,
    values,
    sensitive_values: sensitivityOf(values, [...instance.sensitivePaths, ...sensitive]),
    ...(instance.dependencies.length === 0 ? {} : { depends_on: instance.dependencies }),
    ...(instance.status === undefined ? {} : { tainted: true }),
    ...(instance.deposed === undefined ? {} : { deposed_key: instance.deposed }),
    ...(instance.identity && {
      identity_schema_version: instance.identity.version,
      identity: instance.identity.values,
    }),
  };
}

/** Removes the stored types from values of any type. */
function shownValues({ mode, type }: ResourceState, { attributes }: InstanceState): JsonObject {
  const schema = builtinSchema(mode, type);
  return schema === undefined
    ? attributes
    : (shown(schema.attributes, attributes as ValueObject) as JsonObject);
}

/** `registry.example/acme/acme` of `module.web.provider["registry.example/acme/acme"].alias`. */
function providerSource(provider: string): string {
  return /(?:^|\.)provider\["([^"]+)"\]/.exec(provider)?.[1] ?? provider;
}
