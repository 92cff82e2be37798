import { continueWith, type Resolution } from "../../framework";
import {
  DYNAMIC,
  NO_LIFECYCLE,
  type ResourceDeclaration,
  resourceAddress,
  unknown,
  type Value,
} from "../../language";
import {
  type Attributes,
  attributeList,
  isCollectionOfPrimitives,
  isNested,
  once,
  sameValue,
  type ValueObject,
} from "../../schema";
import { checkMovedInstances, importsOf } from "../declarations/check-blocks";
import { type DeclaredResource, providerNode } from "../declarations/declarations";
import { RevisitAfter, type Visited, type VisitOutcome } from "../declarations/walk";
import type { StateObject } from "../objects/objects";
import type { UnchangedCandidate } from "../objects/refresh";
import { markedValue } from "../results/redaction";
import { registerConditions } from "../stack-run/conditions";
import { aggregate, expand, type InstanceKey } from "../stack-run/instances";
import { withNonNullId } from "../stack-run/terraform-data";
import { DataSourcePlan, rereadAtApply, storedValue } from "../steps/data-sources";
import { isObjectDelete, type PlannedStep, type Step } from "../steps/steps";
import { InstancePlan } from "./declared-objects";
import { importTargets, NO_IMPORTS } from "./existing-objects";
import { MoveDetection } from "./move-detection";
import type { PlanGraph } from "./plan-graph";
import { isUnchangedObject, type PlannedInstance, ResourceVisit } from "./planned-steps";

/** Plans the instances of declarations. If a visit waits for an object, the next visit continues where the last visit stopped. */
export class ResourceVisits {
  /** The search for moves. The search is created on first use, because most plans find no moves. */
  #moves: MoveDetection | undefined;
  readonly #visits = new Map<string, ResourceVisit>();
  /** Whether a provider configuration has no dependencies, by the key of the provider configuration. */
  readonly #freeProviders = new Map<string, boolean>();
  /** Whether the plan has no option or block for single objects, such as `--target` or `moved`. */
  readonly #isPlain: boolean;

  constructor(private readonly plan: PlanGraph) {
    const { context, evaluation } = plan.run;
    const { pendingRecovery, replace = [], configuration } = context;
    const isWhole = plan.run.restriction === undefined && pendingRecovery === undefined;
    const asked = configuration.moves.length + configuration.imports.length + replace.length;
    this.#isPlain = plan.mode === "normal" && isWhole && asked === 0;
    plan.isUnchanged = (standing) => this.#planStaying(standing);
    // The values of unchanged resources are created on first use, because most resources are never referenced.
    evaluation.setOthers((address) => {
      const visit = this.isStaying(address) ? this.get(address) : undefined;
      return visit && this.#valueOf(visit);
    });
  }

  get all(): Iterable<ResourceVisit> {
    for (const { object } of this.plan.steps.standing) this.get(object.address);
    return this.#visits.values();
  }

  /** Returns the visit of a resource; undefined without a visit, or for an invalid declaration. */
  get(resource: string): ResourceVisit | undefined {
    if (this.isStaying(resource)) {
      const declaration = this.plan.run.context.configuration.resources.get(resource)!;
      const only = this.#start(declaration)!.instances[0]!;
      only.outcome = "done";
      only.step = this.plan.steps.get(resource);
    }
    return this.#visits.get(resource);
  }

  /** Returns true if a resource is unchanged, has only one object in the state, and no other node requested its visit. */
  isStaying(resource: string): boolean {
    return this.plan.steps.isStaying(resource) && !(this.#visits.size > 0 && this.#visits.has(resource));
  }

  /**
   * Decides about instances that wait for their objects, and moves objects to these instances. The resources of the instances
   * can then be visited again.
   */
  async resolve(isStillPlanned: (resource: string) => boolean): Promise<void> {
    const found = await this.#moves?.resolve((resource) => {
      if (this.#visits.has(resource) || this.isStaying(resource)) return "done";
      return isStillPlanned(resource) ? "waiting" : "out of reach";
    });
    if (found !== undefined && found.moving.length > 0) this.plan.relocate(found);
  }

