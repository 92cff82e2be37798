import { canonicalJson, type Value } from "../../schema";
import { isJsonObject, type Json, type JsonObject } from "../../state";
import { withoutKeys } from "../declarations/address-keys";
import { markedPaths } from "./changes";
import {
  type AddressedProvider,
  declaredAddresses,
  provisionersOf,
  unreadableAddresses,
  unreadableProvisioners,
} from "./declared-texts";
import { objectAt, resourcesInJson, resourcesInState } from "./dependencies";
import type { PlanPart } from "./plan-part";
import { unknownPartOf } from "./strict-format";

/** The parts of a plan. `refused` contains messages about parts that can't be approved. */
export interface PlanParts {
  readonly parts: readonly PlanPart[];
  readonly refused: readonly string[];
}

/**
 * Finds all parts of a plan in the format of `terraform show -json`, except the attributes of changes and the timestamp.
 *
 * @param provider the provider whose data sources are left out: they only read, and the changes contain the values that are used
 */
export function partsOfPlan(json: JsonObject, provider: AddressedProvider): PlanParts {
  const unknown = unknownPartOf(json);
  if (unknown !== undefined)
    return { parts: [], refused: [`${unknown}: this release does not know this part of the format`] };
  const changes = listAt(json, "resource_changes");
  const configuration = objectAt(json, "configuration");
  return {
    parts: [
      ...partsOfRun(json),
      ...declaredAddresses(json, provider),
      ...partsOfConfiguration(json, provider.source),
      ...changes.filter(isChanging).map(partOfChange),
      ...listAt(json, "resource_drift").map((one) => ({ name: `drift of ${objectNameOf(one)}`, value: one })),
      ...numbered(listAt(json, "action_invocations"), (one) => `action ${one["address"]}`).map(withAction),
      ...partsOfOutputs(json),
      ...dataValues(json, provider.source),
    ],
    refused: [
      ...deferred(json),
      ...inconsistent(json, changes),
      ...unreadableAddresses(json, provider),
      ...unreadableProvisioners(configuration),
    ],
  };
}

const listAt = (object: JsonObject, name: string): readonly JsonObject[] => {
  const list = object[name] as Json | undefined;
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
};

const actionsOf = (change: JsonObject): Json => change["actions"] ?? [];
const isNoOp = (change: JsonObject): boolean => JSON.stringify(actionsOf(change)) === '["no-op"]';
const isChanging = (one: JsonObject): boolean => {
  const change = objectAt(one, "change");
  const isMoved = "previous_address" in one && one["previous_address"] !== one["address"];
  return !isNoOp(change) || isMoved || (change["importing"] ?? null) !== null;
};

const objectNameOf = ({ address, deposed, deposed_key: key }: JsonObject): string =>
  [String(address), ...[deposed ?? key ?? []].flat().map((one) => `(deposed ${String(one)})`)].join(" ");

const isSame = (one: Json | undefined, other: Json | undefined): boolean =>
  canonicalJson((one ?? null) as Value) === canonicalJson((other ?? null) as Value);

const only = (object: JsonObject, ...names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)));
const without = (object: JsonObject, ...names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));

/** Returns objects as parts. If several parts would have the same name, all names after the first get a number. */
function numbered(objects: readonly JsonObject[], nameOf: (one: JsonObject) => string): PlanPart[] {
  const seen = new Map<string, number>();
  return objects.map((value) => {
    const name = nameOf(value);
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return { name: count === 1 ? name : `${name} (${count})`, value };
  });
}

/** Returns the parts about the plan as a whole. */
function partsOfRun(json: JsonObject): PlanPart[] {
  const state = objectAt(json, "prior_state");
  return [
    { name: "plan format", value: only(json, "format_version", "terraform_version") },
    { name: "state format", value: only(state, "format_version", "terraform_version", "checks") },
    ...listAt(json, "relevant_attributes").map((value) => ({
      name: `relevant attribute ${value["resource"]} ${JSON.stringify(value["attribute"] ?? null)}`,
      value,
    })),
    ...numbered(listAt(json, "checks"), (one) => `check ${objectAt(one, "address")["to_display"]}`),
  ];
}

