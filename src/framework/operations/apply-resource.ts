import { DiagnosticError } from "../../diagnostics";
import { type Attributes, isWhollyKnown, type ValueObject } from "../../schema";
import type { Found, ResourceDefinition } from "../definition/definition";
import type { ApplyRequest, ApplyResponse, StoredState } from "../protocol/protocol";
import { createObject } from "./create-object";
import { holding } from "./declared-ownership";
import { deleteObject } from "./delete-object";
import { differences } from "./differences";
import { recordNotRemoved } from "./hidden-entries";
import { resolveId } from "./resource-identity";
import { type Identity, identityOf, type ResourceSession, scopeOf } from "./session";
import {
  attemptOf,
  currentState,
  pauseBeforeVerify,
  readBack,
  stateNow,
  verifyWithHidden,
  type WriteVerifier,
} from "./verify-write";
import { goneSincePlan, writeProblems } from "./write-problems";

/** Updates one object in place. If that fails, the state contains what exists. */
async function updateObject(
  session: ResourceSession,
  prior: StoredState,
  planned: StoredState,
  config: ValueObject,
): Promise<ApplyResponse> {
  let attempt: WriteVerifier;
  try {
    attempt = await attemptOf(session, prior, planned, config);
  } catch (problem) {
    return { state: prior, diagnostics: session.failures.toDiagnostics(problem) };
  }
  const identity = identityOf(prior);
  try {
    const write = observeThenUpdate(attempt, identity, prior);
    const { found, diagnostics } = await readBack(session, write);
    const response = await currentState(attempt, identity.container, found);
    return { ...response, diagnostics: [...diagnostics, ...response.diagnostics] };
  } catch (problem) {
    session.collections.drop(identity.container);
    return {
      state: recordNotRemoved(
        await stateNow(attempt, identity, priorOrPlanned(prior, planned), prior, prior.attributes),
        problem,
      ),
      diagnostics: await writeProblems(session, identity.container, problem),
    };
  }
}

/** A newly managed set is in the state as soon as a part of it may have been sent. */
export const priorOrPlanned = (prior: StoredState, planned: StoredState): ValueObject =>
  Object.fromEntries(
    Object.entries(prior.attributes).map(([name, value]) => [
      name,
      value ?? planned.attributes[name] ?? null,
    ]),
  );

/**
 * Observes before each attempt, so that after a lost response only missing changes are sent, or none. Of two
 * attempts that add the same record, the first may arrive late: a duplicate is observed and removed.
 */
async function observeThenUpdate(
  attempt: WriteVerifier,
  identity: Identity,
  prior: StoredState,
): Promise<Found<Attributes>> {
  const { definition, declared, failures } = attempt;
  const scope = scopeOf(attempt, identity.container);
  let since: number | undefined;
  for (let sent = 1; ; sent++) {
    const observed = await verifyWithHidden(attempt, identity, prior.attributes, since);
    try {
      if (observed === undefined) {
        // The service assigned another key than the planned one.
        if (definition.key?.unique) throw new DiagnosticError(goneSincePlan(definition, identity));
        // An object that was deleted since the plan is created again.
        return await definition.create(scope, declared);
      }
      if (differences(definition, declared, observed).length === 0) return observed;
      const updated = (await definition.update?.(scope, declared, observed)) ?? observed;
      const isDone =
        sent === 1 || definition.isUpdateAdditive !== true || sent > attempt.connection.maxAttempts;
      if (isDone) return updated;
      since = performance.now();
    } catch (problem) {
      if (failures.whenMaybeDone(problem) === undefined) throw problem;
      const loss = await pauseBeforeVerify(attempt, identity.container, problem, sent);
      if (!loss.isRetryable) throw problem;
      since = loss.since;
    }
  }
}

/**
 * The configuration that an apply must establish: the planned value if it differs from the configured one
 * because of `ignore_changes` (a host plans with the prior value, and applies with the configuration as
 * written). Omitted optional attributes stay omitted.
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
