import type { LeavingObject, Neighbour, Row, StayingObject } from "../../framework";
import { append, groupBy } from "../../schema";
import { managedOf, nameOf, objectsOf, type StateObject, stateOf } from "../objects/objects";
import type { StackRun } from "../stack-run/stack-run";
import { type ExecutablePlan, isLeaving, isObjectDelete, isRelease, type Step } from "../steps/steps";
import type { PlanGraph } from "./plan-graph";
import { nameOfStep } from "./planned-steps";
import { type UnplannedInstance, withIdentities } from "./unplanned-instances";

/** The relation of declarations to the object that a step deletes. */
export interface SameObject {
  /** Columns of the row that change because another declaration has the object. */
  readonly columns: Partial<Row>;
  readonly neighbours: readonly Neighbour[];
  /** The address of a declaration that the run leaves out. */
  readonly leftOut?: string;
  /** Types whose deletes wait for a replacement, if the identity of its new object is not known yet. */
  readonly deletesAfter?: readonly string[];
}

const NOBODY: SameObject = { columns: {}, neighbours: [] };

/** Compares the objects of deletes with all declarations. */
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
   * @param candidates steps that delete objects, unless others have these objects
   * @param declarations declared instances without a step
   * @param leftBehind names of objects that are no longer declared, and that have no step
   */
  static async find(
    plan: PlanGraph,
    candidates: readonly Step[],
    declarations: readonly UnplannedInstance[],
    leftBehind: () => ReadonlySet<string>,
  ): Promise<SameObjects> {
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

  /** Finds the declarations of a deleted object. An apply also compares deletes of replacements with unchanged objects. */
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

/** The provider configurations that lead to the services of deletes. */
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
  /** Addresses of replacements with an unknown identity, with the types whose deletes wait for them. */
  readonly waiting: ReadonlyMap<string, readonly string[]>;
}

const NOT_COMPARED: DeclaredObjects = { byIdentity: new Map(), waiting: new Map() };

/**
 * Identifies declared objects. If the identity of a new object is unknown, the deletes of its types wait for this object in the
 * apply.
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

/** The objects that exist after an apply: declared ones, and objects that the plan leaves unchanged. */
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
   * Announces these objects to a provider, before a delete is planned or anything is destroyed. The provider needs this only if
   * the plan releases an object.
   */
  async tell(key: string): Promise<void> {
    const { steps, leftBehind, movedState } = this.plan;
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
          ...own.filter((step) => isRelease(this.run, step)).map(leavingObject),
          ...others.filter((object) => leftBehind.has(nameOf(object))).map(remainingObject),
        ],
      );
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