/** Returns the parts for declarations that run programs, contain addresses of services, or belong to changes. */
function partsOfConfiguration(json: JsonObject, ownSource: string): PlanPart[] {
  const configuration = objectAt(json, "configuration");
  const providers = objectAt(configuration, "provider_config");
  const root = objectAt(configuration, "root_module");
  const declared = objectAt(root, "variables");
  const changing = new Set(
    listAt(json, "resource_changes")
      .filter(isChanging)
      .map(({ address }) => withoutKeys(String(address))),
  );
  const variables = objectAt(json, "variables");
  const names = [...new Set([...Object.keys(variables), ...Object.keys(declared)])];
  const resources = [...resourcesInJson(configuration)];
  const isBound = ({ address, resource }: (typeof resources)[number]) => {
    const source = objectAt(providers, String(resource["provider_config_key"]))["full_name"];
    return changing.has(address) || (resource["mode"] !== "managed" && source !== ownSource);
  };
  return [
    ...Object.entries(providers).map(([key, value]) => ({ name: `provider ${key}`, value })),
    ...names.map((name) => ({
      name: `variable ${name}`,
      value: { value: variables[name] ?? null, declaration: declared[name] ?? null },
    })),
    ...resources.filter(isBound).map(({ address, resource }) => ({
      name: `declaration of ${address}`,
      value: without(resource, "provisioners"),
    })),
    ...provisionersOf(configuration).map(({ part }) => part),
    ...partsOfModules(root, ""),
  ];
}

/** Returns the calls of modules and the declarations of actions, for all modules. */
function partsOfModules(module: JsonObject, prefix: string): PlanPart[] {
  const calls = Object.entries(objectAt(module, "module_calls")).filter(([, call]) => isJsonObject(call));
  return [
    ...numbered(listAt(module, "actions"), (one) => `declaration of ${prefix}${one["address"]}`),
    ...calls.flatMap(([name, call]) => [
      { name: `${prefix}module.${name}`, value: without(call as JsonObject, "module") },
      ...partsOfModules(objectAt(call as JsonObject, "module"), `${prefix}module.${name}.`),
    ]),
  ];
}

/** Returns a change as a part. The attributes of a managed object are left out, because they are compared one by one. */
function partOfChange(one: JsonObject): PlanPart {
  const change = objectAt(one, "change");
  const isManaged = one["mode"] === "managed";
  const rest = isManaged ? without(change, "before", "after", "after_unknown") : change;
  return { name: `change of ${objectNameOf(one)}`, value: { ...one, change: rest } };
}

const withAction = (part: PlanPart): PlanPart =>
  markedPaths((part.value as JsonObject)["config_sensitive"]).length > 0
    ? part
    : { ...part, shown: canonicalJson(part.value as Value) };

const outputsOf = (json: JsonObject): JsonObject => objectAt(objectAt(json, "planned_values"), "outputs");
const priorOutputs = (json: JsonObject): JsonObject =>
  objectAt(objectAt(objectAt(json, "prior_state"), "values"), "outputs");

/** Returns the parts for outputs that change. */
function partsOfOutputs(json: JsonObject): PlanPart[] {
  const declared = objectAt(objectAt(objectAt(json, "configuration"), "root_module"), "outputs");
  const changes = Object.entries(objectAt(json, "output_changes")).filter(([, one]) => isJsonObject(one));
  return changes
    .filter(([, change]) => !isNoOp(change as JsonObject))
    .flatMap(([name, one]) => {
      const change = one as JsonObject;
      const value = only(change, "before", "after", "after_unknown");
      const rest = {
        change,
        planned: outputsOf(json)[name] ?? null,
        prior: priorOutputs(json)[name] ?? null,
        declaration: declared[name] ?? null,
      };
      return [
        { name: `output ${name}`, value, ...(isPublic(change) && { shown: canonicalJson(value as Value) }) },
        { name: `declaration of output ${name}`, value: rest },
      ];
    });
}

/** Returns whether nothing in the change of an output is marked as sensitive. */
const isPublic = (change: JsonObject): boolean =>
  ["before_sensitive", "after_sensitive"].every((side) => markedPaths(change[side]).length === 0);

