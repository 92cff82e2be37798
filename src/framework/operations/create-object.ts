import { type Diagnostic, DiagnosticError, error, hasErrors } from "../../diagnostics";
import { type Attributes, isWhollyKnown, type ValueObject } from "../../schema";
import { type Found, isLeftOnDestroy } from "../definition/definition";
import { ownersThat } from "../ownership/owners";
import { NotReadBack, SomeWritesFailed } from "../protocol/failures";
import type { ApplyResponse, ObservedBeforeCreate, StoredState } from "../protocol/protocol";
import { rememberedIn } from "../references/remembered";
import { differences, distance, lacksElementsOnly } from "./contradictions";
import { ownedBy } from "./declared-ownership";
import { observeBeforeCreate } from "./existing-object";
import { formatId, type Identity, placeOf } from "./identity";
import { alreadyExists, importedMeanwhile, readableId, stillExists, writeProblems } from "./object-problems";
import { type ResourceSession, scopeOf } from "./session";
import { isWholeList } from "./unplanned-elements";
import {
  attemptOf,
  currentState,
  findCreated,
  findReleased,
  named,
  pauseBeforeVerify,
  proven,
  readBack,
  stateNow,
  type WriteVerifier,
} from "./verify-write";

/**
 * Creates one object. If the service accepted only some elements of a set, the returned state contains the elements that exist.
 */
export async function createObject(
  session: ResourceSession,
  planned: StoredState,
  config: ValueObject,
  address: string | undefined,
): Promise<ApplyResponse> {
  const { definition, failures, isPlanKept } = session;
  const leaving = ownersThat(session, "leave", await ownedBy(session, planned, "has"));
  const released = leaving.filter((one) => address === undefined || one.address !== address);
  let attempt: WriteVerifier;
  try {
    const states = released.filter(({ type }) => type === session.type).map(({ state }) => state);
    attempt = await attemptOf(session, { prior: undefined, planned, config, released: states });
  } catch (problem) {
    return { diagnostics: failures.toDiagnostics(problem) };
  }
  const { container } = attempt.identity;
  const isReleased = released.length > 0;
  try {
    const write = async () =>
      (isReleased ? await adopt(attempt) : undefined) ?? (await createOrAdopt(attempt));
    const { found, diagnostics } = await readBack(session, write());
    const response = await currentState(attempt, found);
    return untainted(session, planned, {
      ...response,
      isSound: true,
      diagnostics: [...attempt.proven, ...diagnostics, ...response.diagnostics],
    });
  } catch (problem) {
    session.collections.drop(container);
    if (failures.isAlreadyThere(problem)) return foundExisting(attempt, problem);
    const diagnostics = await writeProblems(session, container, problem);
    // The object may exist now. The returned state contains the object, or a recovery or an import finds the object later.
    const isBegun = problem instanceof SomeWritesFailed && problem.isAnyDone;
    const isOpen = isBegun || problem instanceof VerifyFailed;
    const begun = isOpen && isBegunKept(session) ? assumed(planned, attempt.identity) : undefined;
    // After the first half of a replacement, only this state still records the object that remains.
    const isPresent = (isBegun && definition.key === undefined) || (isReleased && !isPlanKept);
    const state = isPresent ? await stateNow(attempt, planned.attributes, begun) : begun;
    const isUncertain = state === undefined && isOpen;
    const failed = {
      ...(state && { state, isSound: true }),
      ...(isUncertain && { isUncertain }),
      diagnostics,
    };
    return untainted(session, planned, failed);
  }
}

/**
 * Returns whether the state must contain the object of a create that failed in the middle. Returns true if each container has
 * exactly one such object and the host has no journal, because then only the state records the object.
 */
const isBegunKept = ({ definition, isPlanKept }: ResourceSession): boolean =>
  definition.key === undefined && !isPlanKept;

/** Returns the planned state with null instead of unknown values. */
function assumed({ attributes, ...rest }: StoredState, identity: Identity): StoredState {
  const known = Object.entries(attributes).map(([name, value]) => [
    name,
    isWhollyKnown(value) ? value : null,
  ]);
  return { ...rest, attributes: { ...Object.fromEntries(known), id: formatId(identity) } };
}

/**
 * Returns the response of a failed create in the form for Terraform. With a state in the response, Terraform would mark the
 * object as tainted and replace it, or fail under `prevent_destroy`. For a setting that always exists, the response therefore has
 * no state. The next apply then creates the setting again, which loses nothing.
 */
function untainted(
  { definition, isPlanKept }: ResourceSession,
  planned: StoredState,
  response: ApplyResponse,
): ApplyResponse {
  if (isPlanKept || !isLeftOnDestroy(definition, planned.attributes) || !hasErrors(response.diagnostics))
    return response;
  const { state: _, ...rest } = response;
  return rest;
}

/**
 * Returns the result of a create that the service refuses because the object exists. If a read finds the object, the error names
 * it. If no read finds the object, the error contains the service's message, which can have another reason. For a host that does
 * not recover killed runs, an existing entry without attributes besides its key is adopted.
 */
