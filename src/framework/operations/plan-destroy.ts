import { type Diagnostic, type DiagnosticAction, error } from "../../diagnostics";
import type { Value, ValueObject } from "../../schema";
import { isLeftOnDestroy, type Stays } from "../definition/definition";
import { shareOf } from "../ownership/ownership";
import type { Overlap } from "../ownership/shared-ownership";
import type { PlanDestroyRequest, PlanDestroyResponse, StoredState } from "../protocol/protocol";
import { continueWith, type Resolution } from "../protocol/resolution";
import { leavingParts, sharesOf } from "./declared-ownership";
import { removeAgain } from "./hidden-entries";
import { identified } from "./identify";
import { decideWithinStack } from "./leaving-object";
import { isArchived } from "./object-problems";
import { resolveId } from "./resource-identity";
import { identityOf, type ResourceSession } from "./session";

/** The parts of an object to be destroyed that stay declared elsewhere, as far as the run knows. */
async function keptParts(
  session: ResourceSession,
  { prior, address }: Pick<PlanDestroyRequest, "prior" | "address">,
): Promise<Omit<PlanDestroyResponse, "diagnostics">> {
  const { definition, holdings } = session;
  const { own, parts, ending } = await leavingParts(session, prior, address);
  if (own === undefined) return {};
  const { verdict, why, because } = decideWithinStack(session, { parts, ending });
  const [keptBy] = verdict === "forget" ? because : [];
  if (keptBy !== undefined) return { keptBy: keptBy.address };
  if (why === "owner removes") return { removedBy: because.map(({ address }) => address) };
  const deleted = definition.owns?.deleted;
  if (deleted === undefined) return {};
  const adoptedBy = new Set<string>();
  const left = await identified(session, prior, (declared, { container }): ValueObject => {
    const isKept: Stays = (claim) => {
      const keepers = holdings.keepers(shareOf(claim, `${definition.container} ${container}`), ending);
      for (const { address: keeper } of keepers) if (keeper !== undefined) adoptedBy.add(keeper);
      return keepers.length > 0;
    };
    return deleted(declared, prior.attributes, isKept);
  });
  const [first] = adoptedBy;
  if (first === undefined) return {};
  const isAllKept = Object.values(left).every((value) => !Array.isArray(value) || value.length === 0);
  return { ...(isAllKept ? { keptBy: first } : { leaves: left }), adoptedBy: [...adoptedBy] };
}

/**
 * Records that a plan destroys an object, and refuses it if the plan declares the same object. Hosts that
 * find moves themselves are never refused.
 */
export async function refuseDestroyOfDeclared(
  session: ResourceSession,
  prior: StoredState,
  isReplaced: boolean,
): Promise<readonly Diagnostic[]> {
  if (session.isPlanKept) return [];
  const object = String(prior.attributes["id"]);
  const leaving = { type: session.type, object, isImported: false, isReplaced };
  const shares = await sharesOf(session, prior, "takes");
  // The delete finds the parts that this run created, and sends no request for them.
  if (shares.some((share) => session.holdings.isKept(share, leaving))) return [];
  return refusalsOf(session.departures.addDestroy(leaving, shares));
}

/** Records the declaration of a plan, and refuses it if the plan destroys the same object. */
export function refuseDeclarationOfDestroyed(
  session: ResourceSession,
  planned: StoredState,
  object: Value | undefined,
): Resolution<readonly Diagnostic[]> {
  if (session.isPlanKept) return [];
  const isImported = session.imported.has(`${session.definition.type} ${String(object)}`);
  const declared = { type: session.type, object: object?.toString(), isImported };
  return continueWith(sharesOf(session, planned, "has"), (shares) =>
    refusalsOf(session.departures.addDeclared(declared, shares)),
  );
}

function refusalsOf(meeting: Overlap | undefined): readonly Diagnostic[] {
  if (meeting === undefined) return [];
  const { how, action } = remedyOf(meeting);
  return [
    error({
      code: "destroyed_and_declared",
      summary: "Destroyed and declared in one plan",
      detail: [describeOverlap(meeting), "", ...how],
      action,
    }),
  ];
}

const describeOverlap = ({ leaving, declared }: Overlap): string =>
  `The plan destroys ${leaving.type} "${leaving.object}"` +
  (leaving.isReplaced ? " to replace it" : "") +
  (leaving.type === declared.type
    ? " at one address and declares it at another. The destroy would remove a declared object."
    : `, but a ${declared.type} declares a part of it. The destroy would remove that part.`);

/** An interrupted replacement with create_before_destroy leaves the object in the state under a second address. */
const afterReplacement = ({ leaving, declared }: Overlap): string[] =>
  declared.isImported || leaving.isReplaced
    ? []
    : [
        `If a replacement with create_before_destroy was interrupted, remove the address from the state, and import "${leaving.object}" again.`,
        "",
      ];

function remedyOf(meeting: Overlap): { how: string[]; action: DiagnosticAction } {
  const { leaving, declared } = meeting;
  const { type } = leaving;
  if (type !== declared.type) {
    const how = `Remove the ${type} from the state without changing the service:`;
    return { how: [how], action: { kind: "removed", type } };
  }
  if (leaving.object === declared.object && !declared.isImported) {
    const how = "The state contains the object twice. Remove the undeclared address, and keep the object:";
    return { how: [how], action: { kind: "removed", type, id: String(leaving.object) } };
  }
  const where = declared.isImported ? " instead of the import" : "";
  const how = `If only the address changed, declare a moved block${where}:`;
  return { how: [...afterReplacement(meeting), how], action: { kind: "moved", type } };
}

/**
 * Refuses at plan to destroy an object of an archived container, which would fail during apply, or an object
 * that the same plan declares. For an object that is only forgotten, it finds other declarations of its parts.
 */
export async function planDestroy(
  session: ResourceSession,
  { prior, address, isForgotten }: PlanDestroyRequest,
): Promise<PlanDestroyResponse> {
  const { definition } = session;
  if (isForgotten === true) return { ...(await keptParts(session, { prior, address })), diagnostics: [] };
  session.expected.hold(String(prior.attributes["id"]));
  const refusals = await refuseDestroyOfDeclared(session, prior, false);
  if (refusals.length > 0) return { diagnostics: refusals };
  const kept = session.isPlanKept ? await keptParts(session, { prior, address }) : {};
  if (kept.keptBy !== undefined) return { ...kept, diagnostics: [] };
  // If the container can't be read now, apply reports it.
  if (isLeftOnDestroy(definition, prior.attributes) || !session.isConnected)
    return { ...kept, diagnostics: [] };
  try {
    const { container } = identityOf(await resolveId(session, prior));
    const isRefused = await isArchived(session, container);
    return {
      ...kept,
      diagnostics: isRefused ? [refusal(session, container)] : removeAgain(definition, prior, undefined),
    };
  } catch (problem) {
    return { diagnostics: session.failures.toDiagnostics(problem) };
  }
}

const refusal = (
  { definition: { container: kind }, lookups }: ResourceSession,
  container: number,
): Diagnostic =>
  error({
    code: "archived_project",
    summary: `The ${kind} is archived`,
    detail: `The ${kind} ${lookups.nameOf(kind, container)} is archived, and its objects can't be destroyed. Unarchive it. To remove the object from the state without destroying it, use this command.`,
    action: { kind: "stateRm" },
  });
