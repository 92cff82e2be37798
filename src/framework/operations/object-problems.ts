import {
  type Diagnostic,
  DiagnosticError,
  type DiagnosticText,
  error,
  type RefusedContainer,
  warning,
} from "../../diagnostics";
import type { Value } from "../../schema";
import type { ResourceDefinition } from "../definition/definition";
import type { StateResponse, StoredState } from "../protocol/protocol";
import { type Identity, identityOf } from "./identity";
import type { ResourceSession, Session } from "./session";

/**
 * Explains a 404 for the container of an object. The result contains the stored state and an error: the token may have lost its
 * rights, or the feature of the container may be off. If the token sees all objects, the container and the object are gone, so
 * the result has no state. If the container is archived, the user can't fix anything, so the result contains a warning instead of
 * an error.
 *
 * @throws the client's errors
 */
export async function explainUnreadable(
  session: ResourceSession,
  state: StoredState,
): Promise<StateResponse> {
  const { definition, lookups } = session;
  const { container: kind, feature } = definition;
  const identity = identityOf(state);
  const { container } = identity;
  const cause = `${kind} ${container}`;
  // If the declaration contains the container's id, this look-up also finds the container's path.
  const isReadable = await lookups.isReadable(kind, container);
  const name = nameOfUnreadable(session, state);
  if (!isReadable && (await lookups.isGone(kind, container))) {
    const containerGone = warning({
      code: "container_gone",
      summary: `The ${kind} was deleted`,
      detail: `The service responds with 404 for the ${kind} ${name}, even to an administrator. The ${kind} was deleted together with this object. The next apply removes the object from the state. Remove its declaration from the code.`,
      cause,
    });
    return { diagnostics: [containerGone] };
  }
  if (!isReadable) {
    const why = await lookups.whyNotSeeing();
    const rightsLost = withStateRm(session, {
      code: "rights_lost",
      summary: "Object not checked, and kept in the state",
      detail: `The service responds with 404 for the ${kind} ${name}: it was deleted, or this token can't see it, for example after a move. ${why === undefined ? "Use" : `${why} Otherwise use`} a token that can see the ${kind}.`,
      cause,
      refused: refusedContainer(session, state.attributes[kind], 404),
    });
    return { state, diagnostics: [rightsLost] };
  }
  if (await lookups.isArchived(definition.container, container)) {
    return { state, diagnostics: [skippedArchived(session, identity)] };
  }
  const notAvailable = withStateRm(session, {
    code: "not_available",
    summary: `Not available in this ${kind}`,
    detail: `The ${kind} ${name} is readable, but the service responds with 404 for ${feature}. The feature is off in this ${kind} or on the whole service. The object was not checked and stays in the state. Enable the feature again.`,
    cause: `${feature} of ${cause}`,
  });
  return { state, diagnostics: [notAvailable] };
}

/** Returns the path of a container that can't be read, if the run or the state contains it; otherwise its id. */
function nameOfUnreadable({ definition, lookups }: ResourceSession, state: StoredState): string {
  const { container } = identityOf(state);
  const known = lookups.nameOf(definition.container, container);
  const stored = state.attributes[definition.container];
  return known === String(container) && typeof stored === "string" ? stored : known;
}

/** Returns diagnostic text about a container that the token can't read. @param name the path or id of the container */
export function refusedContainer(
  session: ResourceSession,
  name: Value | undefined,
  status: RefusedContainer["status"],
): RefusedContainer {
  const role = neededRole(session);
  const { container: kind } = session.definition;
  return { kind, name: String(name), status, ...(role !== undefined && { role }) };
}

/** Returns the name of the role that can change objects of a resource; undefined if the provider defines none. */
const neededRole = ({ definition, provider }: ResourceSession): string | undefined =>
  provider.neededRole?.(definition);

/** Returns a diagnostic with a command that removes the object from the state. */
export const withStateRm = ({ type }: ResourceSession, found: DiagnosticText): Diagnostic =>
  error({ ...found, action: { kind: "forget", type } });

/** Returns the warning about a difference that Steward can't repair, because the container is archived. */
export const skippedArchived = (
  { definition: { container: kind }, lookups }: ResourceSession,
  { container }: Identity,
): Diagnostic =>
  warning({
    code: "archived_project",
    summary: `Drift in an archived ${kind} ignored`,
    detail: `The ${kind} ${lookups.nameOf(kind, container)} is archived. This object differs from the state, but can't be changed. Unarchive the ${kind}, or remove this declaration from the code.`,
    cause: `${kind} ${container}`,
  });

export function archivedRefusal({ definition, lookups }: ResourceSession, container: number): Diagnostic {
  const { container: kind } = definition;
  return error({
    code: "archived_project",
    summary: `The ${kind} is archived`,
    detail: `The ${kind} ${lookups.nameOf(kind, container)} is archived, and its settings can't be changed. Unarchive it, or remove this declaration from the code.`,
    cause: `${kind} ${container}`,
    attribute: [kind],
  });
}