async function foundExisting(attempt: WriteVerifier, problem: unknown): Promise<ApplyResponse> {
  const { session, identity, declared, planned } = attempt;
  const { definition, failures } = session;
  const replaced = rememberedIn(planned.private).object;
  const refusal = (place: Identity) =>
    (replaced === formatId(place) ? stillExists : alreadyExists)(named(attempt), place);
  const canBeOurs = definition.isEntry === true && !session.isPlanKept;
  // A setting always exists, so the service's message must be about one of the setting's values.
  if (definition.key === undefined) return { diagnostics: failures.toDiagnostics(problem) };
  try {
    // If a record moves to another page between two requests, the first read can miss the object. The second read finds the
    // object.
    const found = (await findCreated(attempt)) ?? (await findCreated(attempt, performance.now()));
    if (found === undefined) return { diagnostics: failures.toDiagnostics(problem).map(refusedAndAbsent) };
    const place = placeOf(definition, identity.container, found);
    if (!canBeOurs || differences(definition, declared, found).length > 0) {
      return { diagnostics: [refusal(place)] };
    }
    const { state, diagnostics } = await currentState(attempt, found);
    return {
      ...(state && { state }),
      isSound: true,
      diagnostics: [
        ...(replaced === formatId(place) ? [] : [importedMeanwhile(named(attempt), place)]),
        ...diagnostics,
      ],
    };
  } catch (failed) {
    if (failures.of(failed) === undefined) throw failed;
    return { diagnostics: failures.toDiagnostics(problem) };
  }
}

/** Returns the error for a create that the service refuses because the object exists, although no read finds the object. */
const refusedAndAbsent = ({ detail, ...one }: Diagnostic): Diagnostic => ({
  ...one,
  summary: "Refused as existing, but not found",
  detail: `${detail} Steward then searched for the object and did not find it. A different object may have this name, or the service may return old data for a short time. Plan again.`,
});

/**
 * Adopts an object that this run releases, and updates it to the declaration. Returns the updated object; undefined if the object
 * does not exist.
 *
 * @throws SomeWritesFailed if a lost response leaves the outcome open; otherwise the errors of the definition's `update`
 */
async function adopt(attempt: WriteVerifier): Promise<Found<Attributes> | undefined> {
  const { session, identity, declared } = attempt;
  const { definition, failures } = session;
  const found = await findReleased(attempt);
  if (found === undefined) return undefined;
  const wanted = attempt.unplanned?.keptIn(declared, found) ?? declared;
  if (differences(definition, wanted, found).length === 0) return found;
  const scope = scopeOf(session, identity.container);
  return definition.update?.(scope, wanted, found).catch((problem: unknown) => {
    throw failures.whenMaybeDone(problem) === undefined ? problem : mayExist(problem);
  });
}

/**
 * Sends the create. After a lost response, a read shows the outcome: a matching object that the run had not seen before is the
 * result of this create. If no object exists, the create is sent again. Without a lost response, an existing object belongs to
 * another owner.
 *
 * @throws SomeWritesFailed if several attempts failed, with all changes that the attempts may have made
 */
async function createOrAdopt(attempt: WriteVerifier): Promise<Found<Attributes>> {
  const { session, identity, declared } = attempt;
  const { definition, failures } = session;
  // The live object with the same identity, if this run read it before the create. If that read failed, the object counts as
  // absent.
  const before = await failures.orElse(observeBeforeCreate(session, declared), undefined);
  for (let sent = 1; ; sent++) {
    try {
      return await create(attempt);
    } catch (problem) {
      if (problem instanceof NotReadBack) throw problem;
      if (failures.whenUnproven(problem) !== undefined) return foundAfterUnproven(attempt, before, problem);
      const isLost = failures.whenMaybeDone(problem) !== undefined;
      if (!isLost && sent === 1) throw problem;
      if (!isLost && !failures.isAlreadyThere(problem)) throw mayExist(problem);
      const { found, canBeSentAgain } = await verifyLost(attempt, problem, sent);
      if (found !== undefined) {
        if (isMadeHere(attempt, before, found)) return found;
        // If the type has no key, every container always has one object of this type. An object with other values therefore does
        // not prove that another client created the object.
        if (definition.key !== undefined)
          throw new DiagnosticError(
            alreadyExists(named(attempt), placeOf(definition, identity.container, found)),
          );
      }
      if (!canBeSentAgain) throw mayExist(problem);
    }
  }
}

/**
 * Sends the create. A list that every container has can already contain elements. The create removes only elements whose removal
 * the plan showed.
 */
async function create(attempt: WriteVerifier): Promise<Found<Attributes>> {
  const { session, identity, declared, unplanned } = attempt;
  const { definition } = session;
  const scope = scopeOf(session, identity.container);
  const live = isWholeList(definition) ? await definition.read(scope, "") : undefined;
  return definition.create(scope, (live && unplanned?.keptIn(declared, live)) ?? declared);
}

/**
 * Returns whether the create of this run may have made an object. The run must not have seen the object before, and the object
 * must equal the declaration. Missing elements of sets are ignored, because the service may have dropped them.
 */
