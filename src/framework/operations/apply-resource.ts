import { DiagnosticError, hasErrors } from "../../diagnostics";
import { type Attributes, isWhollyKnown, type ValueObject } from "../../schema";
import type { Found, ResourceDefinition } from "../definition/definition";
import type {
  ApplyRequest,
  ApplyResponse,
  ObservedBeforeCreate,
  RecoverRequest,
  RecoverResponse,
  StoredState,
} from "../protocol/protocol";
import { differences, distance, lacksElementsOnly, mayLag } from "./contradictions";
import { createObject } from "./create-object";
import { holding } from "./declared-ownership";
import { deleteObject } from "./delete-object";
import { recordNotRemoved } from "./hidden-entries";
import { formatId, identityOf, placeOf, resolveId } from "./identity";
import { explainUnreadable, goneSincePlan, writeProblems } from "./object-problems";
import { confirmingScope, type ResourceSession, scopeOf } from "./session";
import { toState } from "./state";
import {
  attemptOf,
  confirmed,
  currentState,
  findCreated,
  findCreatedIn,
  named,
  pauseBeforeVerify,
  proven,
  readBack,
  stateNow,
  verify,
  verifyWithHidden,
  type WriteVerifier,
} from "./verify-write";

/** Updates one object in place. If the update fails, the returned state contains the values that the object has now. */
async function updateObject(
  session: ResourceSession,
  prior: StoredState,
  planned: StoredState,
  config: ValueObject,
): Promise<ApplyResponse> {
  let attempt: WriteVerifier;
  try {
    attempt = await attemptOf(session, { prior, planned, config });
  } catch (problem) {
    return { state: prior, diagnostics: session.failures.toDiagnostics(problem) };
  }
  const { container } = attempt.identity;
  try {
    const { found, diagnostics } = await readBack(session, observeThenUpdate(attempt, prior));
    const response = await currentState(attempt, found);
    return { ...response, diagnostics: [...attempt.proven, ...diagnostics, ...response.diagnostics] };
  } catch (problem) {
    session.collections.drop(container);
    return {
      state: recordNotRemoved(
        await stateNow(attempt, priorOrPlanned(prior, planned), prior, prior.attributes),
        problem,
      ),
      diagnostics: await writeProblems(session, container, problem),
    };
  }
}

/**
 * Returns the prior attributes, with planned values for attributes that have no prior value, such as a set that was not managed.
 * A request may already have set parts of such a value.
 */
const priorOrPlanned = (prior: StoredState, planned: StoredState): ValueObject =>
  Object.fromEntries(
    Object.entries(prior.attributes).map(([name, value]) => [
      name,
      value ?? planned.attributes[name] ?? null,
    ]),
  );

/**
 * Updates an object, and reads it before each attempt, so that a repeated attempt sends only the missing changes. If two attempts
 * add one record twice, the next read finds the duplicate, and the update removes the duplicate.
 */
async function observeThenUpdate(attempt: WriteVerifier, prior: StoredState): Promise<Found<Attributes>> {
  const { session, identity, declared } = attempt;
  const { definition, failures } = session;
  const scope = scopeOf(session, identity.container);
  let since: number | undefined;
  for (let sent = 1; ; sent++) {
    const observed =
      (await verifyWithHidden(attempt, prior.attributes, since)) ??
      (await confirmedInContainer(attempt, prior, since));
    try {
      if (observed === undefined) {
        // The service assigns keys of this type, so a new object would have another id than the planned one.
        if (definition.key?.unique) throw new DiagnosticError(goneSincePlan(named(attempt), identity));
        // The object was deleted after the plan, so this line creates it again.
        return await definition.create(scope, declared);
      }
      const wanted = attempt.unplanned?.keptIn(declared, observed) ?? declared;
      if (differences(definition, wanted, observed).length === 0) return observed;
      const updated = (await definition.update?.(scope, wanted, observed)) ?? observed;
      const isDone =
        sent === 1 || definition.isUpdateAdditive !== true || sent > session.connection.maxAttempts;
      if (isDone) return updated;
      since = performance.now();
    } catch (problem) {
      if (failures.whenUnproven(problem) !== undefined) {
        const live = await updatedAfterUnproven(attempt, prior, problem, observed);
        const found = attempt.unplanned?.without(live) ?? live;
        if (differences(definition, declared, found).length === 0) return found;
        // The next round of this loop sends the remaining writes.
        since = performance.now();
        continue;
      }
      if (failures.whenMaybeDone(problem) === undefined) throw problem;
      const loss = await pauseBeforeVerify(session, identity.container, problem, sent);
      if (!loss.isRetryable) throw problem;
      since = loss.since;
    }
  }
}

/**
 * Confirms that the object to update no longer exists. If the token can't see the container, a 404 does not prove that the object
 * is gone. Throws an error if the object can't be created again with the same key.
 */
