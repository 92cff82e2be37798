import { DiagnosticError, error, hasErrors } from "../../diagnostics";
import { type Attributes, isWhollyKnown, type ValueObject } from "../../schema";
import { type Found, isLeftOnDestroy, type ResourceDefinition } from "../definition/definition";
import type { ApplyResponse, StoredState } from "../protocol/protocol";
import { NotReadBack, SomeWritesFailed } from "../protocol/write-batch";
import { References } from "../references/references";
import { sharesOf } from "./declared-ownership";
import { differences } from "./differences";
import { observeBeforeCreate } from "./existing-object";
import { formatId, type Identity, type Session, scopeOf } from "./session";
import { containerOf, noteDeclared, resolveDeclared } from "./state";
import {
  currentState,
  findCreated,
  pauseBeforeVerify,
  readBack,
  stateNow,
  type WriteVerifier,
} from "./verify-write";
import { alreadyExists, importedMeanwhile, stillExists, writeProblems } from "./write-problems";

/** Creates one object. If a set was filled partly, the state contains what exists. */
export async function createObject(
  definition: ResourceDefinition,
  session: Session,
  planned: StoredState,
  config: ValueObject,
  address: string | undefined,
): Promise<ApplyResponse> {
  const references = new References(session.lookups, planned.private);
  noteDeclared(definition, config, references);
  let attempt: WriteVerifier;
  try {
    const declared = await resolveDeclared(definition, config, references);
    attempt = { definition, session, planned, declared, references };
  } catch (problem) {
    return { diagnostics: session.failures.toDiagnostics(problem) };
  }
  const container = containerOf(definition, attempt.declared);
  const identity = { container, key: definition.key?.of(attempt.declared) ?? "" };
  const shares = await sharesOf(definition, session, planned, "has");
  const isReleased = shares.some((share) => session.holdings.isReleased(share, address));
  try {
    const write = async () =>
      (isReleased ? await adopt(attempt, identity) : undefined) ?? (await createOrAdopt(attempt, identity));
    const { found, diagnostics } = await readBack(definition, session, write());
    const response = await currentState(attempt, container, found);
    return untainted(definition, session, planned, {
      ...response,
      isSound: true,
      diagnostics: [...diagnostics, ...response.diagnostics],
    });
  } catch (problem) {
    session.collections.drop(container);
    if (session.failures.isAlreadyThere(problem)) return foundExisting(attempt, identity, problem);
    const diagnostics = await writeProblems(definition, session, container, problem);
    // What may exist stays in the state, or is uncertain: then the journal or an import finds it again.
    const isBegun = problem instanceof SomeWritesFailed && problem.isAnyDone;
    const isOpen = isBegun || problem instanceof VerifyFailed;
    const begun = isOpen && isBegunKept(attempt) ? assumed(planned, identity) : undefined;
    // What the first half of a replacement left is held by this state alone.
    const isPresent = (isBegun && definition.key === undefined) || (isReleased && !session.host.canFindMoves);
    const state = isPresent ? await stateNow(attempt, identity, planned.attributes, begun) : begun;
    const isUncertain = state === undefined && isOpen;
    const failed = {
      ...(state && { state, isSound: true }),
      ...(isUncertain && { isUncertain }),
      diagnostics,
    };
    return untainted(definition, session, planned, failed);
  }
}

/** Whether the state keeps what a create began: without a journal nothing else remembers it, and a container has only one. */
const isBegunKept = ({ definition, session }: WriteVerifier): boolean =>
  definition.key === undefined && !session.host.canRecoverKilledRuns;

/** The planned object, without what is not known. */
function assumed({ attributes, ...rest }: StoredState, identity: Identity): StoredState {
  const known = Object.entries(attributes).map(([name, value]) => [
    name,
    isWhollyKnown(value) ? value : null,
  ]);
  return { ...rest, attributes: { ...Object.fromEntries(known), id: formatId(identity) } };
}

/**
 * Terraform replaces what a failed create returns, and refuses that under `prevent_destroy`. A setting that exists anyway, and
 * that a destroy leaves alone, is created again instead: nothing is lost without its state.
 */
function untainted(
  definition: ResourceDefinition,
  { host }: Session,
  planned: StoredState,
  response: ApplyResponse,
): ApplyResponse {
  if (
    host.canFindMoves ||
    !isLeftOnDestroy(definition, planned.attributes) ||
    !hasErrors(response.diagnostics)
  )
    return response;
  const { state: _, ...rest } = response;
  return rest;
}

/**
 * Reports the existing object; if its key is unknown, with the service's message. An entry without attributes
 * beyond its key is adopted if the host does not recover killed runs.
 */
