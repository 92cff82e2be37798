import { type Diagnostic, hasErrors } from "../../diagnostics";
import {
  type AttributesPlan,
  continueWith,
  isPlannedAsBefore,
  isUnknown,
  isWhollyKnown,
  planAttributes,
  type Resolution,
  type SemanticEquality,
  sameValue,
  UNKNOWN,
} from "../../schema";
import type { Collection } from "../collections/listing";
import type { ResourceDefinition, Scope } from "../definition/definition";
import type { PlanRequest, PlanResponse, StaysRequest, StoredState } from "../protocol/protocol";
import { meaning, resolveValue } from "../references/normalize";
import { ReferenceNotFound, type References } from "../references/references";
import { rememberedIn, withRemembered } from "../references/remembered";
import { checkPlan, claim, type Planning } from "./check-plan";
import { compareDeclared } from "./compare-paths";
import { existingObject, observeBeforeCreate } from "./existing-object";
import { canHideEntries, removeAgain } from "./hidden-entries";
import { identify, identityOf, isIdentityOf, parseId, referencesOf, resolveId } from "./identity";
import { refusedContainer } from "./object-problems";
import { refuseDeclared, refuseDestroyOfDeclared } from "./plan-destroy";
import { reasonsToReplace } from "./replaced-values";
import { type ResourceSession, scopeOf } from "./session";
import { declaredAsBefore, isAsRead, noteDeclared, resolveDeclared } from "./state";

/** Plans one object. The result contains the object's planned attributes, or errors if known values make the change invalid. */
export const planResource = (session: ResourceSession, request: PlanRequest): Resolution<PlanResponse> => {
  const { prior, config, address, canReturnPrior } = request;
  const claimed = prior && claimIfUnchanged(session, { address, state: prior, config, isRead: true });
  if (prior === undefined || claimed === undefined) return planInFull(session, request);
  if (claimed.length > 0) return { requiresReplace: [], diagnostics: claimed };
  const id = String(prior.attributes["id"]);
  const planned = canReturnPrior
    ? prior
    : { ...prior, private: withRemembered(prior.private, { object: id }) };
  return continueWith(refuseDeclared(session, planned, { object: id }), (refused) =>
    refused.length > 0
      ? { requiresReplace: [], diagnostics: refused }
      : { planned, requiresReplace: [], diagnostics: [] },
  );
};

/**
 * Plans one object with all checks. References are looked up, and for a new object, a search finds live objects that block it.
 */
export async function planInFull(
  session: ResourceSession,
  { prior: stored, config, address, plannedBefore, existing: wanted }: PlanRequest,
): Promise<PlanResponse> {
  const { definition } = session;
  const { container } = definition;
  try {
    const resolved = stored && resolveId(session, stored);
    const prior = resolved instanceof Promise ? await resolved : resolved;
    const references = referencesOf(session, prior);
    const comparing = compareDeclared(session, prior, config);
    const compared = comparing instanceof Promise ? await comparing : comparing;
    if (hasErrors(compared.diagnostics)) return { requiresReplace: [], diagnostics: compared.diagnostics };
    for (const { kind, text, id } of compared.moved) references.learn(kind, text, id);
    const { object: plannedObject, shown } = rememberedIn(plannedBefore);
    const planning: Planning = { session, prior, config, address, references, plannedObject, wanted };
    const isSameMeaning = sameMeaningBy(references);
    const settled = references.settled(() =>
      planAttributes(definition.attributes, prior?.attributes, config, isSameMeaning),
    );
    const plan = settled instanceof Promise ? await settled : settled;
    const { diagnostics, existing } = await findings(planning, plan);
    const id = prior?.attributes["id"] ?? UNKNOWN;
    const asPlanned = () => {
      const remembered = references.remember(isUnknown(id) ? plannedObject : String(id));
      return {
        attributes: plan.planned === prior?.attributes ? plan.planned : { ...plan.planned, id },
        private: shown === undefined ? remembered : withRemembered(remembered, { shown }),
      };
    };
    // With `tell`, a blocking object causes no error here. The blocking object may have an address that lost its declaration. The
    // host can then move the object, but knows this only after this plan.
    const blocking = wanted === "tell" ? undefined : existing;
    if (hasErrors(diagnostics) && blocking === undefined) return { requiresReplace: [], diagnostics };
    noteDeclared(definition, config, references);
    const planned = asPlanned();
    const object = prior?.attributes["id"] ?? plannedObject;
    const difference = plan.isChange ? "update" : "none";
    const findRefused = () =>
      plan.requiresReplace.length > 0
        ? refuseDestroyOfDeclared(session, prior!, true)
        : refuseDeclared(session, planned, { object, existing: blocking, difference });
    // If the host keeps a whole plan and no object blocks the create, no refusal is possible. No promise is awaited in this case,
    // to save time.
    const refused = session.isPlanKept && blocking === undefined ? [] : await findRefused();
    if (refused.length > 0) return { requiresReplace: [], diagnostics: [...diagnostics, ...refused] };
    const before = prior === undefined ? await observedPlace(planning) : undefined;
    const creates = prior === undefined && !session.isPlanKept ? await identify(session, planned) : undefined;
    return {
      planned:
        creates === undefined
          ? planned
          : { ...planned, private: references.remember(plannedObject, creates) },
      requiresReplace: plan.requiresReplace,
      ...(existing && blocking === undefined && { existing }),
      ...(before && { observed: before }),
      diagnostics: [
        ...firstOfEach(session, compared.diagnostics),
        ...references.moved,
        ...diagnostics,
        ...(prior === undefined || references.notRemoved.length === 0
          ? []
          : removeAgain(definition, prior, planned)),
      ],
    };
  } catch (problem) {
    const diagnostics = session.failures.toDiagnostics(problem);
    const isOfContainer =
      problem instanceof ReferenceNotFound && diagnostics[0]?.attribute?.[0] === container;
    if (!isOfContainer) return { requiresReplace: [], diagnostics };
    const refused = refusedContainer(session, config[container], 404);
    return { requiresReplace: [], diagnostics: diagnostics.map((one) => ({ ...one, refused })) };
  }
}

