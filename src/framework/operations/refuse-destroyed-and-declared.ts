import { type Diagnostic, type DiagnosticAction, error } from "../../diagnostics";
import type { Value } from "../../schema";
import type { ResourceDefinition } from "../definition/definition";
import type { Overlap } from "../ownership/planned-destroys";
import type { StoredState } from "../protocol/protocol";
import type { Session } from "./session";
import { sharesOf } from "./shares-of";

/**
 * Notes that a plan destroys an object, and refuses it where the plan declares the same one as well. Hosts that find
 * moves by themselves are not refused anything.
 */
export async function refuseDestroyOfDeclared(
  definition: ResourceDefinition,
  session: Session,
  prior: StoredState,
  isReplaced: boolean,
): Promise<readonly Diagnostic[]> {
  if (session.host.findsMoves) return [];
  const object = String(prior.attributes["id"]);
  const leaving = { type: session.typeOf(definition), object, isImported: false, isReplaced };
  const shares = await sharesOf(definition, session, prior, "takes");
  // What this very run has made of it is for the deletion to see: it sends nothing.
  if (shares.some((share) => session.holdings.stays(share, leaving))) return [];
  return refusalsOf(session.departures.addDestroy(leaving, shares));
}

/** Notes what a plan declares, and refuses it where the plan destroys the same object as well. */
export async function refuseDeclarationOfDestroyed(
  definition: ResourceDefinition,
  session: Session,
  planned: StoredState,
  object: Value | undefined,
): Promise<readonly Diagnostic[]> {
  if (session.host.findsMoves) return [];
  const isImported = session.imported.has(`${definition.type} ${String(object)}`);
  const declared = { type: session.typeOf(definition), object: object?.toString(), isImported };
  const shares = await sharesOf(definition, session, planned, "has");
  return refusalsOf(session.departures.addDeclared(declared, shares));
}

const refusalsOf = (meeting: Overlap | undefined): readonly Diagnostic[] =>
  meeting === undefined
    ? []
    : [
        error({
          code: "destroyed_and_declared",
          summary: "Destroyed and declared in one plan",
          ...remedyAction(meeting),
        }),
      ];

const describeOverlap = ({ leaving, declared }: Overlap): string =>
  `The plan destroys ${leaving.type} "${leaving.object}"` +
  (leaving.isReplaced ? ", to replace it," : "") +
  (leaving.type === declared.type
    ? " at one address and declares it at another. Destroying it would take away what stays declared."
    : `, and a ${declared.type} declares what belongs to it. Destroying it would take that away.`);

function remedyAction(meeting: Overlap): { detail: string[]; action: DiagnosticAction } {
  const { leaving, declared } = meeting;
  const { type } = leaving;
  const told = (how: string): string[] => [describeOverlap(meeting), "", how];
  if (type !== declared.type) {
    return {
      detail: told(`Let go of the ${type}, and keep on the service what it has made:`),
      action: { kind: "removed", type },
    };
  }
  if (leaving.object === declared.object && !declared.isImported) {
    return {
      detail: told("The state holds it twice. Let go of the address that leaves, and keep the object:"),
      action: { kind: "removed", type, id: String(leaving.object) },
    };
  }
  const where = declared.isImported ? " in the place of the import" : "";
  return {
    detail: told(`Where it only has another address now, say so with a moved block${where}:`),
    action: { kind: "moved", type },
  };
}
