import { type Diagnostic, warning } from "../../diagnostics";
import { type Attributes, type Declared, isWhollyKnown, type ValueObject } from "../../schema";
import type { Found, ResourceDefinition } from "../definition/definition";
import type { ApplyResponse, StoredState } from "../protocol/protocol";
import { NotReadBack } from "../protocol/write-batch";
import type { References } from "../references/references";
import { inconsistencies } from "./differences";
import { alike } from "./existing-object";
import { acceptedEntries, type Entries, forget, notShown, withHiddenEntries } from "./hidden-entries";
import { type Identity, type Session, scopeOf } from "./session";
import { toStateOrThrow } from "./state";

/** The inputs of an apply after its references are resolved. */
export interface WriteVerifier {
  readonly definition: ResourceDefinition;
  readonly session: Session;
  readonly planned: StoredState;
  readonly declared: Declared<Attributes>;
  readonly references: References;
}

/** How to verify a write with a lost response. */
interface LostWrite {
  /** Verification reads the service as of this moment. */
  readonly since: number;
  /** Whether it may be sent again if it was not executed. */
  readonly isRetryable: boolean;
}

/**
 * Pauses after the `sent`th attempt of a write with a lost response, and drops cached reads of its container.
 * If the service may still be executing the write, verification reads after the pause; otherwise reads since
 * the loss are recent enough. @throws the client's errors `cancelled`
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
  const isPaused = lost === undefined || (await connection.pauseBeforeVerify(lost.problem, sent));
  return {
    since: lost?.failure.mayBeDoneLater ? performance.now() : lostAt,
    isRetryable: isPaused && sent < connection.maxAttempts,
  };
}

/**
 * The live object; undefined if it or its container does not exist. `known` is its state; with `since`,
 * earlier reads are ignored.
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

/** The same with hidden entries of the state that count as present: they are not sent again. */
export async function verifyWithHidden(
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

/** The object that a create made, or that blocks it, if any. @throws the client's errors */
export const findCreated = (
  attempt: WriteVerifier,
  identity: Identity,
  since?: number,
): ReturnType<typeof verify> => attempt.session.failures.orNothing(findCreatedIn(attempt, identity, since));

/** The same in a container that exists. @throws the client's errors, also that the container is gone */
export async function findCreatedIn(
  { definition, session, declared }: WriteVerifier,
  { container, key: id }: Identity,
  since?: number,
): ReturnType<typeof verify> {
  const { key } = definition;
  const scope = scopeOf(definition, session, container, since);
  if (key?.unique === undefined) return definition.read(scope, id);
  return (await alike(definition, scope, key.unique(declared)))[0];
}

/** The result of a successful write. */
export async function currentState(
  attempt: WriteVerifier,
  container: number,
  shown: Found<Attributes>,
): Promise<ApplyResponse> {
  const { definition, session, planned, declared, references } = attempt;
  const identity = { container, key: definition.key?.of(shown) ?? "" };
  // All declared entries were just accepted: a refused write does not come here.
  const { found, hidden } = await withHiddenEntries(definition, session, shown, declared as Entries).catch(
    (problem: unknown) => {
      session.failures.throwUnlessFailure(problem);
      return { found: shown, hidden: [] };
    },
  );
  const state = await toStateOrThrow(session, definition, identity, found, planned.attributes, references);
  return {
    state: { ...forget(state), attributes: asPlanned(attempt, state.attributes) },
    diagnostics: [
      ...notShown(definition, identity, hidden),
      ...inconsistencies(definition, declared, found, session),
    ],
  };
}

/**
 * Undeclared attributes keep their planned value: Terraform rejects any other result, and the next read shows
 * the change.
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
 * After a failed write: what exists now, in the spelling of `like`; `fallback` if that can't be read. `prior`
 * is the state before, if any.
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
      : verifyWithHidden(attempt, identity, prior));
    return found === undefined
      ? otherwise
      : await toStateOrThrow(session, definition, identity, found, like, references);
  } catch (problem) {
    // The failed write is the error to report; the next refresh reads again.
    session.failures.throwUnlessFailure(problem);
    return otherwise;
  }
}

/** What a write made, and what could not be read of it. */
interface Written {
  readonly found: Found<Attributes>;
  readonly diagnostics: readonly Diagnostic[];
}

/** The result of a write. One that can't be read is in the state as it was sent, with a warning. */
export async function readBack(
  definition: ResourceDefinition,
  session: Session,
  write: Promise<Found<Attributes>>,
): Promise<Written> {
  try {
    return { found: await write, diagnostics: [] };
  } catch (problem) {
    if (!(problem instanceof NotReadBack)) throw problem;
    const diagnostics = session.failures
      .toDiagnostics(problem.problem)
      .map(({ summary, detail }) => notReadBack(definition, `${summary}: ${detail}`));
    return { found: problem.made as Found<Attributes>, diagnostics };
  }
}

const notReadBack = ({ type }: ResourceDefinition, reason: string): Diagnostic =>
  warning({
    code: "not_read_back",
    summary: "Written, but not read back",
    detail:
      `The service accepted the ${type.replaceAll("_", " ")}, and then its values could not be read. The state has the ` +
      `declared ones; the next plan reads it again. ${reason}`,
  });