/**
 * Leaves out warnings with a cause that the run has already reported. Returns all warnings to a host that stores the whole plan,
 * because such a host merges them itself.
 */
const firstOfEach = ({ isPlanKept, announced }: ResourceSession, found: readonly Diagnostic[]) =>
  isPlanKept ? found : found.filter(({ cause = "" }) => !announced.has(cause) && announced.add(cause));

async function observedPlace(planning: Planning) {
  const { session, config, references } = planning;
  const { definition, isConnected, isPlanKept } = session;
  // Without a connection, it is impossible to resolve references.
  if (!isWhollyKnown(config) || !isConnected || !isPlanKept) return undefined;
  return observeBeforeCreate(session, await resolveDeclared(definition, config, references));
}

async function findings(planning: Planning, plan: AttributesPlan) {
  // A replacement is planned a second time without a prior state. The second plan makes the checks and registers the ownership.
  const { session, prior, config, references } = planning;
  const { requiresReplace } = plan;
  if (requiresReplace.length > 0) {
    const before = prior?.attributes ?? {};
    return {
      diagnostics: await reasonsToReplace(session.definition, before, config, references, requiresReplace),
    };
  }
  // Without a connection, the plan of a new object contains only its declaration. The apply looks up the references.
  if (prior === undefined && !session.isConnected) return { diagnostics: [] };
  const { diagnostics, existing } = await checkPlan(planning, plan);
  const [id, ...others] = existing;
  return { diagnostics, existing: id === undefined ? undefined : existingObject(session, id, others) };
}

const sameMeaningBy =
  (references: References): SemanticEquality =>
  ({ type }, one, other, path) => {
    const isSameText = sameValue(one, other, type);
    if (isSameText || !isWhollyKnown(other)) return isSameText;
    const wanted = meaning(type, resolveValue(type, other, references, path));
    try {
      return meaning(type, resolveValue(type, one, references, path)) === wanted;
    } catch (problem) {
      // No object has the prior text any more, so the configured text refers to another object.
      if (problem instanceof ReferenceNotFound) return false;
      throw problem;
    }
  };

/**
 * Caches values that all objects of one type and container share. A plan usually receives such objects one after the other, so
 * most of them reuse these values.
 */
class ContainerContext {
  readonly container: number;
  readonly scope: Scope;
  /** The references in the private bytes of the current object. At first, no reference is marked as used. */
  references: References;
  readonly #start: string;
  readonly #text: unknown;
  #private: string | undefined;

