import { type Diagnostic, error, hasErrors, warning } from "../../diagnostics";
import type { ResourceDefinition, Stays } from "../definition/definition";
import { exclusively, keepersOf, type Share, shareOf } from "../ownership/owners";
import type { ApplyResponse, StoredState } from "../protocol/protocol";
import { rememberedIn } from "../references/remembered";
import { decideDelete } from "./decide-object";
import { leavingFrom, ownedBy, release } from "./declared-ownership";
import { entryLeft, hiddenEntryWarning, recordNotRemoved, treatedAsGone } from "./hidden-entries";
import { type Identity, identified, identityOf, referencesOf } from "./identity";
import { archivedRefusal, describeObject, explainUnreadable, writeProblems } from "./object-problems";
import { listingScope, type ResourceSession, scopeOf } from "./session";
import { confirmed, pauseBeforeVerify, proven, stateNow, verify } from "./verify-write";

/**
 * Deletes one object. Sends no request if another declaration has the object. A missing object counts as success. If Steward
 * can't verify that the object is missing, the result contains the state from before the delete.
 */
export async function deleteObject(
  session: ResourceSession,
  prior: StoredState,
  address: string | undefined,
): Promise<ApplyResponse> {
  const { definition } = session;
  const owned = await ownedBy(session, prior, "takes");
  const leaving = leavingFrom(address, session, prior);
  const object = String(leaving.object);
  const container = `${definition.container} ${identityOf(prior).container}`;
  const shown = await shownEntries(session, prior, container);
  const isKept: Stays = (claim) => {
    const share = shareOf(claim, container);
    const isHeld = keepersOf(session, { shares: [share] }, leaving).length > 0;
    return isHeld || shown?.has(nameOfShare(share)) === false;
  };
  const { identity } = owned;
  if (identity === undefined) return send(session, prior, isKept);
  if (isCreatedAgain(session, prior, identity)) {
    release(session, prior, undefined, owned);
    session.expected.hold(object);
    return { diagnostics: [] };
  }
  return exclusively(session, identity, async () => {
    const { verdict, why, because } = decideDelete(session, owned, leaving);
    if (verdict === "postpone")
      return { state: prior, diagnostics: [notTakenOver(definition, object, because[0]!.address)] };
    if (verdict === "forget") {
      release(session, prior, undefined, owned);
      return { diagnostics: [stillDeclared(definition, object)] };
    }
    // Another declaration owns the whole set, and the change of that declaration removes undeclared entries.
    if (why === "owner removes") return { diagnostics: [] };
    return send(session, prior, isKept);
  });
}

/**
 * Returns the entries of shared sets in an object's state. The plan showed the removal of these entries. Returns undefined if the
 * entries are unknown or the type has no shared sets.
 */
async function shownEntries(
  session: ResourceSession,
  prior: StoredState,
  container: string,
): Promise<ReadonlySet<string> | undefined> {
  const { whole, entries } = session.definition.owns ?? {};
  if (whole === undefined || entries === undefined) return undefined;
  const read = async () =>
    identified(session, prior, (declared) =>
      entries(declared).map((claim) => nameOfShare(shareOf(claim, container))),
    );
  const found = await session.failures.orElse(read(), undefined);
  return found && new Set(found);
}

const nameOfShare = ({ place, entry }: Share): string => `${place}\n${entry}`;

/**
 * Returns true if the host replaces an object only because its create failed in part, or because the created object differs from
 * the declaration. The first half of this replacement sends no delete. The second half of the replacement updates the object, so
 * that no declared part is ever missing. For a replacement that a user requested, the plan's private bytes contain the id of the
 * replaced object.
 */
const isCreatedAgain = (
  { isPlanKept }: ResourceSession,
  { private: planned }: StoredState,
  identity: string,
): boolean =>
  !isPlanKept && rememberedIn(planned).creates === identity && rememberedIn(planned).object === undefined;

async function send(session: ResourceSession, prior: StoredState, isKept: Stays): Promise<ApplyResponse> {
  const identity = identityOf(prior);
  for (let sent = 1; ; sent++) {
    try {
      const { container } = identity;
      // A delete of a whole list removes all its entries. If records move between pages, one read can miss an entry, so the list
      // is read twice.
      const isOfList = session.definition.isDestroyed !== undefined;
      const scope = isOfList ? listingScope(session, container) : scopeOf(session, container);
      return {
        diagnostics: (await session.definition.delete?.(scope, identity.key, prior.attributes, isKept)) ?? [],
      };
    } catch (problem) {
      if (session.failures.isGone(problem)) {
        session.collections.drop(identity.container);
        return alreadyGone(session, prior);
      }
      if (session.failures.whenUnproven(problem) !== undefined) {
        return deletedAfterUnproven(session, prior, problem, isKept);
      }
      const outcome =
        session.failures.whenMaybeDone(problem) &&
        // If this read fails too, the error reports the lost response.
        (await session.failures.orElse(verifyLost(session, prior, problem, sent, isKept), undefined));
      if (outcome === "send again") continue;
      if (outcome !== undefined) return outcome;
      return notDeleted(session, prior, problem);
    }
  }
}

/** Returns the result of a failed delete: the error, and the state of the object with the parts that remain. */
async function notDeleted(
  session: ResourceSession,
  prior: StoredState,
  problem: unknown,
): Promise<ApplyResponse> {
  const identity = identityOf(prior);
  session.collections.drop(identity.container);
  const references = referencesOf(session, prior);
  return {
    state: recordNotRemoved(
      await stateNow({ session, identity, references }, prior.attributes, prior),
      problem,
    ),
    diagnostics: await writeProblems(session, identity.container, problem),
  };
}