async function foundExisting(
  attempt: WriteVerifier,
  identity: Identity,
  problem: unknown,
): Promise<ApplyResponse> {
  const { definition, session, declared, planned } = attempt;
  const replaced = References.remembered(planned.private);
  const refusal = (place: Identity) =>
    (replaced === formatId(place) ? stillExists : alreadyExists)(definition, place);
  const canBeOurs = definition.isEntry === true && !session.host.canRecoverKilledRuns;
  if (definition.key?.unique === undefined && !canBeOurs) {
    return { diagnostics: [refusal(identity)] };
  }
  try {
    const found = await findCreated(attempt, identity);
    if (found === undefined) return { diagnostics: session.failures.toDiagnostics(problem) };
    const place = placeOf(definition, identity, found);
    if (!canBeOurs || differences(definition, declared, found).length > 0) {
      return { diagnostics: [refusal(place)] };
    }
    const { state, diagnostics } = await currentState(attempt, identity.container, found);
    return {
      ...(state && { state }),
      isSound: true,
      diagnostics: [
        ...(replaced === formatId(place) ? [] : [importedMeanwhile(definition, place)]),
        ...diagnostics,
      ],
    };
  } catch (failed) {
    if (session.failures.of(failed) === undefined) throw failed;
    return { diagnostics: session.failures.toDiagnostics(problem) };
  }
}

/**
 * Adopts an object that this run releases and updates it to the declaration: it only has another address or
 * owner now. Undefined if it does not exist.
 *
 * @throws SomeWritesFailed where a lost answer leaves open what was done; otherwise like `update` of the definition
 */
async function adopt(attempt: WriteVerifier, identity: Identity): Promise<Found<Attributes> | undefined> {
  const { definition, session, declared } = attempt;
  const found = await findCreated(attempt, identity);
  if (found === undefined || differences(definition, declared, found).length === 0) return found;
  const scope = scopeOf(definition, session, identity.container);
  return definition.update?.(scope, declared, found).catch((problem: unknown) => {
    throw session.failures.whenMaybeDone(problem) === undefined ? problem : mayExist(problem);
  });
}

const placeOf = (
  { key }: ResourceDefinition,
  { container }: Identity,
  found: Found<Attributes>,
): Identity => ({ container, key: key?.of(found) ?? "" });

/**
 * Sends the create. After a lost response it verifies the outcome: a matching object that this run had not
 * seen before was created by this operation; a missing one is sent again. Without a lost response, an
 * existing object belongs to another owner.
 *
 * @throws SomeWritesFailed if several attempts failed, with everything that any of them may have done
 */
async function createOrAdopt(attempt: WriteVerifier, identity: Identity): Promise<Found<Attributes>> {
  const { definition, session, declared } = attempt;
  const before = await observedBefore(attempt);
  for (let sent = 1; ; sent++) {
    try {
      return await definition.create(scopeOf(definition, session, identity.container), declared);
    } catch (problem) {
      if (problem instanceof NotReadBack) throw problem;
      const isLost = session.failures.whenMaybeDone(problem) !== undefined;
      if (!isLost && sent === 1) throw problem;
      if (!isLost && !session.failures.isAlreadyThere(problem)) throw mayExist(problem);
      const { found, canBeSentAgain } = await verifyLost(attempt, identity, problem, sent);
      if (found !== undefined) {
        const place = placeOf(definition, identity, found);
        const isOnlyOne = definition.key === undefined;
        const canBeOurs = isOnlyOne || !before?.ids.includes(formatId(place));
        if (canBeOurs && differences(definition, declared, found).length === 0) return found;
        // If a container always has one, a different one is no evidence of another creator.
        if (!isOnlyOne) throw new DiagnosticError(alreadyExists(definition, place));
      }
      if (!canBeSentAgain) throw mayExist(problem);
    }
  }
}

/** The object that this run read in its place; a failed read is none. */
async function observedBefore({ definition, session, declared }: WriteVerifier) {
  if (definition.key === undefined) return undefined;
  try {
    return await observeBeforeCreate(definition, session, declared);
  } catch (problem) {
    session.failures.throwUnlessFailure(problem);
    return undefined;
  }
}

const mayExist = (problem: unknown): SomeWritesFailed =>
  new SomeWritesFailed(problem instanceof SomeWritesFailed ? problem.failures : [{ problem }], true);

/** The outcome of a lost create could not be verified. */
class VerifyFailed extends DiagnosticError {}

/** Verifies a create with a lost response; if that fails, the user has to. */
async function verifyLost(attempt: WriteVerifier, identity: Identity, lost: unknown, sent: number) {
  const { session } = attempt;
  try {
    const { since, isRetryable } = await pauseBeforeVerify(session, identity.container, lost, sent);
    return { found: await findCreated(attempt, identity, since), canBeSentAgain: isRetryable };
  } catch (problem) {
    const failure = session.failures.of(problem);
    if (failure === undefined) throw problem;
    const { key } = attempt.definition;
    const place = key?.unique === undefined ? identity : { ...identity, key: `<${key.name}>` };
    const [next, action] = isBegunKept(attempt)
      ? ["The next plan reads what of it is there."]
      : [
          "If the object exists, import it with this command.",
          { kind: "import", id: formatId(place) } as const,
        ];
    throw new VerifyFailed([
      ...session.failures.toDiagnostics(lost).map(({ detail, ...one }) => ({
        ...one,
        detail: `${detail} ${next}`,
        ...(action && { action }),
      })),
      error({
        code: failure.code,
        summary: failure.summary,
        detail: `Verifying the create failed as well: ${failure.detail}`,
      }),
    ]);
  }
}
