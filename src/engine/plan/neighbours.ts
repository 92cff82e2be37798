import { type Diagnostic, hasErrors, isServiceProblem } from "../../diagnostics";
import type { Neighbour, Row, StoredState } from "../../framework";
import { DYNAMIC, type ResourceDeclaration, unknown } from "../../language";
import { append, groupBy, type ValueObject } from "../../schema";
import { at, nameOf, type StateObject, stateOf } from "../objects/objects";
import { expand, instanceConfig } from "../stack-run/instances";
import type { StackRun } from "../stack-run/stack-run";
import { evaluateNodes } from "../steps/data-sources";
import { isLeaving, isObjectDelete, type Step } from "../steps/steps";
import { ExpectedChanges } from "./expected-changes";
import type { PlanGraph } from "./plan-graph";
import { nameOfStep } from "./planned-steps";
import type { ResourceVisits } from "./resource-visits";

/** The facts for the decision table about other declarations of the object that a step deletes. */
export interface SameObject {
  /** The values in the object's row of the decision table that change because another declaration has the object. */
  readonly columns: Partial<Row>;
  readonly neighbours: readonly Neighbour[];
  /** The address of another declaration of the object, if the run leaves out this declaration. */
  readonly leftOut?: string;
  /**
   * The types of objects whose deletes wait for the new object. Set only if the step is a replacement whose new object has an
   * unknown identity.
   */
  readonly deletesAfter?: readonly string[];
}

const NOBODY: SameObject = { columns: {}, neighbours: [] };

/** Compares the objects that a plan deletes with the objects of all declarations. */
export class SameObjects {
  private constructor(
    private readonly plan: PlanGraph,
    /** Declared instances without a step. */
    readonly unplanned: readonly (UnplannedInstance & { readonly identity: string | undefined })[],
    private readonly declared: DeclaredObjects,
    private readonly ambiguous: ReadonlySet<string | undefined>,
  ) {
    this.#claimants = groupBy(unplanned, ({ identity }) => identity);
  }

  readonly #claimants: ReadonlyMap<string | undefined, readonly UnplannedInstance[]>;

  /**
   * Identifies the declared objects, and announces to the providers which objects stay and leave.
   *
   * @param candidates steps that delete or replace objects, unless other declarations have these objects
   * @param leftBehind names of objects that are no longer declared, and that have no step
   */
  static async find(
    plan: PlanGraph,
    candidates: readonly Step[],
    leftBehind: () => ReadonlySet<string>,
  ): Promise<SameObjects> {
    const declarations = await unplannedInstances(plan, candidates);
    if (plan.mode === "normal") plan.run.report(claimUnplanned(plan.run, declarations));
    if (candidates.length === 0) return new SameObjects(plan, [], NOT_COMPARED, new Set());
    const types = new Set(candidates.map(({ change }) => change.type));
    const declared = await declaredObjects(plan, candidates, types);
    const unplanned = await withIdentities(plan, declarations);
    const steps = [...plan.steps.all, ...candidates];
    const names = new Set(candidates.map(nameOfStep));
    const staying = new Set([...leftBehind()].filter((name) => !names.has(name)));
    const changes = { steps, movedState: plan.state, leftBehind: staying };
    const expected = new ExpectedChanges(plan.run, changes, unplanned);
    for (const key of configurationsOfServices(plan, steps, candidates)) await expected.tell(key);
    const ambiguous = new Set(
      plan.run.diagnostics.flatMap(({ code, address }) => (code === "move_ambiguous" ? [address] : [])),
    );
    return new SameObjects(plan, unplanned, declared, ambiguous);
  }