/**
 * Returns the result of a delete whose response does not show the outcome. The delete counts as done only if a read shows that
 * the object is gone.
 */
async function deletedAfterUnproven(
  session: ResourceSession,
  prior: StoredState,
  problem: unknown,
  isKept: Stays,
): Promise<ApplyResponse> {
  session.collections.drop(identityOf(prior).container);
  const warnings: Diagnostic[] = [];
  let isRead = false;
  const look = async (since: number) => {
    const isGone = await isDestroyed(session, prior, isKept, since);
    isRead = true;
    return isGone ? true : undefined;
  };
  const { failures } = session;
  const isDone = await failures.orElse(proven(session, warnings, problem, look), undefined);
  if (isDone) return { diagnostics: warnings };
  return notDeleted(session, prior, isRead ? failures.notExecuted(problem) : problem);
}

/**
 * Returns whether reads after `since` show that no part of an object exists. Parts for which `isKept` returns true do not count.
 * @throws the client's errors
 */
async function isDestroyed(
  session: ResourceSession,
  prior: StoredState,
  isKept: Stays,
  since: number,
): Promise<boolean> {
  const { definition } = session;
  const identity = identityOf(prior);
  const scope = scopeOf(session, identity.container, since);
  if (definition.isDestroyed !== undefined) return definition.isDestroyed(scope, prior.attributes, isKept);
  if ((await verify(session, identity, prior.attributes, since)) !== undefined) return false;
  if ((await confirmed(session, identity, prior.attributes, since)) !== undefined) return false;
  const { state, diagnostics } = await alreadyGone(session, prior);
  // A warning means that the service may be hiding the entry, so its deletion is not proven.
  return state === undefined && diagnostics.length === 0;
}

/** Returns the result of a delete that got a 404: the object is gone, or its absence can't be verified. */
async function alreadyGone(session: ResourceSession, prior: StoredState): Promise<ApplyResponse> {
  try {
    return await findRemaining(session, prior);
  } catch (problem) {
    return { state: recordNotRemoved(prior, problem), diagnostics: session.failures.toDiagnostics(problem) };
  }
}

/**
 * Returns the outcome of a delete whose response was lost. Returns undefined if the delete was not executed
 * and must not be sent again.
 */
async function verifyLost(
  session: ResourceSession,
  prior: StoredState,
  lost: unknown,
  sent: number,
  isKept: Stays,
) {
  const identity = identityOf(prior);
  const { since, isRetryable } = await pauseBeforeVerify(session, identity.container, lost, sent);
  const { definition } = session;
  if (definition.isDestroyed !== undefined) {
    const scope = scopeOf(session, identity.container, since);
    if (await definition.isDestroyed(scope, prior.attributes, isKept)) return { diagnostics: [] };
    return isRetryable ? ("send again" as const) : undefined;
  }
  const found =
    (await verify(session, identity, prior.attributes, since)) ??
    (await confirmed(session, identity, prior.attributes, since));
  if (found === undefined) return alreadyGone(session, prior);
  return isRetryable ? ("send again" as const) : undefined;
}

async function findRemaining(session: ResourceSession, prior: StoredState): Promise<ApplyResponse> {
  const { definition } = session;
  const identity = identityOf(prior);
  try {
    const scope = scopeOf(session, identity.container);
    const left = await definition.read(scope, identity.key, prior.attributes);
    // The entry still exists. The 404 therefore concerned the object that the entry names.
    if (left !== undefined && definition.isEntry === true) throw entryLeft(definition, identity.key, left);
    if (left !== undefined) return { state: prior, diagnostics: [notRemoved(session, identity)] };
    const hidden = await hiddenEntryWarning(session, identity);
    return { diagnostics: hidden === undefined ? [] : [treatedAsGone(hidden)] };
  } catch (problem) {
    if (!session.failures.isGone(problem)) throw problem;
    const unreadable = await explainUnreadable(session, prior);
    const isKept = unreadable.state !== undefined && !hasErrors(unreadable.diagnostics);
    return isKept
      ? { state: prior, diagnostics: [archivedRefusal(session, identity.container)] }
      : unreadable;
  }
}

const notRemoved = (session: ResourceSession, identity: Identity): Diagnostic =>
  error({
    code: "object_not_removed",
    summary: "Object not removed",
    detail: `The service responded with 404 to the deletion of the ${describeObject(session, identity)}, but still returns the object. It stays in the state. Apply again. If the problem remains, check the token's role, or delete the object by hand.`,
  });

const stillDeclared = ({ type }: ResourceDefinition, id: string): Diagnostic =>
  warning({
    code: "still_declared",
    summary: "Object is still declared",
    detail: `The ${type.replaceAll("_", " ")} "${id}" is also declared at another address, so Steward did not destroy the object. Steward only removed this address from the state. No action is needed.`,
  });

const notTakenOver = ({ type }: ResourceDefinition, id: string, taker: string): Diagnostic =>
  error({
    code: "taken_over_later",
    summary: "Another stack must be applied first",
    detail: `${taker} declares the ${type.replaceAll("_", " ")} "${id}" or a part of that object. The plan did not know this, and the state of that stack does not contain the object yet. Nothing was sent. Plan again.`,
  });