const confirmedInContainer = (
  attempt: WriteVerifier,
  prior: StoredState,
  since: number | undefined,
): Promise<Found<Attributes> | undefined> => {
  const { session, identity } = attempt;
  const { definition } = session;
  if (definition.key?.unique === undefined) return confirmed(session, identity, prior.attributes, since);
  const scope = confirmingScope(session, identity.container, since);
  return Promise.resolve(definition.read(scope, identity.key, prior.attributes));
};

/**
 * Returns the object after an update whose response does not show the outcome. The update is not sent again, even if it had no
 * effect.
 *
 * @param observed the object before the update
 * @throws the problem itself, if the object neither equals the declaration nor is closer to it than before
 */
async function updatedAfterUnproven(
  attempt: WriteVerifier,
  prior: StoredState,
  problem: unknown,
  observed: Found<Attributes> | undefined,
): Promise<Found<Attributes>> {
  const { session, declared, identity } = attempt;
  const { collections, definition, failures } = session;
  collections.drop(identity.container);
  let isRead = false;
  const look = async (since: number) => {
    const found = await verifyWithHidden(attempt, prior.attributes, since);
    isRead = found !== undefined;
    if (found === undefined) return undefined;
    const left = distance(definition, declared, found);
    const isNearer = observed !== undefined && left < distance(definition, declared, observed);
    return left === 0 || isNearer ? found : undefined;
  };
  const found = await failures.orElse(proven(session, attempt.proven, problem, look), undefined);
  if (found === undefined) throw isRead ? failures.notExecuted(problem) : problem;
  return found;
}

/**
 * Returns the effective configuration: the values that an apply must establish. With `ignore_changes`, a host can plan with the
 * prior value and apply with the configured value. If the two values differ, the result contains the planned value. Omitted
 * optional attributes stay omitted.
 */
const effectiveConfig = (
  { attributes }: ResourceDefinition,
  planned: StoredState,
  config: ValueObject,
): ValueObject =>
  Object.fromEntries(
    Object.entries(config).map(([name, written]) => {
      const value = planned.attributes[name];
      const presence = attributes[name]?.presence;
      const isManaged = written !== null || presence === "required" || presence === "optional";
      return [name, isManaged && value !== undefined && isWhollyKnown(value) ? value : written];
    }),
  );

/** Creates, updates or deletes one object. */
export async function applyResource(
  session: ResourceSession,
  { address, prior: stored, planned, config }: ApplyRequest,
): Promise<ApplyResponse> {
  if (stored === undefined) {
    const declared = { attributes: config!, private: planned!.private };
    return holding(session, { declared, address }, () => createObject(session, planned!, config!, address));
  }
  let prior = stored;
  try {
    prior = await resolveId(session, stored);
  } catch (problem) {
    return { state: stored, diagnostics: session.failures.toDiagnostics(problem) };
  }
  if (planned === undefined || config === undefined) {
    return deleteObject(session, prior, address);
  }
  const kept = { declared: planned, address, object: String(prior.attributes["id"]) };
  return holding(session, kept, () =>
    updateObject(session, prior, planned, effectiveConfig(session.definition, planned, config)),
  );
}

/**
 * Finds the outcome of a pending change of an interrupted run. The service is read as in an apply after a lost response. If the
 * live object matches a planned create, the interrupted run created the object. A live object that does not match the planned
 * create belongs to another owner.
 */
export async function recoverResource(
  session: ResourceSession,
  { prior, planned, observed, begunAt }: RecoverRequest,
): Promise<RecoverResponse> {
  try {
    if (planned === undefined) return await recoverDelete(session, prior!, begunAt);
    return prior === undefined
      ? await recoverCreate(session, planned, { before: observed, begunAt })
      : await recoverUpdate(session, prior, planned, begunAt);
  } catch (problem) {
    return { diagnostics: session.failures.toDiagnostics(problem) };
  }
}

async function recoverCreate(
  session: ResourceSession,
  planned: StoredState,
  {
    before,
    begunAt,
  }: { readonly before: ObservedBeforeCreate | undefined; readonly begunAt: number | undefined },
): Promise<RecoverResponse> {
  const { definition } = session;
  const attempt = await attemptOf(session, { prior: undefined, planned, config: undefined });
  const { declared } = attempt;
  const { container } = attempt.identity;
  const live = await findRecovered(attempt, begunAt);
  if (live === undefined) return { outcome: "not-done", diagnostics: [] };
  const found = attempt.unplanned?.withoutIn(declared, live) ?? live;
  const { key } = definition;
  const isExisting = key !== undefined && before?.ids.includes(formatId({ container, key: key.of(found) }));
  if (isExisting) return { outcome: "foreign", diagnostics: [] };
  if (differences(definition, declared, found).length > 0) {
    if (key !== undefined)
      return before !== undefined && lacksElementsOnly(definition, declared, found)
        ? createdInPart(attempt, found)
        : { outcome: "foreign", diagnostics: [] };
    // If the type has no key, every container always has one object of this type. An object with other values therefore does not
    // prove that another client created the object.
    const observed = before?.found as Found<Attributes> | undefined;
    const isPartlyCreated =
      observed !== undefined && definition.isBegun?.(declared, found, observed) === true;
    if (!isPartlyCreated) return { outcome: "not-done", diagnostics: [] };
    return createdInPart(attempt, live);
  }
  const { state, diagnostics } = await currentState(attempt, live);
  return { ...(!hasErrors(diagnostics) && { outcome: "done" }), ...(state && { state }), diagnostics };
}