  /**
   * Finds other declarations of an object that a step deletes. If the delete is a part of a replacement, unchanged objects are
   * compared only during the apply.
   */
  async of(step: Step): Promise<SameObject> {
    const { provider, change, prior } = step;
    const nobody = this.#alone(step);
    const identity = await this.plan.identities.identify(provider, change.type, prior!);
    if (identity === undefined) return nobody;
    const isOwn = (address: string) => address === change.address && change.deposed === undefined;
    const holder =
      change.action === "delete" || isLeaving(step)
        ? this.declared.byIdentity.get(identity)?.find((address) => !isOwn(address))
        : undefined;
    if (holder !== undefined)
      return { columns: {}, neighbours: [{ relation: "same object stays", address: holder }] };
    const claiming = this.#claimants.get(identity) ?? [];
    const claimant = claiming.find(({ address }) => !isOwn(address));
    if (claimant?.why === "left out")
      return {
        columns: { declared: "yes", held: "elsewhere", selected: "partly" },
        neighbours: [],
        leftOut: claimant.address,
      };
    if (claiming.some(({ address }) => this.ambiguous.has(address)))
      return { columns: { declared: "yes", held: "several addresses" }, neighbours: [] };
    return nobody;
  }

  #alone({ change: { address } }: Step): SameObject {
    const deletesAfter = this.declared.waiting.get(address);
    return deletesAfter === undefined ? NOBODY : { ...NOBODY, deletesAfter };
  }
}

/** Returns the provider configurations for the services on which the plan deletes objects. */
function configurationsOfServices(
  { run, managed }: PlanGraph,
  steps: readonly Step[],
  deletes: readonly Step[],
): string[] {
  const serviceOf = (key: string) => run.configured(key)?.service;
  const own = new Set(deletes.map(({ provider }) => provider));
  const services = new Set([...own].map(serviceOf));
  const all = new Set([
    ...steps.filter(({ change }) => change.mode === "managed").map(({ provider }) => provider),
    ...managed.map(({ provider }) => provider),
  ]);
  return [...all].filter((key) => {
    const service = serviceOf(key);
    return own.has(key) || (service !== undefined && services.has(service));
  });
}

/** The declared objects of a plan. */
interface DeclaredObjects {
  /** The declared addresses, by the identity of their object. */
  readonly byIdentity: ReadonlyMap<string, readonly string[]>;
  /** The types whose deletes wait for a replacement with an unknown identity, by the address of the replacement. */
  readonly waiting: ReadonlyMap<string, readonly string[]>;
}

const NOT_COMPARED: DeclaredObjects = { byIdentity: new Map(), waiting: new Map() };

/**
 * Identifies declared objects. A new object can have an unknown identity. Apply creates an object with an unknown identity before
 * it deletes objects of its type, or of types that share sets with its type.
 */
async function declaredObjects(
  { run, steps, identities, managed }: PlanGraph,
  candidates: readonly Step[],
  types: ReadonlySet<string>,
): Promise<DeclaredObjects> {
  const found = new Map<string, string[]>();
  const waiting = new Map<string, readonly string[]>();
  const leaving = new Set(candidates.map(nameOfStep));
  for (const step of [...steps.all, ...candidates]) {
    const { mode, type, address } = step.change;
    // A data source owns no object.
    if (mode !== "managed") continue;
    const planned = step.planned;
    const relatedTypes = [type, ...(run.configured(step.provider)?.sharesWith?.(type) ?? [])];
    if (!relatedTypes.some((one) => types.has(one)) || step.declared === undefined || planned === undefined)
      continue;
    const identity = await identities.identify(step.provider, type, planned);
    if (identity !== undefined) append(found, identity, address);
    else if (isObjectDelete(step)) waiting.set(address, relatedTypes);
    else if (step.change.action === "create") steps.add({ ...step, deletesAfter: relatedTypes });
  }
  // Declared objects without a step keep their values from the state.
  for (const object of managed) {
    const { type, name } = object.resource;
    const hasStep = steps.has(nameOf(object)) || leaving.has(nameOf(object));
    if (!types.has(type) || hasStep || !run.graph.has(`${type}.${name}`)) continue;
    const identity = await identities.identifyObject(object);
    if (identity !== undefined) append(found, identity, object.address);
  }
  return { byIdentity: found, waiting };
}

/** A declared instance without a step. */
export interface UnplannedInstance {
  readonly declaration: ResourceDeclaration;
  readonly address: string;
  /** The declared values; undefined if they can't be evaluated. */
  readonly declared: StoredState | undefined;
  /** The object that the state holds at the address of the instance. */
  readonly held: StateObject | undefined;
  /** `left out` by a restriction such as `--target`. `failed` if the instance or a dependency could not be planned. */
  readonly why: "left out" | "failed";
}

