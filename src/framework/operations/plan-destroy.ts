import { type Diagnostic, error } from "../../diagnostics";
import type { ResourceDefinition } from "../definition/definition";
import type { PlanDestroyRequest, PlanDestroyResponse } from "../protocol/protocol";
import { removeAgain } from "./entries-not-removed";
import { keptParts } from "./kept-parts";
import { refuseDestroyOfDeclared } from "./refuse-destroyed-and-declared";
import { resolveId } from "./resolve-id";
import { identityOf, type Session } from "./session";
import { isArchived } from "./unreadable-object";

/**
 * Refuses at plan to destroy an object of an archived container, which would fail during apply, or an object
 * that the same plan declares.
 */
export async function planDestroy(
  definition: ResourceDefinition,
  session: Session,
  { prior, address }: PlanDestroyRequest,
): Promise<PlanDestroyResponse> {
  session.expected.hold(definition, String(prior.attributes["id"]));
  const refusals = await refuseDestroyOfDeclared(definition, session, prior, false);
  if (refusals.length > 0) return { diagnostics: refusals };
  const kept = session.host.findsMoves ? await keptParts(definition, session, { prior, address }) : {};
  if (kept.keptBy !== undefined) return { ...kept, diagnostics: [] };
  const isLeft = definition.delete === undefined || definition.leftOnDestroy?.(prior.attributes);
  // If the container can't be read now, apply reports it.
  if (isLeft || !session.isConnected) return { ...kept, diagnostics: [] };
  try {
    const { container } = identityOf(await resolveId(definition, session, prior));
    const refused = await isArchived(definition, session, container);
    return {
      ...kept,
      diagnostics: refused ? [refusal(definition, container)] : removeAgain(definition, prior, undefined),
    };
  } catch (problem) {
    return { diagnostics: session.failures.toDiagnostics(problem) };
  }
}

const refusal = ({ container: kind }: ResourceDefinition, container: number): Diagnostic =>
  error({
    code: "archived_project",
    summary: `The ${kind} is archived`,
    detail:
      `The ${kind} ${container} is archived: its objects can't be destroyed. Unarchive it; or ` +
      "remove this object from the state without destroying it, with this command.",
    action: { kind: "stateRm" },
  });
