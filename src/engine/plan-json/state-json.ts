import { compareText, instanceAddress, moduleChain, shown } from "../../language";
import type { ValueObject } from "../../schema";
import {
  compareInstances,
  compareResources,
  type InstanceState,
  type Json,
  type JsonObject,
  type ResourceState,
  type SensitivePath,
  type State,
  sensitivityOf,
  sorted,
} from "../../state";
import { builtinSchema } from "../builtin/builtin-provider";

/** A state in the format of `terraform show -json`, version 1.0. */
export interface StateView {
  readonly format_version: "1.0";
  readonly terraform_version?: string;
  /** Omitted for an empty state. */
  readonly values?: ValuesView;
}

interface ValuesView {
  readonly outputs?: Readonly<Record<string, OutputView>>;
  readonly root_module: ModuleView;
}

interface OutputView {
  readonly sensitive: boolean;
  readonly value: Json;
  readonly type: Json;
}

interface ModuleView {
  readonly resources?: readonly ResourceView[];
  /** Omitted for the root module. */
  readonly address?: string;
  readonly child_modules?: readonly ModuleView[];
}

interface ResourceView {
  readonly address: string;
  readonly mode: "managed" | "data";
  readonly type: string;
  readonly name: string;
  readonly index?: string | number;
  readonly provider_name: string;
  readonly schema_version: number;
  readonly values: Readonly<Record<string, Json>>;
  readonly sensitive_values: Json;
  readonly depends_on?: readonly string[];
  readonly tainted?: true;
  readonly deposed_key?: string;
  readonly identity_schema_version?: number;
  readonly identity?: JsonObject;
}

/** What only schemas tell about a state. */
export interface ViewOptions {
  /**
   * An instance's values, if they differ from the stored attributes: a value of any type is stored with its
   * type.
   */
  readonly values?: (resource: ResourceState, instance: InstanceState) => Readonly<Record<string, Json>>;
  /** Sensitive paths of the schema, in addition to those that the state marks. */
  readonly sensitive?: (resource: ResourceState, instance: InstanceState) => readonly SensitivePath[];
}

/**
 * Converts a state to Terraform's JSON format. Like Terraform, it contains sensitive values in clear text.
 */
export function stateView(state: State, options: ViewOptions = {}): StateView {
  if (state.resources.length === 0 && Object.keys(state.outputs).length === 0)
    return { format_version: "1.0" };
  return {
    format_version: "1.0",
    terraform_version: state.terraformVersion,
    values: {
      ...(Object.keys(state.outputs).length === 0 ? {} : { outputs: outputViews(state) }),
      root_module: moduleViews(state, options),
    },
  };
}

function outputViews(state: State): Record<string, OutputView> {
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
  readonly resources: ResourceView[];
  readonly children: Module[];
}

function moduleViews(state: State, options: ViewOptions): ModuleView {
  const root: Module = { address: "", resources: [], children: [] };
  const modules = new Map<string, Module>([["", root]]);
  for (const resource of sorted(state.resources, compareResources)) {
    const module = resource.module === undefined ? root : moduleAt(resource.module, modules, root);
    for (const instance of sorted(resource.instances, compareInstances)) {
      module.resources.push(resourceView(resource, instance, options));
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

function moduleView(module: Module): ModuleView {
  const children = sorted(module.children, (left, right) => compareText(left.address, right.address));
  return {
    ...(module.resources.length === 0 ? {} : { resources: module.resources }),
    ...(module.address === "" ? {} : { address: module.address }),
    ...(children.length === 0 ? {} : { child_modules: children.map(moduleView) }),
  };
}

function resourceView(resource: ResourceState, instance: InstanceState, options: ViewOptions): ResourceView {
  const values = options.values?.(resource, instance) ?? shownValues(resource, instance);
  const sensitive = [...instance.sensitivePaths, ...(options.sensitive?.(resource, instance) ?? [])];
  return {
    address: instanceAddress(resource, instance),
    mode: resource.mode,
    type: resource.type,
    name: resource.name,
    ...(instance.indexKey === undefined ? {} : { index: instance.indexKey }),
    provider_name: providerSource(resource.provider),
    schema_version: instance.schemaVersion,
    values,
    sensitive_values: sensitivityOf(values as JsonObject, sensitive),
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
function shownValues(
  { mode, type }: ResourceState,
  { attributes }: InstanceState,
): Readonly<Record<string, Json>> {
  const schema = builtinSchema(mode, type);
  return schema === undefined
    ? attributes
    : (shown(schema.attributes, attributes as ValueObject) as JsonObject);
}

/** `registry.example/acme/acme` of `module.web.provider["registry.example/acme/acme"].alias`. */
function providerSource(provider: string): string {
  return /(?:^|\.)provider\["([^"]+)"\]/.exec(provider)?.[1] ?? provider;
}