/**
 * Returns the declared instances without a step. The data sources of a left out declaration are read only if the declaration
 * may be for a deleted object. The type of the declaration must then be a deleted type, or share sets with a deleted type.
 *
 * @param candidates the steps of deletes and replacements
 */
async function unplannedInstances(
  { run, mode, targets, steps, objects, managed, walked, blocked }: PlanGraph,
  candidates: readonly Step[],
): Promise<UnplannedInstance[]> {
  if (blocked.size === 0 && run.restriction === undefined) return [];
  const declarations = [...run.context.configuration.resources.values()].filter(
    ({ mode: kind, address }) =>
      kind === "managed" && (blocked.has(address) || run.restriction !== undefined),
  );
  if (declarations.length === 0) return [];
  const deletedTypes = new Set(
    candidates.flatMap(({ provider, change: { type } }) => [
      type,
      ...(run.configured(provider).sharesWith?.(type) ?? []),
    ]),
  );
  const replaced = new Set(
    candidates.filter(({ declared }) => declared !== undefined).map(({ change }) => change.address),
  );
  const needed = declarations
    .filter(({ address }) => walked?.has(address) !== true)
    .filter(({ type, address }) => deletedTypes.has(type) || !isDataDependent(run, address))
    .flatMap(({ address }) => run.graph.dependenciesOf(address));
  await evaluateNodes(run, needed, objects.current, walked);
  // The value of a dependency that could not be planned is unknown. The other values can still identify the object.
  for (const { address } of run.context.configuration.resources.values())
    if (blocked.has(address)) run.evaluation.set(address, unknown(DYNAMIC));
  const held = new Map(managed.map((object) => [object.address, object]));
  const found: UnplannedInstance[] = [];
  for (const declaration of declarations)
    for (const { address, declared } of instancesOf(run, declaration)) {
      const isPlanned = walked?.has(declaration.address) === true;
      const isExcluded = !isPlanned || !targets.isSelected(address);
      // In a destroy, an instance without a step is not a failure, because nothing is created.
      if (steps.has(address) || replaced.has(address) || (!isExcluded && mode !== "normal")) continue;
      const why = isExcluded ? "left out" : "failed";
      found.push({ declaration, address, declared, held: held.get(address), why });
    }
  return found;
}

/**
 * Returns these instances with the identities of their objects. Leaves out an instance if the state holds its object at the
 * address of this instance. An object at the address of its instance can't also be at another address.
 */
async function withIdentities({ identities }: PlanGraph, instances: readonly UnplannedInstance[]) {
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

/** Returns the instances of a declaration, or the declaration itself if its instances are not known. */
function instancesOf(run: StackRun, declaration: ResourceDeclaration) {
  const { instances, diagnostics } = expand(declaration, run.evaluation);
  if (hasErrors(diagnostics)) return [{ address: declaration.address, declared: undefined }];
  return instances.map((instance) => {
    const { config, diagnostics: problems } = instanceConfig(run, declaration, instance);
    return { address: instance.address, declared: hasErrors(problems) ? undefined : { attributes: config } };
  });
}

/**
 * Registers the ownership of declarations that this run does not plan. Returns errors for parts that a planned
 * declaration also owns, because the plan would change these parts as if each part had only one owner.
 */
const claimUnplanned = (run: StackRun, unplanned: readonly UnplannedInstance[]): Diagnostic[] =>
  unplanned.flatMap((one) => claimOf(run, one));

function claimOf(run: StackRun, { declaration, address, declared, held }: UnplannedInstance) {
  const { type, provider, construct } = declaration;
  const client = run.configured(provider);
  const object = held && String((held.instance.attributes as ValueObject)["id"]);
  // The private bytes of the object contain ids for paths, and the declaration can use the same paths.
  const remembered = declared && { private: held?.instance.private, ...declared };
  for (const state of [remembered, held && stateOf(held.instance)]) {
    const conflicts = state && client?.claim?.({ type, address, object, ...state });
    if (conflicts !== undefined) return at(conflicts, address, construct);
  }
  return [];
}

/**
 * Returns declarations that could not be planned and have no object yet. Each key is the type of such a declaration, or a type
 * that shares sets with it. A plan with errors that do not come from the service can't be applied, so the result is then empty.
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
