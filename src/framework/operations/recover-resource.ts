import { hasErrors } from "../../diagnostics";
import type {
  ObservedBeforeCreate,
  RecoverRequest,
  RecoverResponse,
  StoredState,
} from "../protocol/protocol";
import { priorOrPlanned } from "./apply-resource";
import { differences } from "./differences";
import { isPartlyCreated } from "./existing-object";
import { formatId, type Identity, identityOf, placeOf, type ResourceSession, scopeOf } from "./session";
import { containerOf, toState } from "./state";
import { explainUnreadable } from "./unreadable-object";
import {
  attemptOf,
  currentState,
  findCreated,
  findCreatedIn,
  stateNow,
  verify,
  type WriteVerifier,
} from "./verify-write";

/**
 * Finds the outcome of a change whose intent an interrupted run recorded, like an apply after a lost
 * response: a matching object was created by that run; a different one belongs to another owner.
 */
export async function recoverResource(
  session: ResourceSession,
  { prior, planned, observed }: RecoverRequest,
): Promise<RecoverResponse> {
  try {
    if (planned === undefined) return await recoverDelete(session, prior!);
    return prior === undefined
      ? await recoverCreate(session, planned, observed)
      : await recoverUpdate(session, prior, planned);
  } catch (problem) {
    return { diagnostics: session.failures.toDiagnostics(problem) };
  }
}

async function recoverCreate(
  session: ResourceSession,
  planned: StoredState,
  before: ObservedBeforeCreate | undefined,
): Promise<RecoverResponse> {
  const { definition } = session;
  const attempt = await attemptOf(session, undefined, planned, undefined);
  const { declared, references } = attempt;
  const container = containerOf(definition, declared);
  const found = await lookTwice(attempt, placeOf(definition, container, declared));
  if (found === undefined) return { outcome: "not-done", diagnostics: [] };
  const { key } = definition;
  const isExisting = key !== undefined && before?.ids.includes(formatId({ container, key: key.of(found) }));
  if (isExisting) return { outcome: "foreign", diagnostics: [] };
  if (differences(definition, declared, found).length > 0) {
    if (key !== undefined) return { outcome: "foreign", diagnostics: [] };
    // If a container always has one, a different one is no evidence of another creator.
    if (!isPartlyCreated(definition, declared, found, before))
      return { outcome: "not-done", diagnostics: [] };
    const place = { container, key: "" };
    const state = await toState(definition, place, found, planned.attributes, references);
    return { outcome: "in-part", state, diagnostics: [] };
  }
  const { state, diagnostics } = await currentState(attempt, container, found);
  return { ...(!hasErrors(diagnostics) && { outcome: "done" }), ...(state && { state }), diagnostics };
}

/**
 * What a create made, if anything. One answer of 404 is no evidence that it made nothing: what it made would be refused as
 * existing from then on.
 */
async function lookTwice(attempt: WriteVerifier, identity: Identity): ReturnType<typeof findCreated> {
  const { definition, failures, lookups } = attempt;
  try {
    return await findCreatedIn(attempt, identity);
  } catch (problem) {
    if (!failures.isGone(problem)) throw problem;
    const isGone = await lookups.isGone(definition.container, identity.container);
    return isGone ? undefined : findCreated(attempt, identity, performance.now());
  }
}

async function recoverUpdate(
  session: ResourceSession,
  prior: StoredState,
  planned: StoredState,
): Promise<RecoverResponse> {
  const attempt = await attemptOf(session, prior, planned, undefined);
  const identity = identityOf(prior);
  const found = await verify(attempt, identity, prior.attributes);
  if (found !== undefined && differences(attempt.definition, attempt.declared, found).length === 0) {
    const { state } = await currentState(attempt, identity.container, found);
    return { outcome: "done", ...(state && { state }), diagnostics: [] };
  }
  // Gone, or changed in part: the following refresh finds out.
  const state = await stateNow(attempt, identity, priorOrPlanned(prior, planned), prior);
  return { outcome: "not-done", state, diagnostics: [] };
}

async function recoverDelete(session: ResourceSession, prior: StoredState): Promise<RecoverResponse> {
  const identity = identityOf(prior);
  // No request is ever sent for such an object: destroying it only removes it from the state.
  if (session.definition.delete === undefined) return { outcome: "done", diagnostics: [] };
  try {
    const scope = scopeOf(session, identity.container);
    const found = await session.definition.read(scope, identity.key, prior.attributes);
    if (found === undefined) return { outcome: "done", diagnostics: [] };
  } catch (problem) {
    if (!session.failures.isGone(problem)) throw problem;
    const { state, diagnostics } = await explainUnreadable(session, identity, prior);
    if (hasErrors(diagnostics)) return { diagnostics };
    return { outcome: state === undefined ? "done" : "not-done", ...(state && { state }), diagnostics };
  }
  return { outcome: "not-done", state: prior, diagnostics: [] };
}