  /**
   * Plans the instances of a resource that can be planned now. Once all instances are planned, sets the value of the resource for
   * expressions.
   */
  visit(address: string, { declaration, isAlone }: DeclaredResource): Resolution<Visited> {
    if (this.#visits.has(address) || !this.#canStay(isAlone, declaration))
      return this.#visitInFull(declaration);
    const visitNow = () => {
      const standing = this.plan.refresher.standing(address);
      return standing !== undefined && this.#planStaying(standing) ? "done" : this.#visitInFull(declaration);
    };
    const pending = this.plan.refresher.pending(address);
    if (pending?.isShared) return new RevisitAfter(pending.ended);
    return pending === undefined ? visitNow() : pending.ended.then(visitNow, visitNow);
  }

  /**
   * Returns true if the declaration allows an unchanged object: it is constant, has one object and depends only on its provider.
   */
  #canStay(isAlone: boolean, declaration: ResourceDeclaration): boolean {
    const { provider, mode, lifecycle, count, forEach } = declaration;
    if (!isAlone || !this.#isPlain || mode !== "managed" || this.plan.hasMoved) return false;
    if (lifecycle !== NO_LIFECYCLE || count !== undefined || forEach !== undefined) return false;
    if (this.plan.run.previousAddresses.size > 0) return false;
    const { graph } = this.plan.run;
    return once(this.#freeProviders, provider, () => graph.isIndependent(providerNode(provider)));
  }

  /**
   * Plans an object as unchanged if it certainly is, and if its resource has only this object. Returns whether it planned the
   * object.
   */
  #planStaying(standing: UnchangedCandidate): boolean {
    const { run, steps } = this.plan;
    const { address, resource, instance } = standing.object;
    if (resource.instances.length !== 1 || instance.deposed !== undefined) return false;
    const node = run.graph.value(address);
    if (node?.kind !== "resource") return false;
    const declaration = run.context.configuration.resources.get(address)!;
    if (!this.#canStay(node.isAlone, declaration)) return false;
    if (!isUnchangedObject(run, declaration, standing)) return false;
    steps.stay(standing);
    return true;
  }

  #visitInFull(declaration: ResourceDeclaration): Resolution<VisitOutcome> {
    const visit = this.#visits.get(declaration.address) ?? this.#start(declaration);
    if (visit === undefined) return "failed";
    const { instances } = visit;
    const all =
      instances.length === 1
        ? this.#visitOnce(instances[0]!, visit)
        : Promise.all(instances.map((one) => this.#visitOnce(one, visit))).then(worst);
    return continueWith(all, (outcome) => {
      if (outcome !== "waiting") this.#setValue(visit);
      return outcome;
    });
  }

  /** Stores the value of a completely planned resource, so that expressions can use it. */
  #setValue(visit: ResourceVisit): void {
    this.plan.run.evaluation.setLazily(visit.declaration.address, () => this.#valueOf(visit));
  }

  #valueOf({ declaration, instances }: ResourceVisit): Value {
    const { attributes } = this.plan.run.schema(declaration);
    const values = instances.map((one): [InstanceKey, Value] => [
      one.instance.key,
      one.step === undefined ? this.#leftOutValue(one) : valueOfStep(one.step, attributes),
    ]);
    return aggregate(declaration, new Map(values)) ?? unknown(DYNAMIC);
  }

  /**
   * Returns the value of an instance without a step. If the run leaves out the instance, the value comes from the state.
   * Otherwise, the value is unknown.
   */
  #leftOutValue({ run, declaration, address }: PlannedInstance): Value {
    const held = run.leftOut?.has(address)
      ? this.plan.objects.current.get(declaration.address)?.find((object) => object.address === address)
      : undefined;
    return held === undefined ? unknown(DYNAMIC) : storedValue(run, declaration, held.instance);
  }

  #start(declaration: ResourceDeclaration): ResourceVisit | undefined {
    const { address } = declaration;
    const { instances, diagnostics } = expand(declaration, this.plan.run.evaluation);
    this.plan.containers?.leave(declaration, instances);
    const { configuration } = this.plan.run.context;
    const blocks = importsOf(configuration.imports, address);
    const imports =
      blocks.length === 0 ? NO_IMPORTS : importTargets(this.plan.run, declaration, instances, blocks);
    const moves = checkMovedInstances(
      configuration.moves,
      { address: declaration.address, construct: declaration.construct },
      instances.map(({ address }) => address),
    );
    if (diagnostics.length + imports.diagnostics.length + moves.length > 0)
      if (this.plan.run.report([...diagnostics, ...imports.diagnostics, ...moves]) === "failed")
        return undefined;
    registerConditions(this.plan.run.checks, address, declaration.lifecycle, instances);
    const visit = new ResourceVisit(this.plan.run, declaration, instances, imports);
    this.#visits.set(address, visit);
    return visit;
  }

