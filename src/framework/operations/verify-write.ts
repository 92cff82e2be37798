import type { Diagnostic } from "../../diagnostics";
import { type Attributes, type Declared, isWhollyKnown, type ValueObject } from "../../schema";
import type { Found, Scope } from "../definition/definition";
import { NotReadBack } from "../protocol/failures";
import type { ApplyResponse, StoredState } from "../protocol/protocol";
import { References } from "../references/references";
import { rememberedIn } from "../references/remembered";
import { differences, inconsistencies } from "./contradictions";
import { meantBy } from "./existing-object";
import {
  acceptedEntries,
  canHideEntries,
  type Entries,
  forget,
  lacksEntries,
  notShown,
  withHiddenEntries,
} from "./hidden-entries";
import { containerOf, type Identity, identityOf, placeOf, referencesOf } from "./identity";
import { type Named, notReadBack } from "./object-problems";
import { confirmingScope, listingScope, type ResourceSession, type Session, scopeOf } from "./session";
import { noteDeclared, resolveDeclared, toState } from "./state";
import { hasSets, UnplannedElements } from "./unplanned-elements";

/** An object whose write failed or may have failed. */
export interface WrittenObject {
  readonly session: ResourceSession;
  /** The identity of the object. If the write creates the object, the identity contains the planned key. */
  readonly identity: Identity;
  readonly references: References;
}

/** The inputs of an apply after its references are resolved. */
export interface WriteVerifier extends WrittenObject {
  readonly planned: StoredState;
  readonly declared: Declared<Attributes>;
  /** The warnings about changes whose success only a read has shown, not the response. */
  readonly proven: Diagnostic[];
  /** The live elements that the plan did not show; undefined for a type without sets. */
  readonly unplanned: UnplannedElements | undefined;
}

/**
 * Returns the data from which messages name the object of a write. If the run knows no path of the container, messages contain
 * the declared path.
 */
export const named = ({ session: { definition, lookups }, planned }: WriteVerifier): Named => ({
  definition,
  lookups,
  declared: planned.attributes[definition.container],
});

/** The change that a write makes. */
interface Change {
  readonly prior: StoredState | undefined;
  readonly planned: StoredState;
  /** The configuration; undefined if only the plan is known. */
  readonly config: ValueObject | undefined;
  /** The states of released objects that a create adopts. */
  readonly released?: readonly StoredState[];
}

/**
 * Prepares a write: resolves its references, and collects the elements that the plan showed.
 *
 * @throws ReferenceNotFound, and the client's errors
 */
export async function attemptOf(
  session: ResourceSession,
  { prior, planned, config, released = [] }: Change,
): Promise<WriteVerifier> {
  const { definition, lookups } = session;
  const references =
    prior === undefined
      ? new References(lookups, planned.private)
      : referencesOf(session, { ...prior, private: planned.private ?? prior.private });
  if (config !== undefined) noteDeclared(definition, config, references);
  const declared = await resolveDeclared(definition, config ?? planned.attributes, references);
  const identity =
    prior === undefined
      ? placeOf(definition, containerOf(definition, declared), declared)
      : identityOf(prior);
  const shown =
    prior === undefined
      ? { states: released, keys: rememberedIn(planned.private).shown }
      : { states: [prior] };
  const unplanned = hasSets(definition)
    ? await UnplannedElements.since(session, identity.container, shown)
    : undefined;
  return { session, identity, planned, declared, references, proven: [], unplanned };
}

/**
 * Waits after a write with a lost response, and drops the cached records of the container. `sent` is the number of attempts so
 * far. In the result, `since` is the time from which reads show the outcome. If the service can still execute the write, `since`
 * is the end of the pause. If the service can't, `since` is the time of the loss. `isRetryable` is true if the write can be sent
 * again after a read has shown that the service did not execute it.
 *
 * @throws the client's errors `cancelled`
 */
export async function pauseBeforeVerify(
  { connection, collections, failures }: Pick<Session, "connection" | "collections" | "failures">,
  container: number,
  problem: unknown,
  sent: number,
) {
  const lostAt = performance.now();
  const lost = failures.whenMaybeDone(problem);
  if (lost !== undefined) collections.drop(container);
  const isPaused = lost === undefined || (await connection.pauseBeforeVerify(lost.problem, sent));
  return {
    since: lost?.failure.mayBeDoneLater ? performance.now() : lostAt,
    isRetryable: isPaused && sent < connection.maxAttempts,
  };
}

