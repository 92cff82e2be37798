import { type Attributes, type Declared, isWhollyKnown, type ValueObject } from "../../schema";
import type { Found, ResourceDefinition } from "../definition/definition";
import type { ApplyResponse, StoredState } from "../protocol/protocol";
import type { References } from "../references/references";
import { inconsistencies } from "./differences";
import { forget } from "./entries-not-removed";
import { acceptedEntries, type Entries, notShown, withHiddenEntries } from "./hidden-entries";
import { type Identity, type Session, scopeOf } from "./session";
import { toStateOrThrow } from "./state";

/** What an apply works with once its references are resolved. */
export interface WriteVerifier {
  readonly definition: ResourceDefinition;
  readonly session: Session;
  readonly planned: StoredState;
  readonly declared: Declared<Attributes>;
  readonly references: References;
}

/** What is to be done about a write whose answer was lost. */
interface LostWrite {
  /** Who looks what became of it wants to see what is there from this moment on. */
  readonly since: number;
  /** Whether it may be sent again where it was not done. */
  readonly isRetryable: boolean;
}

/**
 * Pauses after a write whose answer was lost, `sent` counting how often it was sent; nothing that was read of its
 * container counts for any write after it. What the service may be at still
 * is looked for after the pause; for all else, whatever was read since the loss will do. @throws the client's errors `cancelled`
 */
export async function pauseBeforeVerify(
  { connection, collections, failures }: Pick<Session, "connection" | "collections" | "failures">,
  container: number,
  problem: unknown,
  sent: number,
): Promise<LostWrite> {
  const lostAt = performance.now();
  const lost = failures.whenMaybeDone(problem);
  if (lost !== undefined) collections.drop(container);
  const isPaused = lost === undefined || (await connection.pauseBeforeLook(lost.problem, sent));
  return {
    since: lost?.failure.mayBeDoneLater ? performance.now() : lostAt,
    isRetryable: isPaused && sent < connection.maxAttempts,
  };
}

/**
 * The object at a place; nothing where there is none, or its container isn't there. `known` is what the state holds;
 * nothing is told that was asked for before the moment `since`, where that is given.
 *
 * @throws the client's errors
 */
export const verify = (
  { definition, session }: Pick<WriteVerifier, "definition" | "session">,
  { container, key }: Identity,
  known?: ValueObject,
  since?: number,
): Promise<Found<Attributes> | undefined> =>
  session.failures.orNothing(definition.read(scopeOf(definition, session, container, since), key, known));

/** The same, with entries of the state that count as there although they can't be seen: they are not sent again. */
export async function lookWithUnseen(
  attempt: Pick<WriteVerifier, "definition" | "session" | "references">,
  identity: Identity,
  known: ValueObject,
  since?: number,
): ReturnType<typeof verify> {
  const { definition, session, references } = attempt;
  const shown = await verify(attempt, identity, known, since);
  if (shown === undefined) return undefined;
  const accepted = acceptedEntries(definition, known, references);
  return (await withHiddenEntries(definition, session, shown, accepted)).found;
}

/** The object that a create made, or that is in its way; nothing where there is none. @throws the client's errors */
export async function findCreated(
  attempt: WriteVerifier,
  identity: Identity,
  since?: number,
): ReturnType<typeof verify> {
  const { definition, session, declared } = attempt;
  const { key, list } = definition;
  if (key?.unique === undefined) return verify(attempt, identity, undefined, since);
  const all = await session.failures.orNothing(list(scopeOf(definition, session, identity.container, since)));
  return all?.find((found) => key.unique!(found) === key.unique!(declared));
}

/** The answer to a write that was done. */
export async function currentState(
  attempt: WriteVerifier,
  container: number,
  shown: Found<Attributes>,
): Promise<ApplyResponse> {
  const { definition, session, planned, declared, references } = attempt;
  const identity = { container, key: definition.key?.of(shown) ?? "" };
  // All that is declared was accepted just now: a write that was refused does not come here.
  const { found, unseen } = await withHiddenEntries(definition, session, shown, declared as Entries).catch(
    (problem: unknown) => {
      session.failures.throwUnlessFailure(problem);
      return { found: shown, unseen: [] };
    },
  );
  const state = await toStateOrThrow(session, definition, identity, found, planned.attributes, references);
  return {
    state: { ...forget(state), attributes: asPlanned(attempt, state.attributes) },
    diagnostics: [
      ...notShown(definition, identity, unseen),
      ...inconsistencies(definition, declared, found, session),
    ],
  };
}

/**
 * What nobody declared, and was known at plan, comes back as planned: hosts refuse anything else, and what moved
 * meanwhile is for the next read to show.
 */
const asPlanned = ({ definition, planned, declared }: WriteVerifier, attributes: ValueObject): ValueObject =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => {
      const known = planned.attributes[name];
      const isFree = name in definition.attributes && ((declared as ValueObject)[name] ?? null) === null;
      return [name, isFree && known !== undefined && isWhollyKnown(known) ? known : value];
    }),
  );

/**
 * After a write that failed: what exists now, in the spelling of `like`; `otherwise` where even that can't be told.
 * `prior` is what the state held before, if it held anything.
 */
export async function stateNow<T>(
  attempt: Pick<WriteVerifier, "definition" | "session" | "references">,
  identity: Identity,
  like: ValueObject,
  otherwise: T,
  prior?: ValueObject,
): Promise<StoredState | T> {
  const { definition, session, references } = attempt;
  try {
    const found = await (prior === undefined
      ? verify(attempt, identity, like)
      : lookWithUnseen(attempt, identity, prior));
    return found === undefined
      ? otherwise
      : await toStateOrThrow(session, definition, identity, found, like, references);
  } catch (problem) {
    // The write that failed is what the user is told of; the next refresh looks again.
    session.failures.throwUnlessFailure(problem);
    return otherwise;
  }
}
