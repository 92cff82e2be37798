import { defined } from "../../json";
import { compareText, instanceAddress, moduleChain } from "../../language";
import { append, once, shown, type ValueObject } from "../../schema";
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
import { builtinSchema } from "../stack-run/builtin-provider";
import { present } from "./changes";

/** Returns the sensitive paths from the schema of a resource. The state can mark additional paths as sensitive. */
type SensitiveBySchema = (resource: ResourceState) => readonly SensitivePath[];

/**
 * Converts a state to the format of `terraform show -json`, version 1.0. In this format, an empty state has no `values`. As under
 * Terraform, the result contains sensitive values in clear text.
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

function moduleViews(state: State, sensitive: SensitiveBySchema): JsonObject {
  const resources = new Map<string, JsonObject[]>();
  const children = new Map<string, Set<string>>();
  for (const resource of sorted(state.resources, compareResources)) {
    const { module = "" } = resource;
    const chain = module === "" ? [] : (moduleChain(module) ?? [module]);
    for (const [at, child] of chain.entries())
      once(children, chain[at - 1] ?? "", () => new Set<string>()).add(child);
    for (const instance of sorted(resource.instances, compareInstances))
      append(resources, module, resourceView(resource, instance, sensitive(resource)));
  }
  const view = (address: string): JsonObject => ({
    ...present("resources", resources.get(address) ?? []),
    ...(address !== "" && { address }),
    ...present("child_modules", [...(children.get(address) ?? [])].sort(compareText).map(view)),
  });
  return view("");
}

function resourceView(resource: ResourceState, instance: InstanceState, sensitive: readonly SensitivePath[]) {
  const values = shownValues(resource, instance);
  const { dependencies, identity } = instance;
  return defined({
    address: instanceAddress(resource, instance),
    mode: resource.mode,
    type: resource.type,
    name: resource.name,
    index: instance.indexKey,
    provider_name: providerSource(resource.provider),
    schema_version: instance.schemaVersion,
    values,
    sensitive_values: sensitivityOf(values, [...instance.sensitivePaths, ...sensitive]),
    depends_on: dependencies.length > 0 ? dependencies : undefined,
    tainted: instance.status && true,
    deposed_key: instance.deposed,
    identity_schema_version: identity?.version,
    identity: identity?.values,
  }) as JsonObject;
}

/**
 * Returns the attributes of an object for people. Built-in resource types store some values together with the types of these
 * values. The result does not contain these types.
 */
function shownValues({ mode, type }: ResourceState, { attributes }: InstanceState): JsonObject {
  const schema = builtinSchema(mode, type);
  return schema === undefined
    ? attributes
    : (shown(schema.attributes, attributes as ValueObject) as JsonObject);
}

/** Returns `registry.example/acme/acme` for `module.web.provider["registry.example/acme/acme"].alias`. */
function providerSource(provider: string): string {
  return /(?:^|\.)provider\["([^"]+)"\]/.exec(provider)?.[1] ?? provider;
}