/**
 * Returns the result of a change whose response does not show the outcome; undefined if no read shows it. Normally, one read is
 * sent. If the service accepted the change for later, several reads are sent, with pauses.
 *
 * @param look returns undefined until the change is done
 * @throws the client's errors
 */
export async function proven<T>(
  { failures, secondLooks, provenByReading }: Session,
  warnings: Diagnostic[],
  problem: unknown,
  look: (since: number) => Promise<T | undefined>,
): Promise<T | undefined> {
  const answers = failures.whenUnproven(problem) ?? [];
  const first = await look(performance.now());
  const isSettled = (seen: T | undefined) => seen !== undefined;
  const seen = answers.some(({ isPending }) => isPending)
    ? await secondLooks.until(first, isSettled, look)
    : first;
  if (seen !== undefined) warnings.push(...provenByReading.warnings(answers));
  return seen;
}

/**
 * Returns the live object; undefined if the object or its container does not exist. `known` contains the attributes of the
 * object's state. With `since`, records from earlier reads are ignored.
 *
 * @throws the client's errors
 */
export const verify = (
  session: ResourceSession,
  { container, key }: Identity,
  known?: ValueObject,
  since?: number,
): Promise<Found<Attributes> | undefined> =>
  session.failures.orNothing(session.definition.read(scopeOf(session, container, since), key, known));

/**
 * Searches again for an object that `verify` did not find, with a separate request or a second read of the list. Returns
 * undefined if the object is missing again.
 */
export const confirmed = (
  session: ResourceSession,
  { container, key }: Identity,
  known?: ValueObject,
  since?: number,
): Promise<Found<Attributes> | undefined> =>
  session.failures.orNothing(session.definition.read(confirmingScope(session, container, since), key, known));

/**
 * Returns the live object with the hidden entries of the state, so that a write does not send these entries again. A missing
 * entry counts as gone only if a second read lacks it too.
 */
export async function verifyWithHidden(
  attempt: WrittenObject,
  known: ValueObject,
  since?: number,
): ReturnType<typeof verify> {
  const { session, identity, references } = attempt;
  const { definition } = session;
  const shown = await verify(session, identity, known, since);
  if (shown === undefined) return undefined;
  const accepted = acceptedEntries(definition, known, references);
  if (!lacksEntries(definition, shown, accepted)) return shown;
  const again = await confirmed(session, identity, known, since);
  return (await withHiddenEntries(session, again ?? shown, accepted)).found;
}

/** Returns the object that a create made or that blocks the create; undefined if there is none. @throws the client's errors */
export const findCreated = (attempt: WriteVerifier, since?: number): ReturnType<typeof verify> =>
  attempt.session.failures.orNothing(findCreatedIn(attempt, since));

/**
 * Returns the object that this run releases; undefined if it does not exist. If records can move between pages, a missing object
 * causes a second read of the list. @throws the client's errors
 */
export const findReleased = (attempt: WriteVerifier): ReturnType<typeof verify> =>
  attempt.session.failures.orNothing(
    findIn(attempt, listingScope(attempt.session, attempt.identity.container)),
  );

/**
 * Returns the object that `findCreated` returns, but throws the client's error if the container is gone. @throws the client's
 * errors
 */
export const findCreatedIn = (attempt: WriteVerifier, since?: number): ReturnType<typeof verify> =>
  findIn(attempt, scopeOf(attempt.session, attempt.identity.container, since));

async function findIn({ session, declared }: WriteVerifier, scope: Scope): ReturnType<typeof verify> {
  return (await meantBy(session.definition, scope, declared))[0];
}

/** Returns the response after a successful write, with the state of the live object. */
export async function currentState(attempt: WriteVerifier, shown: Found<Attributes>): Promise<ApplyResponse> {
  const { session, planned, declared } = attempt;
  const { definition, lookups, provider } = session;
  const { container: kind } = definition;
  const { container } = attempt.identity;
  const identity = placeOf(definition, container, shown);
  const { found, hidden } = await agreeing(attempt, identity, shown);
  const state = await toStateOrThrow(attempt, identity, found, planned.attributes);
  return {
    state: { ...state, private: forget(state.private), attributes: asPlanned(attempt, state.attributes) },
    diagnostics: [
      ...(attempt.unplanned?.warnings ?? []),
      ...(hidden.length > 0 ? [notShown(kind, lookups.nameOf(kind, container), hidden)] : []),
      ...inconsistencies(definition, provider.whyDropped, declared, found),
    ],
  };
}

