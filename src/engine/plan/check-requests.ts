import {
  type Diagnostic,
  type DiagnosticAction,
  error,
  hintFor,
  LIST_OBJECTS,
  warning,
} from "../../diagnostics";
import { parseAddress, resourceAddress } from "../../language";
import { isObject, type Value as PlainValue, type ValueObject } from "../../schema";
import { quotedShellWord } from "../../text";
import { withoutKey } from "../declarations/address-keys";
import type { StateObject } from "../objects/objects";
import { isChange, isObjectDelete, type Step } from "../steps/steps";
import type { PlanGraph } from "./plan-graph";
import type { PlannedInstance } from "./planned-steps";
import type { ResourceVisits } from "./resource-visits";
import { needsLeftOut } from "./verdict-messages";

/** Validates the addresses given with `--replace`. */
export function checkReplacedAddresses(addresses: readonly string[] = []): Diagnostic[] {
  return addresses.flatMap((address) => {
    const parsed = parseAddress(address);
    const isManaged = parsed?.type !== undefined && parsed.mode === "managed";
    return isManaged ? [] : [invalidReplacement(address)];
  });
}

/**
 * Warns about an address of `--replace` or `--target` that matches no instance, such as an address with an unknown key. For
 * `--exclude`, an address without an instance is an error, because the plan would change an object that the user wants to
 * exclude.
 */
export function checkRequests(plan: PlanGraph, visits: ResourceVisits): Diagnostic[] {
  const { context, graph } = plan.run;
  const { replace = [], targets = [], excludes = [], stop } = context;
  const isPlanned = (resource: string) =>
    plan.mode === "normal" && !stop?.aborted && !plan.blocked.has(resource);
  const instances = (address: string) => [
    ...new Set(plan.steps.of(withoutKey(address)).map(({ change }) => change.address)),
  ];
  const isUnmet = (address: string) =>
    isPlanned(withoutKey(address)) && !instances(address).includes(address);
  return [
    ...replace.filter(isUnmet).map((address) => unmetReplacement(address, instances(address), plan)),
    ...targets
      .filter((address) => withoutKey(address) !== address && graph.has(withoutKey(address)))
      .filter(isUnmet)
      .map((address) => noSuchTarget(address, instances(address))),
    ...excludes
      .filter((address) => withoutKey(address) !== address && isPlanned(withoutKey(address)))
      .filter((address) => !isPresent(address, plan, visits))
      .map((address) => noSuchExclude(address, instances(address))),
  ];
}

/** Returns whether an instance is declared or in the state. The plan must have visited the resource of the instance. */
function isPresent(address: string, { objects }: PlanGraph, visits: ResourceVisits): boolean {
  const resource = withoutKey(address);
  const held = objects.current.get(resource) ?? [];
  return visits.get(resource)?.isDeclared(address) !== false || held.some((one) => one.address === address);
}

const invalidReplacement = (address: string): Diagnostic =>
  error({
    code: "invalid_replacement",
    summary: "Not a managed resource instance",
    detail: `--replace needs the address of a managed resource instance, such as TYPE.NAME or 'TYPE.NAME["KEY"]'. ${JSON.stringify(address)} is not one.`,
  });

function unmetReplacement(address: string, instances: readonly string[], plan: PlanGraph): Diagnostic {
  const unmet = (detail: string, action?: DiagnosticAction) =>
    warning({
      code: "replacement_unmet",
      summary: "Requested replacement not planned",
      detail,
      ...(action !== undefined && { action }),
      address: withoutKey(address),
    });
  if (instances.length === 0) {
    const { hint, action } = hintFor(address, declaredAddresses(plan), LIST_OBJECTS);
    return unmet(`The configuration does not declare ${address}, the object of --replace. ${hint}`, action);
  }
  const options = instances.map((instance) => `--replace ${quotedShellWord(instance)}`).join(", ");
  const why =
    withoutKey(address) === address ? "has no key, so it matches no instance" : "matches no instance";
  return unmet(`--replace ${address} ${why}. ${instances.length === 1 ? "Use" : "Use one of"} ${options}.`);
}

