import { compareText } from "../../language";
import { compareInstances, compareResources, sorted } from "../model/content";
import {
  type InstanceState,
  type Json,
  type JsonObject,
  type OutputState,
  type ResourceState,
  STATE_FORMAT_VERSION,
  type State,
} from "../model/model";
import { formatJson, type Writable } from "./format-json";
import { encodePath } from "./sensitive-paths";

/**
 * Formats a state byte for byte as Terraform 1.11 does: order of keys and resources, indentation, escapes,
 * last line.
 */
export function formatState(state: State): string {
  return [...formatStateInParts(state)].join("");
}

/**
 * The same in parts of at most one resource, the head (with the serial) first, so that a large state is never
 * a single string.
 */
export function* formatStateInParts(state: State): Generator<string> {
  const head = formatJson(encodeHead(state)).slice(0, -"\n}".length);
  const tail = formatJson(encodeTail(state)).slice("{".length);
  const resources = sorted(state.resources, compareResources);
  yield `${head},\n  "resources": [`;
  for (const [at, resource] of resources.entries()) {
    yield `${at === 0 ? "" : ","}\n    ${formatJson(encodeResource(resource), 2)}`;
  }
  yield `${resources.length === 0 ? "]" : "\n  ]"},${tail}\n`;
}

type Entry = readonly [string, Writable];

/** An object with its keys in Terraform's order; unknown keys come last in their original order. */
function orderKeys(entries: readonly (Entry | undefined)[], extra?: JsonObject): Writable {
  const unknown = Object.entries(extra ?? {}).map(([key, value]): Entry => [key, keepOrder(value)]);
  return new Map([...entries.filter((entry) => entry !== undefined), ...unknown]);
}

const unless = (isSkipped: boolean, key: string, value: Writable | undefined): Entry | undefined =>
  isSkipped || value === undefined ? undefined : [key, value];

/** Keeps the order of keys: these values are no attributes, which Terraform sorts. */
function keepOrder(value: Json): Writable {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(keepOrder);
  return new Map(Object.entries(value).map(([key, one]): Entry => [key, keepOrder(one)]));
}

function encodeHead(state: State): Writable {
  return orderKeys([
    ["version", STATE_FORMAT_VERSION],
    ["terraform_version", state.terraformVersion],
    ["serial", state.serial],
    ["lineage", state.lineage],
    ["outputs", encodeOutputs(state.outputs)],
  ]);
}

const encodeTail = (state: State): Writable =>
  orderKeys([["check_results", keepOrder(state.checkResults ?? null)]], state.extra);

function encodeOutputs(outputs: Record<string, OutputState>): Writable {
  const names = Object.keys(outputs).sort(compareText);
  return new Map(names.map((name): Entry => [name, encodeOutput(outputs[name]!)]));
}

function encodeOutput(output: OutputState): Writable {
  return orderKeys(
    [["value", output.value], ["type", output.type], unless(!output.sensitive, "sensitive", true)],
    output.extra,
  );
}

function encodeResource(resource: ResourceState): Writable {
  return orderKeys(
    [
      unless(false, "module", resource.module),
      ["mode", resource.mode],
      ["type", resource.type],
      ["name", resource.name],
      unless(false, "each", resource.each),
      ["provider", resource.provider],
      ["instances", sorted(resource.instances, compareInstances).map(encodeInstance)],
    ],
    resource.extra,
  );
}

function encodeInstance(instance: InstanceState): Writable {
  const { identity_schema_version, ...extra } = instance.extra ?? {};
  return orderKeys(
    [
      unless(false, "index_key", instance.indexKey),
      unless(false, "status", instance.status),
      unless(false, "deposed", instance.deposed),
      ["schema_version", instance.schemaVersion],
      ["attributes", instance.attributes],
      ["sensitive_attributes", instance.sensitivePaths.map(encodePath)],
      unless(false, "identity_schema_version", instance.identity?.version ?? identity_schema_version),
      unless(false, "identity", instance.identity?.values),
      unless(instance.private === "", "private", instance.private),
      unless(instance.dependencies.length === 0, "dependencies", instance.dependencies),
      unless(!instance.createBeforeDestroy, "create_before_destroy", true),
    ],
    extra,
  );
}