/** Returns the reason why a read failed, as the end of a sentence. Rethrows internal errors. */
export function failureReason({ failures }: Pick<Session, "failures">, problem: unknown): string {
  if (problem instanceof DiagnosticError) return asReason(problem.diagnostics[0]!.summary);
  failures.throwUnlessFailure(problem);
  return asReason(failures.of(problem)!.summary);
}

const asReason = (summary: string): string =>
  `${summary.charAt(0).toLowerCase()}${summary.slice(1)}`.replace(/\.$/, "");

/**
 * Returns the diagnostics of a refused or failed write. The diagnostics contain the attribute from the service's message. After a
 * refusal, the diagnostics also name the people who can change the object, or say that the container is archived.
 */
export async function writeProblems(
  session: ResourceSession,
  container: number,
  problem: unknown,
): Promise<Diagnostic[]> {
  const { failures, definition, lookups } = session;
  const isRefused = failures.isRefused(problem);
  // The container may have been archived after the plan. If this read fails, the error contains only the refusal.
  if (isRefused && (await failures.orElse(lookups.isArchived(definition.container, container), false))) {
    return [archivedRefusal(session, container)];
  }
  const attribute = namedAttribute(Object.keys(definition.attributes), failures.of(problem)?.serviceMessage);
  const who = isRefused ? (definition.writers?.description ?? writersOf(session)) : undefined;
  return failures.toDiagnostics(problem).map((one) => ({
    ...one,
    ...(who !== undefined && { detail: `${one.detail} ${who}` }),
    ...(attribute !== undefined && { attribute: [attribute] }),
  }));
}

function writersOf(session: ResourceSession): string | undefined {
  const role = neededRole(session);
  return role && `A change of this object needs the role ${role} in the ${session.definition.container}.`;
}

/**
 * Returns the name of the first attribute in the service's message. Examples of messages: `rules[0] …`, `404 Target Space Not
 * Found`.
 */
function namedAttribute(names: readonly string[], serviceMessage = ""): string | undefined {
  const words = serviceMessage.toLowerCase().replaceAll(" ", "_");
  return names
    .map((name) => ({ name, at: words.indexOf(name) }))
    .filter(({ at }) => at >= 0)
    .sort((one, other) => one.at - other.at || other.name.length - one.name.length)[0]?.name;
}

/** The data from which messages name objects: parts of a session, and the declared path of the container. */
export interface Named extends Pick<ResourceSession, "definition" | "lookups"> {
  readonly declared?: Value | undefined;
}

/**
 * Returns the id of an object in the form of an import id, such as `space/a:one`. If the run does not know the path of the
 * container, the id contains the numeric id instead.
 */
export function readableId({ definition, lookups, declared }: Named, { container, key }: Identity): string {
  const known = lookups.nameOf(definition.container, container);
  const name = known === String(container) && typeof declared === "string" ? declared : known;
  return key === "" ? name : `${name}:${key}`;
}

/** Returns the text that messages use for an object: `thing "space/a:one"`. */
export const describeObject = (session: Named, identity: Identity): string =>
  `${session.definition.type.replaceAll("_", " ")} "${readableId(session, identity)}"`;

export const alreadyExists = (session: Named, identity: Identity): Diagnostic =>
  error({
    code: "already_exists",
    summary: "Already exists",
    detail:
      `The ${describeObject(session, identity)} exists on the service, but not in this state. Delete it on the service, or import ` +
      `it (ID ${JSON.stringify(readableId(session, identity))}) as shown below.`,
    action: { kind: "import", id: readableId(session, identity) },
    cause: "exists on the service",
  });

/**
 * Returns the error for a replacement that must create the new object before the delete, although the old object has the same
 * identity.
 */
export const stillExists = (session: Named, identity: Identity): Diagnostic =>
  error({
    code: "already_exists",
    summary: "Already exists",
    detail: `The replacement of the ${describeObject(session, identity)} can't be created before the old object is destroyed, because both have the same name. Nothing was changed. Remove create_before_destroy, or plan without a replacement.`,
    cause: "replaced by itself",
  });

/** Returns the warning that an existing object was adopted although its creator is unknown. */
export const importedMeanwhile = (session: Named, identity: Identity): Diagnostic =>
  warning({
    code: "taken_over",
    summary: "Existing object taken over",
    detail: `The ${describeObject(session, identity)} already existed exactly as declared. An interrupted run may have created it. It is in this state now, and a destroy deletes it. If someone else manages it, remove it from the code with a \`removed\` block.`,
  });

export const goneSincePlan = (session: Named, identity: Identity): Diagnostic =>
  error({
    code: "gone_since_plan",
    summary: "Object was deleted after the plan",
    detail: `The ${describeObject(session, identity)} existed at plan, but not at apply. Nothing was changed. Plan and apply again to create it. It will get a new ID.`,
  });

export const notReadBack = ({ type }: ResourceDefinition, reason: string): Diagnostic =>
  warning({
    code: "not_read_back",
    summary: "Change made, but not read back",
    detail: `The service accepted the ${type.replaceAll("_", " ")}, but its values could not be read afterwards. The state contains the declared values. The next plan reads it again. ${reason}`,
  });