function isMadeHere(
  { session: { definition }, identity, declared, unplanned }: WriteVerifier,
  before: ObservedBeforeCreate | undefined,
  found: Found<Attributes>,
): boolean {
  const wasThere =
    definition.key !== undefined &&
    before?.ids.includes(formatId(placeOf(definition, identity.container, found))) === true;
  const isAsSent = definition.key === undefined ? isAsDeclared : lacksElementsOnly;
  return !wasThere && isAsSent(definition, declared, unplanned?.withoutIn(declared, found) ?? found);
}

const isAsDeclared = (...objects: Parameters<typeof differences>): boolean =>
  differences(...objects).length === 0;

/**
 * Returns the object after a create whose response does not show the outcome. The create is never sent again, because a proxy may
 * have passed the create on to the service. If only some writes of the create were executed, the function sends the other writes.
 *
 * @throws the problem itself unless the object exists as declared
 */
async function foundAfterUnproven(
  attempt: WriteVerifier,
  before: ObservedBeforeCreate | undefined,
  problem: unknown,
): Promise<Found<Attributes>> {
  const { session, declared, identity } = attempt;
  const { collections, definition, failures } = session;
  const isCloser = (found: Found<Attributes>) =>
    before?.found !== undefined &&
    distance(definition, declared, found) < distance(definition, declared, before.found as typeof found);
  let isAbsent = false;
  const look = async (since: number) => {
    const found = await findCreated(attempt, since);
    // A setting always exists, so a read of it does not prove that the create was executed.
    isAbsent = found === undefined || definition.key === undefined;
    const isOurs = found !== undefined && (isMadeHere(attempt, before, found) || isCloser(found));
    return isOurs ? found : undefined;
  };
  collections.drop(identity.container);
  const found = await proven(session, attempt.proven, problem, look).catch((failed: unknown) => {
    throw notVerified(attempt, problem, failed);
  });
  if (found === undefined) {
    // The service can still execute the create later. Only objects with a key need this error, because the next plan reads a
    // setting anyway.
    const isPending = failures.whenUnproven(problem)!.some((answer) => answer.isPending);
    if (isPending && definition.key !== undefined) throw mayExist(problem);
    throw isAbsent ? failures.notExecuted(problem) : problem;
  }
  const wanted = (isWholeList(definition) && attempt.unplanned?.keptIn(declared, found)) || declared;
  if (definition.update === undefined || differences(definition, wanted, found).length === 0) return found;
  const scope = scopeOf(session, identity.container);
  return definition.update(scope, wanted, found).catch((next: unknown) => {
    if (failures.whenUnproven(next) === undefined) throw mayExist(next);
    return foundAfterUnproven(attempt, { ids: [], found: found as ValueObject }, next);
  });
}

const mayExist = (problem: unknown): SomeWritesFailed =>
  new SomeWritesFailed(problem instanceof SomeWritesFailed ? problem.failures : [{ problem }], true);

/** The error of a create whose response was lost and whose outcome could not be read. */
class VerifyFailed extends DiagnosticError {}

/**
 * Reads the outcome of a create with a lost response. If this read fails too, the error says that the user must check the
 * service.
 */
async function verifyLost(attempt: WriteVerifier, lost: unknown, sent: number) {
  const { failures, secondLooks } = attempt.session;
  try {
    const { container } = attempt.identity;
    const { since, isRetryable } = await pauseBeforeVerify(attempt.session, container, lost, sent);
    const first = await findCreated(attempt, since);
    // The service says that the object exists, but the read did not find it. The read may have reached a replica that lags
    // behind.
    const isMissing = first === undefined && failures.isAlreadyThere(lost);
    const look = (moment: number) => findCreated(attempt, moment);
    const found = isMissing ? await secondLooks.until(first, (seen) => seen !== undefined, look) : first;
    return { found, canBeSentAgain: isRetryable };
  } catch (problem) {
    throw notVerified(attempt, lost, problem);
  }
}

/** Returns the error of a create whose outcome could not be read. Returns internal errors unchanged. */
function notVerified(attempt: WriteVerifier, lost: unknown, problem: unknown): unknown {
  const { session, identity } = attempt;
  const { definition, failures } = session;
  const failure = failures.of(problem);
  if (failure === undefined) return problem;
  const { key } = definition;
  const place = key?.unique === undefined ? identity : { ...identity, key: `<${key.name}>` };
  const [next, action] = isBegunKept(session)
    ? ["The next plan reads the created parts."]
    : [
        "If the service executed the change, import the object with this command. If the service did not execute the change, apply again.",
        { kind: "import", id: readableId(named(attempt), place) } as const,
      ];
  return new VerifyFailed([
    ...failures.toDiagnostics(lost).map(({ detail, ...one }) => ({
      ...one,
      detail: `${detail} ${next}`,
      ...(action && { action }),
    })),
    error({
      code: failure.code,
      summary: failure.summary,
      detail:
        failure.code === "cancelled"
          ? "The operation was cancelled before Steward could check whether the service created the object. Check this on the service before the next apply."
          : `Steward could not check whether the object exists. ${failure.detail}`,
    }),
  ]);
}
