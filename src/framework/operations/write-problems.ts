import { type Diagnostic, error, warning } from "../../diagnostics";
import type { ResourceDefinition } from "../definition/definition";
import { formatId, type Identity, type Session } from "./session";
import { archivedRefusal, isArchived } from "./unreadable-object";

/**
 * Diagnostics of a refused or failed write: with the attribute that the service's message names, and who may
 * change it, or that its container is archived.
 */
export async function writeProblems(
  definition: ResourceDefinition,
  session: Session,
  container: number,
  problem: unknown,
): Promise<Diagnostic[]> {
  const { attributes, writers } = definition;
  if (session.failures.isRefused(problem) && (await isContainerArchived(definition, session, container))) {
    return [archivedRefusal(definition.container, container)];
  }
  const attribute = namedAttribute(Object.keys(attributes), session.failures.of(problem)?.serviceMessage);
  const who = session.failures.isRefused(problem)
    ? (writers?.description ?? writersOf(definition, session))
    : undefined;
  return session.failures.toDiagnostics(problem).map((one) => ({
    ...one,
    ...(who !== undefined && { detail: `${one.detail} ${who}` }),
    ...(attribute !== undefined && { attribute: [attribute] }),
  }));
}

function writersOf(definition: ResourceDefinition, session: Session): string | undefined {
  const role = session.neededRole(definition);
  return role && `Changing it needs the role ${role} in the ${definition.container}.`;
}

/**
 * Whether the container was archived since the plan; if that can't be read, the refusal is reported as it is.
 */
const isContainerArchived = (definition: ResourceDefinition, session: Session, container: number) =>
  isArchived(definition, session, container).catch((problem: unknown) => {
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