/** Returns the addresses of the declared managed resources and of the objects in the state. */
const declaredAddresses = ({ run, objects }: PlanGraph): string[] => [
  ...[...run.context.configuration.resources.keys()].filter((address) => !address.startsWith("data.")),
  ...[...objects.current.values()].flat().map(({ address }) => address),
];

const noSuchTarget = (target: string, instances: readonly string[]): Diagnostic =>
  warning({
    code: "target_unmet",
    summary: "Target matches no object",
    ...unknownInstance("--target", target, instances),
  });

const noSuchExclude = (address: string, instances: readonly string[]): Diagnostic =>
  error({
    code: "unknown_target",
    summary: "Unknown address to exclude",
    ...unknownInstance("--exclude", address, instances),
  });

function unknownInstance(option: string, address: string, instances: readonly string[]) {
  const { hint, action } = hintFor(address, instances, LIST_OBJECTS);
  return {
    detail: `Neither the configuration nor the state contains ${address}, so ${option} has no effect. ${hint}`,
    ...(action !== undefined && { action }),
    address: withoutKey(address),
  };
}

/**
 * Refuses a change if it needs a change of an object that the run leaves out. A create or update needs its
 * dependencies, and a destroy needs the destroys of its dependents. An unrestricted run would apply the needed changes
 * first.
 */
export function refuseLeftOutDependencies(plan: PlanGraph, visits: ResourceVisits): readonly Diagnostic[] {
  if (plan.run.leftOut === undefined || plan.run.leftOut.size === 0) return [];
  const pending = new Map<string, readonly string[]>();
  const pendingOf = (resource: string): readonly string[] => {
    const known = pending.get(resource) ?? pendingInstances(plan, visits, resource);
    pending.set(resource, known);
    return known;
  };
  const dependents = leftOutDependents(plan);
  return plan.steps.all.filter(isChange).flatMap((step) => {
    const ofDelete = isObjectDelete(step) ? (dependents.get(resourceOf(step)) ?? []) : [];
    const needed = step.declared === undefined ? ofDelete : step.dependencies.flatMap(pendingOf);
    return needed.length === 0 ? [] : [needsLeftOut(step, needed)];
  });
}

const resourceOf = ({ change: { mode, type, name } }: Step): string => resourceAddress({ mode, type, name });

/**
 * Returns the instances of a resource that this run leaves out, if an unrestricted run would create or change these
 * instances.
 */
function pendingInstances({ run, objects }: PlanGraph, visits: ResourceVisits, resource: string): string[] {
  const visit = visits.get(resource);
  if (visit === undefined || visit.declaration.mode === "data") return [];
  const held = new Map(objects.current.get(resource)?.map((object) => [object.address, object]));
  return visit.instances
    .filter((one) => run.leftOut!.has(one.address) && isPending(one, held.get(one.address)))
    .map(({ address }) => address);
}

const isPending = ({ config }: PlannedInstance, held: StateObject | undefined): boolean =>
  held === undefined || !hasDeclared(config.config, held.instance.attributes as ValueObject);

/** Returns the undeclared objects that the run leaves out, by the resources that they depend on. */
function leftOutDependents({ run, managed }: PlanGraph): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { address, resource, instance } of managed) {
    if (!run.leftOut!.has(address) || run.graph.has(resourceAddress(resource))) continue;
    for (const dependency of instance.dependencies)
      found.set(dependency, [...(found.get(dependency) ?? []), address]);
  }
  return found;
}

/** Returns whether the stored values of an object contain all declared values. The order of elements has no effect. */
function hasDeclared(declared: PlainValue, held: PlainValue | undefined): boolean {
  if (declared === null || declared === held) return true;
  if (Array.isArray(declared))
    return (
      Array.isArray(held) &&
      declared.length === held.length &&
      declared.every((one: PlainValue) => held.some((other: PlainValue) => hasDeclared(one, other)))
    );
  if (!isObject(declared) || held === undefined || !isObject(held)) return false;
  return Object.entries(declared).every(([name, value]) => hasDeclared(value, held[name]));
}
