import type { LeavingObject, StayingObject } from "../../framework";
import { append, groupBy } from "../../schema";
import { moveNotTargeted, stillDeclared } from "../moves/move-diagnostics";
import { managedOf, nameOf, objectsOf, type StateObject } from "../run/objects";
import type { StackRun } from "../run/stack-run";
import { restrictionOf } from "../run/targets";
import { type ExecutablePlan, isEnd, isLeaving, isObjectDelete, type Step } from "../steps/steps";
import { stateOf } from "../steps/upgrade";
import type { PlanGraph } from "./plan-graph";
import { type UnplannedInstance, withIdentities } from "./unplanned-instances";

/** What exists after an apply: what is declared, and what the plan leaves unchanged. */
export class ExpectedChanges {
  readonly #planned: ReadonlySet<string>;

  /** @param unplanned declared instances without a step */
  constructor(
    private readonly run: StackRun,
    private readonly plan: Pick<ExecutablePlan, "steps" | "movedState" | "leftBehind">,
    private readonly unplanned: readonly UnplannedInstance[] = [],
  ) {
    this.#planned = new Set(plan.steps.map(({ change }) => change.address));
  }

  /**
   * Tells a provider, before a delete is planned or anything is destroyed. If nothing is released, through any configuration,
   * there is nothing to tell: several may lead to one service.
   */
  async tell(key: string): Promise<void> {
    const { steps, leftBehind, movedState } = this.plan;
    if (leftBehind.size === 0 && !steps.some((step) => this.#isRelease(step))) return;
    const own = steps.filter(({ provider, change }) => provider === key && change.mode === "managed");
    const others = managedOf(objectsOf(movedState, this.run).current).filter(
      ({ address, provider }) => provider === key && !this.#planned.has(address),
    );
    const declared = this.unplanned.filter(({ declaration }) => declaration.provider === key);
    await this.run
      .configured(key)
      .expectChanges?.(
        [
          ...own.filter((step) => step.declared !== undefined).map(plannedObject),
          ...others.map(unchangedObject),
          ...declared.flatMap(declaredObject),
        ],
        [
          ...own.filter((step) => this.#isRelease(step)).map(leavingObject),
          ...others.filter((object) => leftBehind.has(nameOf(object))).map(remainingObject),
        ],
      );
  }

  /** Whether a step ends the ownership of an object or of a part of it, so that others may take it over. */
  #isRelease(step: Step): boolean {
    const { mode, type, action } = step.change;
    if (mode !== "managed") return false;
    if (isObjectDelete(step) || action === "forget") return true;
    // An update may end the ownership of a set and leave its content to others.
    return action === "update" && (this.run.configured(step.provider)?.sharesWith?.(type) ?? []).length > 0;
  }
}

function leavingObject(step: Step): LeavingObject {
  const { type, address, action } = step.change;
  return { type, ...(action !== "create-then-delete" && { address }), ...step.prior! };
}

const isCreate = ({ change: { action } }: Step): boolean =>
  action === "create" || action === "delete-then-create" || action === "create-then-delete";

function plannedObject(step: Step): StayingObject {
  const { type, address, before } = step.change;
  const planned = (step.planned ?? step.prior)!;
  return { type, address, planned, ...(!isCreate(step) && { object: String(before?.["id"]) }) };
}

const declaredObject = ({ declaration: { type }, address, declared }: UnplannedInstance): StayingObject[] =>
  declared === undefined ? [] : [{ type, address, planned: declared }];

function unchangedObject({ resource: { type }, address, instance }: StateObject): StayingObject {
  const planned = stateOf(instance);
  return { type, address, planned, object: String(planned.attributes["id"]) };
}

const remainingObject = ({ resource: { type }, address, instance }: StateObject): LeavingObject => ({
  type,
  address,
  ...stateOf(instance),
});

export interface ComparedDeletes {
  /** Declared instances without a step. */
  readonly unplanned: readonly UnplannedInstance[];
  /** Addresses of rejected deletes, which are already reported. */
  readonly refused: ReadonlySet<string>;
}

/**
 * Compares each delete, and each object that leaves its fleet, with everything that stays declared. If both are the same object,
 * the state only drops the address that is no longer declared. If the identity of a new object is unknown, deletes of its type wait for it.
 *
 * @param declarations declared instances without a step
 * @param leftBehind names of objects that are no longer declared, and that have no step
 */
export async function compareDeletes(
  plan: PlanGraph,
  declarations: readonly UnplannedInstance[],
  leftBehind: () => ReadonlySet<string>,
): Promise<ComparedDeletes> {
  const { run, steps, identities } = plan;
  const deletes = steps.planned.filter(isEnd);
  if (deletes.length === 0) return { unplanned: [], refused: new Set() };
  const types = new Set(deletes.map(({ change }) => change.type));
  const declaredBy = await declaredObjects(plan, types);
  const unplanned = await withIdentities(plan, declarations);
  const changes = { steps: steps.all, movedState: plan.state, leftBehind: leftBehind() };
  const expected = new ExpectedChanges(run, changes, unplanned);
  for (const key of configurationsOfServices(plan, deletes)) await expected.tell(key);
  const claimants = groupBy(unplanned, ({ identity }) => identity);
  const ambiguous = new Set(
    run.diagnostics.flatMap(({ code, address }) => (code === "move_ambiguous" ? [address] : [])),
  );
  const refused = new Set<string>();
  for (const step of deletes) {
    const { provider, change } = step;
    const identity = await identities.identify(provider, change.type, step.prior!);
    if (identity === undefined) continue;
    const isOwn = (address: string) => address === change.address && change.deposed === undefined;
    // The deletes of replacements are compared at apply.
    const holder =
      change.action === "delete" || isLeaving(step)
        ? declaredBy.get(identity)?.find((address) => !isOwn(address))
        : undefined;
    const claiming = claimants.get(identity) ?? [];
    const claimant = claiming.find((one) => !isOwn(one.address));
    if (holder !== undefined) {
      steps.add({ ...step, change: { ...change, action: "forget", sameAs: holder }, handedTo: [holder] });
      run.report([stillDeclared(change, holder)]);
    } else if (claimant?.why === "left out") {
      run.report([
        moveNotTargeted(restrictionOf(run.context)!, change.address, claimant.address, [claimant.address]),
      ]);
      refused.add(change.address);
    } else if (claiming.some((one) => ambiguous.has(one.address))) {
      steps.remove(step);
    }
  }
  return { unplanned, refused };
}

/** The provider configurations that lead to the services of these steps. */
function configurationsOfServices({ run, steps, managed }: PlanGraph, of: readonly Step[]): string[] {
  const serviceOf = (key: string) => run.configured(key)?.service;
  const own = new Set(of.map(({ provider }) => provider));
  const services = new Set([...own].map(serviceOf));
  const all = new Set([
    ...steps.all.filter(({ change }) => change.mode === "managed").map(({ provider }) => provider),
    ...managed.map(({ provider }) => provider),
  ]);
  return [...all].filter((key) => {
    const service = serviceOf(key);
    return own.has(key) || (service !== undefined && services.has(service));
  });
}

type Addresses = Map<string, string[]>;

/** The declared addresses, by the identity of their object. */
async function declaredObjects({ run, steps, identities, managed }: PlanGraph, types: ReadonlySet<string>) {
  const found: Addresses = new Map();
  for (const step of steps.all) {
    const { mode, type, address } = step.change;
    // A data source owns no object.
    if (mode !== "managed") continue;
    const planned = step.planned;
    const relatedTypes = [type, ...(run.configured(step.provider)?.sharesWith?.(type) ?? [])];
    if (!relatedTypes.some((one) => types.has(one)) || step.declared === undefined || planned === undefined)
      continue;
    const identity = await identities.identify(step.provider, type, planned);
    if (identity !== undefined) append(found, identity, address);
    else if (isObjectCreate(step)) steps.add({ ...step, deletesAfter: relatedTypes });
  }
  // Declared objects without a step stay as the state has them.
  for (const object of managed) {
    const { type, name } = object.resource;
    if (!types.has(type) || steps.has(nameOf(object)) || !run.graph.has(`${type}.${name}`)) continue;
    const identity = await identities.identifyObject(object);
    if (identity !== undefined) append(found, identity, object.address);
  }
  return found;
}

const isObjectCreate = (step: Step): boolean => step.change.action === "create" || isObjectDelete(step);
