import { type Diagnostic, error, warning } from "../../diagnostics";
import type { ResourceDefinition } from "../definition/definition";
import { formatId, type Identity, type ResourceSession } from "./session";
import { archivedRefusal, isArchived, neededRole } from "./unreadable-object";

/**
 * Diagnostics of a refused or failed write: with the attribute that the service's message names, and who may
 * change it, or that its container is archived.
 */
export async function writeProblems(
  session: ResourceSession,
  container: number,
  problem: unknown,
): Promise<Diagnostic[]> {
  const { failures, definition } = session;
  const isRefused = failures.isRefused(problem);
  if (isRefused && (await isContainerArchived(session, container))) {
    return [archivedRefusal(definition.container, container)];
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
  return role && `Changing it needs the role ${role} in the ${session.definition.container}.`;
}

/**
 * Whether the container was archived since the plan; if that can't be read, the refusal is reported as it is.
 */
const isContainerArchived = (session: ResourceSession, container: number) =>
  isArchived(session, container).catch((problem: unknown) => {
    session.failures.throwUnlessFailure(problem);
    return false;
  });

/**
 * The first attribute in the service's message: `rules[0] …`, `404 Target Space Not Found`.
 */
function namedAttribute(names: readonly string[], serviceMessage = ""): string | undefined {
  const words = serviceMessage.toLowerCase().replaceAll(" ", "_");
  return names
    .map((name) => ({ name, at: words.indexOf(name) }))
    .filter(({ at }) => at >= 0)
    .sort((one, other) => one.at - other.at || other.name.length - one.name.length)[0]?.name;
}

export const alreadyExists = ({ type }: ResourceDefinition, identity: Identity): Diagnostic =>
  error({
    code: "already_exists",
    summary: "Already exists",
    detail:
      `The ${type.replaceAll("_", " ")} "${formatId(identity)}" exists on the service, and not ` +
      "in this state. Import it by this id, or delete it on the service.",
    action: { kind: "import", id: formatId(identity) },
    cause: "exists on the service",
  });

/** The error of a replacement that creates an object before it destroys the same one. */
export const stillExists = ({ type }: ResourceDefinition, identity: Identity): Diagnostic =>
  error({
    code: "already_exists",
    summary: "Already exists",
    detail:
      `The ${type.replaceAll("_", " ")} "${formatId(identity)}" was to be created before it is destroyed, and there is only one of ` +
      "that name: nothing was changed. Remove create_before_destroy, or plan without a replacement.",
    cause: "replaced by itself",
  });

/** A warning about an existing object that was adopted, since its creator is unknown. */
export const importedMeanwhile = ({ type }: ResourceDefinition, identity: Identity): Diagnostic =>
  warning({
    code: "taken_over",
    summary: "Existing object adopted",
    detail:
      `The ${type.replaceAll("_", " ")} "${formatId(identity)}" existed on the service, exactly ` +
      "as declared; an interrupted run may have created it. It is in this state now, and destroying " +
      "it deletes it from the service. If it has another owner, remove it from the code " +
      "with a `removed` block.",
  });

export const goneSincePlan = ({ type }: ResourceDefinition, identity: Identity): Diagnostic =>
  error({
    code: "gone_since_plan",
    summary: "Gone since the plan",
    detail:
      `The ${type.replaceAll("_", " ")} "${formatId(identity)}" existed at plan, and is gone ` +
      "now: nothing was changed. Plan and apply again to create it, with another id.",
  });
