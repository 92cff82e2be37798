import { type Diagnostic, type DiagnosticAction, error } from "../../diagnostics";
import type { Value } from "../../schema";
import type { ResourceDefinition } from "../definition/definition";
import type { Overlap } from "../ownership/planned-destroys";
import type { StoredState } from "../protocol/protocol";
import type { Session } from "./session";
import { sharesOf } from "./shares-of";

/**
 * Records that a plan destroys an object, and refuses it if the plan declares the same object. Hosts that
 * find moves themselves are never refused.
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
  // The delete finds out what this run created of it, and sends nothing.
  if (shares.some((share) => session.holdings.stays(share, leaving))) return [];
  return refusalsOf(session.departures.addDestroy(leaving, shares));
}

/** Records what a plan declares, and refuses it if the plan destroys the same object. */
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
    ? " at one address and declares it at another. Destroying it would remove what stays declared."
    : `, and a ${declared.type} declares a part of it. Destroying it would remove that part.`);

/** A replacement with create_before_destroy that broke off leaves the object in the state, beside its address. */
const afterReplacement = ({ leaving, declared }: Overlap): string[] =>
  declared.isImported || leaving.isReplaced
    ? []
    : [
        `If a replacement with create_before_destroy broke off, remove the address from the state, and import "${leaving.object}" to it again.`,
        "",
      ];

function remedyAction(meeting: Overlap): { detail: string[]; action: DiagnosticAction } {
  const { leaving, declared } = meeting;
  const { type } = leaving;
  const withOverlap = (...how: readonly string[]): string[] => [describeOverlap(meeting), "", ...how];
  if (type !== declared.type) {
    return {
      detail: withOverlap(`Remove the ${type} from the state, and keep what it created on the service:`),
      action: { kind: "removed", type },
    };
  }
  if (leaving.object === declared.object && !declared.isImported) {
    return {
      detail: withOverlap(
        "The state contains it twice. Remove the address that leaves, and keep the object:",
      ),
      action: { kind: "removed", type, id: String(leaving.object) },
    };
  }
  const where = declared.isImported ? " instead of the import" : "";
  return {
    detail: withOverlap(
      ...afterReplacement(meeting),
      `If it only has another address now, declare that with a moved block${where}:`,
    ),
    action: { kind: "moved", type },
  };
}