  /** Visits an instance, unless an earlier visit has planned it. */
  #visitOnce(one: PlannedInstance, visit: ResourceVisit): Resolution<VisitOutcome> {
    if (one.outcome !== undefined) return one.outcome;
    if (!this.plan.targets.isSelected(one.address)) return "done";
    if (visit.declaration.mode === "managed" && !this.#isInPlace(one)) return this.#visitMoving(one, visit);
    return this.#plan(one, visit);
  }

  /**
   * Returns whether the state certainly holds the declared object at the declared address. The identity of the object is then
   * not needed.
   */
  #isInPlace(one: PlannedInstance): boolean {
    if (this.#moves?.isResolved(one.address) === true) return false;
    const own = this.plan.movable(one.address);
    return own !== undefined && isDeclaredSame(one, own);
  }

  async #visitMoving(one: PlannedInstance, visit: ResourceVisit): Promise<VisitOutcome> {
    this.#moves ??= new MoveDetection(this.plan, ({ address, resource }) => {
      const declared = this.#visits.get(resourceAddress(resource));
      return declared !== undefined && !declared.isDeclared(address);
    });
    const status = await this.#moves.status(one, visit.imports);
    if (status === "planned") return this.#plan(one, visit);
    if (status === "waits") return "waiting";
    one.outcome = "failed";
    return "failed";
  }

  #plan(one: PlannedInstance, visit: ResourceVisit): Resolution<VisitOutcome> {
    return continueWith(this.#planned(one, visit), ({ step, diagnostics }) => {
      if (step !== undefined) {
        if (isObjectDelete(step)) this.plan.steps.expect(step);
        else this.plan.steps.add(step);
        one.step = step;
      }
      one.outcome = this.plan.run.report(diagnostics);
      return one.outcome;
    });
  }

  #planned(one: PlannedInstance, visit: ResourceVisit): Resolution<PlannedStep> {
    if (visit.declaration.mode === "data") return this.#planData(one);
    return continueWith(this.plan.forInstance(one, visit.imports.targets.get(one.address)), (refreshed) =>
      new InstancePlan(this.plan, visit, one, refreshed).plan(),
    );
  }

  async #planData(one: PlannedInstance): Promise<PlannedStep> {
    const isNormal = this.plan.mode === "normal";
    // In other modes, no resource changes, so no read has to wait.
    const isPending = (resource: string) => isNormal && this.plan.steps.isPending(resource);
    const source = new DataSourcePlan(one, isPending);
    const planned = await source.plan(!isNormal);
    if (one.declaration.check === undefined) return planned;
    const nested = source.nested(planned);
    return { ...nested, step: isNormal ? nested.step && rereadAtApply(nested.step) : planned.step };
  }
}

/**
 * Returns whether an object in the state has all declared primitive values. Other values can't be part of a key, so they are
 * not compared.
 */
function isDeclaredSame({ run, declaration, config: { config } }: PlannedInstance, held: StateObject) {
  const values = held.instance.attributes as ValueObject;
  const all = attributeList(run.schema(declaration).attributes);
  for (let index = 0; index < all.length; index += 1) {
    const { name, attribute } = all[index]!;
    const value = config[name] ?? null;
    const isSingle = !isNested(attribute.type) && !isCollectionOfPrimitives(attribute.type);
    if (value !== null && isSingle && !sameValue(value, values[name] ?? null)) return false;
  }
  return true;
}

const worst = (outcomes: readonly VisitOutcome[]): VisitOutcome =>
  (["waiting", "failed"] as const).find((one) => outcomes.includes(one)) ?? "done";

function valueOfStep({ change, sensitive }: Step, attributes: Attributes): Value {
  const value = markedValue(attributes, change.after, sensitive);
  return change.type === "terraform_data" ? withNonNullId(value) : value;
}