  constructor(
    private readonly session: ResourceSession,
    state: StoredState,
  ) {
    this.container = identityOf(state).container;
    this.scope = keepingCollections(scopeOf(session, this.container));
    this.references = referencesOf(session, state);
    this.#start = `${this.container}:`;
    this.#text = state.attributes[session.definition.container];
    this.#private = state.private;
  }

  /**
   * Returns whether a state belongs to an object in this context's container. If the result is true, the context then contains
   * this object's references.
   */
  isContextOf(state: StoredState): boolean {
    const { attributes, private: remembered } = state;
    if (attributes[this.session.definition.container] !== this.#text) return false;
    if (!String(attributes["id"]).startsWith(this.#start)) return false;
    if (remembered === this.#private) this.references.startAgain();
    else this.references = referencesOf(this.session, state);
    this.#private = remembered;
    return true;
  }
}

/** The context of the object that each session planned last. The next object usually has the same container. */
const lastContexts = new WeakMap<ResourceSession, ContainerContext>();

function contextOf(session: ResourceSession, state: StoredState): ContainerContext {
  const last = lastContexts.get(session);
  if (last?.isContextOf(state)) return last;
  const context = new ContainerContext(session, state);
  lastContexts.set(session, context);
  return context;
}

/** Returns a scope that caches its last collection, because most lifecycle functions read only one collection. */
function keepingCollections(scope: Scope): Scope {
  let last: { readonly of: unknown; readonly live: unknown } | undefined;
  const collection = (of: Collection<never, never>) => {
    if (last?.of !== of) last = { of, live: scope.collection(of) };
    return last?.live;
  };
  return { ...scope, name: scope.name, collection: collection as Scope["collection"] };
}

/**
 * Registers the ownership of an object whose plan is certainly equal to its prior state. Returns undefined, and registers
 * nothing, if the plan is uncertain. Sends no request. In a large plan, this function replaces `readResource` and `planInFull`
 * for most objects.
 *
 * @returns errors about parts that another declaration also owns
 */
export function claimIfUnchanged(
  session: ResourceSession,
  { address, state, config, isRead }: Omit<StaysRequest, "type">,
): readonly Diagnostic[] | undefined {
  const { definition } = session;
  if (!isPlannedAsBefore(definition.attributes, state.attributes, config)) return undefined;
  const context = contextOf(session, state);
  const { container, references } = context;
  // The id of an object from another provider can contain the path of the container. An object with such an id must be read and
  // planned.
  if (!Number.isSafeInteger(container) || references.notRemoved.length > 0) return undefined;
  // A path that was not compared with the service, or that differs, can now mean another object.
  if (session.lookups.isComparing && !session.lookups.isQuiet(state.private)) return undefined;
  if (!isRead) {
    if (!isLive(definition, state, context)) return undefined;
    references.startAgain();
  }
  const declared = references.ifKnown(() =>
    declaredAsBefore(definition, config, state.attributes, references),
  );
  if (declared === undefined) return undefined;
  // The state of an imported object has no record of declared attributes. No record is added here, because no apply saves the
  // state of an unchanged object.
  if (!session.isPlanKept || references.hasDeclared) noteDeclared(definition, config, references);
  if (references.remember() !== state.private) return undefined;
  if ((definition.check?.(declared, container) ?? []).length > 0) return undefined;
  // `claim` registers the ownership, so it is called only after all checks above have passed.
  return claim(session, { prior: state, address, plannedObject: undefined }, declared, container);
}

/** Returns whether the records that this run has cached contain the object with exactly the values of the state. */
function isLive(
  definition: ResourceDefinition,
  state: StoredState,
  { container, references, scope }: ContainerContext,
) {
  if (state.identity === undefined || canHideEntries(definition)) return false;
  const identity = { container, key: parseId(String(state.attributes["id"])).key };
  const found = read(definition, scope, identity.key, state);
  return (
    found !== undefined &&
    isAsRead({ definition, identity, found, references }, state) &&
    isIdentityOf(definition, state.identity, identity)
  );
}

function read(definition: ResourceDefinition, scope: Scope, key: string, { attributes }: StoredState) {
  try {
    const found = definition.read(scope, key, attributes);
    if (!(found instanceof Promise)) return found;
    found.catch(() => undefined);
  } catch {
    // Errors of this read are ignored, because the full read of the object reports them.
  }
  return undefined;
}