/** Returns, as parts, the values of data sources of other providers. Such data sources can run programs. */
const dataValues = (json: JsonObject, ownSource: string): PlanPart[] =>
  resourcesInState(objectAt(json, "prior_state"))
    .filter(({ mode, provider_name: source }) => mode !== "managed" && source !== ownSource)
    .map((value) => ({ name: `values of ${value["address"]}`, value }));

function deferred(json: JsonObject): string[] {
  const changes = listAt(json, "deferred_changes").map((one) => objectAt(one, "resource_change"));
  const actions = listAt(json, "deferred_action_invocations").map((one) =>
    objectAt(one, "action_invocation"),
  );
  const names = (objects: readonly JsonObject[]) =>
    objects.map(({ address }) => String(address ?? "unnamed"));
  return [
    ...names(changes).map((name) => `deferred change of ${name}: the plan does not contain its result`),
    ...names(actions).map((name) => `deferred action ${name}: the plan does not contain its result`),
    ...(json["complete"] === false ? ["complete: the plan leaves changes for a later plan"] : []),
    ...(json["errored"] === true ? ["errored: the plan has errors"] : []),
  ];
}

/** Returns messages about values that contradict the changes, such as values in `planned_values` or `prior_state`. */
function inconsistent(json: JsonObject, changes: readonly JsonObject[]): string[] {
  const found: string[] = [];
  const byName = new Map(changes.map((one) => [objectNameOf(one), one]));
  if (json["applyable"] === false && changes.some(isChanging))
    found.push("applyable: it is false although the plan has changes");
  if (byName.size < changes.length) found.push("resource_changes: an object has several changes");
  const compare = (part: string, one: JsonObject, side: "before" | "after", isRequired: boolean) => {
    const change = byName.get(objectNameOf(one));
    const differs =
      change === undefined ? isRequired : !isSame(one["values"], objectAt(change, "change")[side]);
    if (differs) found.push(`${part} of ${objectNameOf(one)}: differs from its change`);
  };
  const planned = resourcesInState({ values: objectAt(json, "planned_values") });
  for (const one of planned) compare("planned_values", one, "after", true);
  const prior = resourcesInState(objectAt(json, "prior_state")).filter(({ mode }) => mode === "managed");
  for (const one of prior) compare("prior_state", one, "before", false);
  const names = new Set(planned.map(objectNameOf));
  const priorNames = new Set(prior.map(objectNameOf));
  for (const one of changes) {
    const { before, after, ...change } = objectAt(one, "change");
    const isKept = one["mode"] === "managed" && (after ?? null) !== null;
    if (isKept && one["deposed"] === undefined && !names.has(objectNameOf(one)))
      found.push(`planned_values of ${objectNameOf(one)}: missing`);
    const isKnown =
      one["mode"] === "managed" && (before ?? null) !== null && (change["importing"] ?? null) === null;
    if (isKnown && prior.length > 0 && !priorNames.has(objectNameOf(one)))
      found.push(`prior_state of ${objectNameOf(one)}: missing`);
    if (isNoOp(change) && !isSame(before, after))
      found.push(`change of ${objectNameOf(one)}: it is a no-op with another result`);
  }
  return [...found, ...inconsistentOutputs(json)];
}

function inconsistentOutputs(json: JsonObject): string[] {
  const changes = objectAt(json, "output_changes");
  return Object.keys({ ...changes, ...outputsOf(json) }).flatMap((name) => {
    const { before, after, after_unknown: unknown, ...change } = objectAt(changes, name);
    if (!Object.hasOwn(changes, name)) return [`planned_values of output ${name}: there is no change of it`];
    const isKnown = unknown === false || unknown === undefined;
    const [planned, prior] = [objectAt(outputsOf(json), name), objectAt(priorOutputs(json), name)];
    const isOther =
      (isNoOp(change) && !isSame(before, after)) ||
      (isKnown && "value" in planned && !isSame(planned["value"], after)) ||
      // In the prior state, an output may have its value before or after the change, because Terraform writes either of these
      // values.
      ("value" in prior && ![before, after].some((one) => isSame(prior["value"], one)));
    return isOther ? [`output ${name}: its values differ within the plan`] : [];
  });
}