/** Returns the outcome `in-part` with the state of the object. The object exists, but lacks a part of its declaration. */
async function createdInPart(attempt: WriteVerifier, found: Found<Attributes>): Promise<RecoverResponse> {
  const { session, planned, references } = attempt;
  const { definition } = session;
  const identity = placeOf(definition, attempt.identity.container, found);
  const state = await toState({ definition, identity, found, references }, planned.attributes);
  return { outcome: "in-part", state, diagnostics: [] };
}

/**
 * Returns the object that an interrupted create made; undefined if there is none. The read is repeated, because the killed run
 * may have sent the create shortly before, and a replica may lag behind. A single 404 for the container does not prove that the
 * object is missing. If a missed object exists, the service refuses a later create.
 */
async function findRecovered(
  attempt: WriteVerifier,
  begunAt: number | undefined,
): Promise<Found<Attributes> | undefined> {
  const { session, declared, identity } = attempt;
  const { definition, failures, lookups, secondLooks } = session;
  let first: Found<Attributes> | undefined;
  try {
    first = await findCreatedIn(attempt);
  } catch (problem) {
    if (!failures.isGone(problem)) throw problem;
    if (await lookups.isGone(definition.container, identity.container)) return undefined;
    first = await findCreated(attempt, performance.now());
  }
  if (!mayLag(begunAt)) return first;
  // Each container has this setting even before the create. Only the declared values show that the create was executed.
  const isVisible = (seen: Found<Attributes> | undefined): boolean =>
    seen !== undefined &&
    (definition.key !== undefined ||
      differences(definition, declared, attempt.unplanned?.withoutIn(declared, seen) ?? seen).length === 0);
  return secondLooks.until(first, isVisible, (since) => findCreated(attempt, since));
}

async function recoverUpdate(
  session: ResourceSession,
  prior: StoredState,
  planned: StoredState,
  begunAt: number | undefined,
): Promise<RecoverResponse> {
  const attempt = await attemptOf(session, { prior, planned, config: undefined });
  const isDone = (seen: Found<Attributes>) =>
    differences(session.definition, attempt.declared, seen).length === 0;
  const look = (since?: number) => verify(session, attempt.identity, prior.attributes, since);
  const first = await look();
  const found = mayLag(begunAt)
    ? await session.secondLooks.until(first, (seen) => seen === undefined || isDone(seen), look)
    : first;
  if (found !== undefined && isDone(found)) {
    const { state } = await currentState(attempt, found);
    return { outcome: "done", ...(state && { state }), diagnostics: [] };
  }
  // The object is gone, or the change was made only in part. The next refresh shows which is true.
  const state = await stateNow(attempt, priorOrPlanned(prior, planned), prior);
  return { outcome: "not-done", state, diagnostics: [] };
}

async function recoverDelete(
  session: ResourceSession,
  prior: StoredState,
  begunAt: number | undefined,
): Promise<RecoverResponse> {
  const identity = identityOf(prior);
  // Steward has no request that deletes an object of this type. Steward only removes the object from the state.
  if (session.definition.delete === undefined) return { outcome: "done", diagnostics: [] };
  try {
    const look = (since?: number) => {
      const scope = scopeOf(session, identity.container, since);
      return Promise.resolve(session.definition.read(scope, identity.key, prior.attributes));
    };
    const first = await look();
    // An object with `isDestroyed` can still be read after its deletion, so it is useless to wait until it is absent.
    const found =
      mayLag(begunAt) && session.definition.isDestroyed === undefined
        ? await session.secondLooks.until(first, (seen) => seen === undefined, look)
        : first;
    const isGone =
      found === undefined && (await confirmed(session, identity, prior.attributes)) === undefined;
    if (isGone) return { outcome: "done", diagnostics: [] };
  } catch (problem) {
    if (!session.failures.isGone(problem)) throw problem;
    const { state, diagnostics } = await explainUnreadable(session, prior);
    if (hasErrors(diagnostics)) return { diagnostics };
    return { outcome: state === undefined ? "done" : "not-done", ...(state && { state }), diagnostics };
  }
  return { outcome: "not-done", state: prior, diagnostics: [] };
}
