import { type Diagnostic, hasErrors, isServiceProblem } from "../../diagnostics";
import type { StoredState } from "../../framework";
import { DYNAMIC, type ResourceDeclaration, resourceAddress, unknown } from "../../language";
import { append, isObject, type Value as PlainValue, type ValueObject } from "../../schema";
import { at, type StateObject, stateOf } from "../objects/objects";
import { restrictionOf } from "../selection/targets";
import { expand, instanceConfig } from "../stack-run/instances";
import type { StackRun } from "../stack-run/stack-run";
import { evaluateNodes } from "../steps/data-sources";
import { isChange, isObjectDelete, type Step } from "../steps/steps";
import type { PlanGraph } from "./plan-graph";
import type { PlannedInstance } from "./planned-steps";
import type { ResourceVisits } from "./resource-visits";
import { needsLeftOut } from "./verdict-messages";

/** A declared instance without a step. */
export interface UnplannedInstance {
  readonly declaration: ResourceDeclaration;
  readonly address: string;
  /** The declared values; undefined if they can't be evaluated. */
  readonly declared: StoredState | undefined;
  /** The object that the state holds at its address. */
  readonly held: StateObject | undefined;
  /** `left out` by a restriction such as `--target`. `failed` if the instance or a dependency could not be planned. */
  readonly why: "left out" | "failed";
}

/**
 * Returns the declared instances without a step. Data sources outside of the targets are read only for the types of deletes.
 *
 * @param deletedTypes the types of deletes, and the types that share sets with them
 * @param replaced addresses of expected replacements
 */
export async function unplannedInstances(
  { run, mode, targets, steps, objects, managed, walked, blocked }: PlanGraph,
  deletedTypes: ReadonlySet<string>,
  replaced: ReadonlySet<string>,
): Promise<UnplannedInstance[]> {
  if (blocked.size === 0 && restrictionOf(run.context) === undefined) return [];
  const declarations = [...run.context.configuration.resources.values()].filter(
    ({ mode: kind, address }) =>
      kind === "managed" && (blocked.has(address) || restrictionOf(run.context) !== undefined),
  );
  if (declarations.length === 0) return [];
  const needed = declarations
    .filter(({ address }) => walked?.has(address) !== true)
    .filter(({ type, address }) => deletedTypes.has(type) || !isDataDependent(run, address))
    .flatMap(({ address }) => run.graph.dependenciesOf(address));
  await evaluateNodes(run, needed, objects.current, walked);
  // A dependency that could not be read is unknown; the remaining values may still identify the object.
  for (const { address } of run.context.configuration.resources.values())
    if (blocked.has(address)) run.evaluation.set(address, unknown(DYNAMIC));
  const held = new Map(managed.map((object) => [object.address, object]));
  const found: UnplannedInstance[] = [];
  for (const declaration of declarations)
    for (const { address, declared } of instancesOf(run, declaration)) {
      const isPlanned = walked?.has(declaration.address) === true;
      const isExcluded = !isPlanned || !targets.isSelected(address);
      // A destroy creates nothing.
      if (steps.has(address) || replaced.has(address) || (!isExcluded && mode !== "normal")) continue;
      const why = isExcluded ? "left out" : "failed";
      found.push({ declaration, address, declared, held: held.get(address), why });
    }
  return found;
}

/**
 * Returns these instances with the identities of their objects. It leaves out instances whose own address holds
 * their object, because they stay unchanged.
 */
export async function withIdentities({ identities }: PlanGraph, instances: readonly UnplannedInstance[]) {
  const found = [];
  for (const one of instances) {
    const { declaration, declared, held } = one;
    const identity =
      declared && (await identities.identify(declaration.provider, declaration.type, declared));
    const isUnmoved = held !== undefined && (await identities.identifyObject(held)) === identity;
    if (!isUnmoved && (held === undefined || identity !== undefined)) found.push({ ...one, identity });
  }
  return found;
}

const isDataDependent = (run: StackRun, address: string): boolean =>
  [...run.graph.closure(run.graph.dependenciesOf(address))].some((id) => id.startsWith("data."));

/** The instances of a declaration; the declaration itself if they can't be expanded. */
function instancesOf(run: StackRun, declaration: ResourceDeclaration) {
  const { instances, diagnostics } = expand(declaration, run.evaluation);
  if (hasErrors(diagnostics)) return [{ address: declaration.address, declared: undefined }];
  return instances.map((instance) => {
    const { config, diagnostics: problems } = instanceConfig(run, declaration, instance);
    return { address: instance.address, declared: hasErrors(problems) ? undefined : { attributes: config } };
  });
}

/**
 * Claims ownership for declarations that this run can't plan. Refuses parts that a planned declaration also owns, because the
 * plan would change these parts as if they had one owner.
 */
export const claimUnplanned = (run: StackRun, unplanned: readonly UnplannedInstance[]): Diagnostic[] =>
  unplanned.flatMap((one) => claimOf(run, one));

function claimOf(run: StackRun, { declaration, address, declared, held }: UnplannedInstance) {
  const { type, provider, construct } = declaration;
  const client = run.configured(provider);
  const object = held && String((held.instance.attributes as ValueObject)["id"]);
  // The paths that an object remembers also name the targets of its declaration.
  const remembered = declared && { private: held?.instance.private, ...declared };
  for (const state of [remembered, held && stateOf(held.instance)]) {
    const conflicts = state && client?.claim?.({ type, address, object, ...state });
    if (conflicts !== undefined) return at(conflicts, address, construct);
  }
  return [];
}

/**
 * Returns declarations that could not be planned and have no object yet, by the types of objects that they may have. These are
 * their own type and types that share sets with it. A plan with errors that do not come from the service can't be applied, so
 * the result is then empty.
 */
export function mayDeclare(
  { run, managed, blocked }: PlanGraph,
  visits: ResourceVisits,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  if (blocked.size === 0) return found;
  if (run.diagnostics.some(({ severity, code }) => severity === "error" && !isServiceProblem(code)))
    return found;
  const held = new Set(managed.map(({ address }) => address));
  const isWithoutObject = (declaration: ResourceDeclaration): boolean => {
    const { address, count, forEach } = declaration;
    const visit = visits.get(address);
    if (visit !== undefined) return visit.instances.some((instance) => !held.has(instance.address));
    return count !== undefined || forEach !== undefined || !held.has(address);
  };
  for (const declaration of run.context.configuration.resources.values()) {
    const { mode, type, address, provider } = declaration;
    if (mode !== "managed" || !blocked.has(address) || !isWithoutObject(declaration)) continue;
    for (const one of new Set([type, ...(run.configured(provider)?.sharesWith?.(type) ?? [])]))
      append(found, one, address);
  }
  return found;
}

/**
 * Refuses changes that need changes of left out objects. A create or update needs its dependencies, and a destroy needs the
 * destroys of its dependents. An unrestricted run would apply the needed changes first.
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

/** Returns the left out instances of a resource that an unrestricted run would create or change. */
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

/** Returns the left out objects without a declaration, by the resources that they depend on. */
function leftOutDependents({ run, managed }: PlanGraph): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { address, resource, instance } of managed) {
    if (!run.leftOut!.has(address) || run.graph.has(resourceAddress(resource))) continue;
    for (const dependency of instance.dependencies)
      found.set(dependency, [...(found.get(dependency) ?? []), address]);
  }
  return found;
}

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
