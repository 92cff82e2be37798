import { type Diagnostic, error } from "../../diagnostics";
import { resourceAddress } from "../../language";
import { isObject, type Value as PlainValue, type ValueObject } from "../../schema";
import { allUpTo } from "../../text";
import type { StateObject } from "../run/objects";
import { isChange, isObjectDelete, type Step } from "../steps/steps";
import type { PlanGraph } from "./plan-graph";
import type { PlannedInstance } from "./planned-instance";
import type { ResourceVisits } from "./resource-visits";

/** How many addresses an error names. */
const SHOWN = 3;

/**
 * Refuses changes that need changes of left out objects. A create or update needs its dependencies, and a destroy needs the
 * destroys of its dependents. A run over everything would apply these first.
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

/** The left out instances of a resource that a run over everything would create or change. */
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

/** The left out objects that are no longer declared, by the resources that they depend on. */
function leftOutDependents({ run, managed }: PlanGraph): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { address, resource, instance } of managed) {
    if (!run.leftOut!.has(address) || run.graph.has(resourceAddress(resource))) continue;
    for (const dependency of instance.dependencies)
      found.set(dependency, [...(found.get(dependency) ?? []), address]);
  }
  return found;
}

const needsLeftOut = ({ change: { address, construct } }: Step, needed: readonly string[]): Diagnostic =>
  error({
    code: "dependency_left_out",
    summary: "Needed change is left out",
    detail: `The change of ${address} depends on the change of ${allUpTo(SHOWN, [...new Set(needed)])}, which this run leaves out. Nothing was sent. Select both, or apply the dependency first.`,
    address,
    ...(construct !== undefined && { construct }),
  });

/** Returns true if an object has all declared values; elements of sets have no order. */
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