/**
 * Returns the live object after an accepted write. If a read contradicts the write, a replica of the service may lag behind, so
 * the read is repeated with pauses.
 */
async function agreeing(attempt: WriteVerifier, identity: Identity, shown: Found<Attributes>) {
  const { session, declared, unplanned } = attempt;
  const { definition, failures } = session;
  // The service has just accepted all declared entries, so it may be hiding the missing entries.
  const withHidden = async (live: Found<Attributes>) => {
    const seen = unplanned?.without(live) ?? live;
    if (!canHideEntries(definition)) return { found: seen, hidden: [] };
    const reading = withHiddenEntries(session, seen, declared as Entries);
    return (await failures.orElse(reading, undefined)) ?? { found: seen, hidden: [] };
  };
  let last = await withHidden(shown);
  return session.secondLooks.until(
    last,
    ({ found }) => differences(definition, declared, found).length === 0,
    async (since) => {
      const seen = await failures.orElse(verifyAccepted(attempt, identity, since), undefined);
      if (seen !== undefined) last = await withHidden(seen);
      return last;
    },
  );
}

/** Returns the live object. A missing declared entry counts as dropped only if a second read lacks it too. */
async function verifyAccepted(attempt: WriteVerifier, identity: Identity, since: number) {
  const { session, declared } = attempt;
  const { definition } = session;
  const seen = await verify(session, identity, undefined, since);
  if (seen === undefined || !lacksEntries(definition, seen, declared as Entries)) return seen;
  return (await confirmed(session, identity, undefined, since)) ?? seen;
}

/**
 * Returns the attributes, but replaces undeclared values by planned values, because Terraform rejects any other result. The next
 * read returns the live values.
 */
const asPlanned = ({ session, planned, declared }: WriteVerifier, attributes: ValueObject): ValueObject =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => {
      const known = planned.attributes[name];
      const isFree =
        name in session.definition.attributes && ((declared as ValueObject)[name] ?? null) === null;
      return [name, isFree && known !== undefined && isWhollyKnown(known) ? known : value];
    }),
  );

/**
 * Returns the state of the object after a failed write, in the spelling of `like`. Returns `otherwise` if the object does not
 * exist or can't be read. `prior` contains the attributes before the write, if any.
 */
export async function stateNow<T>(
  attempt: WrittenObject,
  like: ValueObject,
  otherwise: T,
  prior?: ValueObject,
): Promise<StoredState | T> {
  const read = async () => {
    const found = await (prior === undefined
      ? verify(attempt.session, attempt.identity, like)
      : verifyWithHidden(attempt, prior));
    return found === undefined ? otherwise : toStateOrThrow(attempt, attempt.identity, found, like);
  };
  // If this read fails, the result reports only the failed write. The next refresh reads the object again.
  return attempt.session.failures.orElse(read(), otherwise);
}

/**
 * Returns the state after a write. If the look-up of a path fails, the state contains the id instead, because an error would lose
 * the state.
 */
async function toStateOrThrow(
  { session, references }: WrittenObject,
  identity: Identity,
  found: Found<Attributes>,
  like: ValueObject,
): Promise<StoredState> {
  const { definition, failures } = session;
  const observed = { definition, identity, found, references };
  try {
    return await toState(observed, like);
  } catch (problem) {
    if (failures.of(problem) === undefined) throw problem;
    return toState({ ...observed, references: references.offline() }, like);
  }
}

/**
 * Waits for a write, and returns the written object. If the read after the write fails, the result has the sent values and a
 * warning.
 */
export async function readBack(session: ResourceSession, write: Promise<Found<Attributes>>) {
  try {
    return { found: await write, diagnostics: [] };
  } catch (problem) {
    if (!(problem instanceof NotReadBack)) throw problem;
    const diagnostics = session.failures
      .toDiagnostics(problem.problem)
      .map(({ summary, detail }) => notReadBack(session.definition, `${summary}: ${detail}`));
    return { found: problem.made as Found<Attributes>, diagnostics };
  }
}
