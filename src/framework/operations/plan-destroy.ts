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
 * Refuses at plan what the service would refuse halfway through an apply, to destroy something of an archived container,
 * and what would take away what the same plan declares.
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
  // What can't be asked now is found out at apply.
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
      `The ${kind} ${container} is archived: nothing of it can be destroyed. Unarchive it; or let go of this object ` +
      "without destroying it, with this command.",
    action: { kind: "stateRm" },
  });
