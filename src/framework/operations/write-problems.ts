import { type Diagnostic, error, warning } from "../../diagnostics";
import type { ResourceDefinition } from "../definition/definition";
import { formatId, type Identity, type Session } from "./session";
import { archivedRefusal, isArchived } from "./unreadable-object";

/**
 * What a refused or failed write comes to: the attribute that the service's words are about, where they name one; who
 * may change it, or that its container is archived, where that is why it was refused.
 */
export async function writeProblems(
  definition: ResourceDefinition,
  session: Session,
  container: number,
  problem: unknown,
): Promise<Diagnostic[]> {
  const { attributes, changedBy } = definition;
  if (session.failures.isRefused(problem) && (await wasArchived(definition, session, container))) {
    return [archivedRefusal(definition.container, container)];
  }
  const attribute = namedAttribute(Object.keys(attributes), session.failures.of(problem)?.serviceMessage);
  const who = session.failures.isRefused(problem) ? (changedBy ?? session.writersOf(definition)) : undefined;
  return session.failures.toDiagnostics(problem).map((one) => ({
    ...one,
    ...(who !== undefined && { detail: `${one.detail} ${who}` }),
    ...(attribute !== undefined && { attribute: [attribute] }),
  }));
}

/** Whether the container was archived since the plan; where that can't be told, the refusal has to say enough. */
const wasArchived = (definition: ResourceDefinition, session: Session, container: number) =>
  isArchived(definition, session, container).catch((problem: unknown) => {
    session.failures.throwUnlessFailure(problem);
    return false;
  });

/** The first attribute that the service's words name: `rules[0] …`, `404 Target Space Not Found`. */
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
      `The ${type.replaceAll("_", " ")} "${formatId(identity)}" is on the service already, and not in this state. ` +
      "Delete it on the service, or take it over with this command.",
    action: { kind: "import", id: formatId(identity) },
  });

/** What was there just as declared was taken into the state: said, as nobody can tell who made it. */
export const importedMeanwhile = ({ type }: ResourceDefinition, identity: Identity): Diagnostic =>
  warning({
    code: "taken_over",
    summary: "Was there already, and is taken over",
    detail:
      `The ${type.replaceAll("_", " ")} "${formatId(identity)}" was on the service already, just as declared; a run that ` +
      "was cut off may have made it. It belongs to this state now, and destroying it removes it from the service. " +
      "If it is somebody else's, take it out of the code with a `removed` block.",
  });

export const goneSincePlan = ({ type }: ResourceDefinition, identity: Identity): Diagnostic =>
  error({
    code: "gone_since_plan",
    summary: "Gone since the plan",
    detail:
      `The ${type.replaceAll("_", " ")} "${formatId(identity)}" was there at plan, and is gone now: nothing was changed. ` +
      "Plan and apply again; it is created anew then, and gets another id.",
  });
