import { type Diagnostic, type DiagnosticAction, error } from "../../diagnostics";
import { continueWith, type Resolution, type Value, type ValueObject } from "../../schema";
import { isLeftOnDestroy, type Stays } from "../definition/definition";
import { keepersOf, type OwnerThat, shareOf } from "../ownership/owners";
import type {
  ExistingObject,
  PlanDestroyRequest,
  PlanDestroyResponse,
  StoredState,
} from "../protocol/protocol";
import type { Row } from "../table/row";
import {
  decideDeclared,
  decideDestroyed,
  decideWithinStack,
  type Overlap,
  type PlanDecision,
} from "./decide-object";
import { leavingFrom, ownedBy } from "./declared-ownership";
import { removeAgain } from "./hidden-entries";
import { identified, identityOf, resolveId } from "./identity";
import type { ResourceSession } from "./session";

/** For an object to destroy, returns the parts that other declarations keep, as far as the run knows them. */
async function keptParts(
  session: ResourceSession,
  { prior, address }: Pick<PlanDestroyRequest, "prior" | "address">,
): Promise<Omit<PlanDestroyResponse, "diagnostics">> {
  const { definition } = session;
  const owned = await ownedBy(session, prior, "takes");
  if (owned.identity === undefined) return {};
  const leaving = leavingFrom(address, session, prior);
  const { verdict, why, because } = decideWithinStack(session, owned, leaving);
  const [keptBy] = verdict === "forget" ? because : [];
  if (keptBy !== undefined) return { keptBy: keptBy.address };
  if (why === "owner removes") return { removedBy: because.map(({ address }) => address) };
  const deleted = definition.owns?.deleted;
  if (deleted === undefined) return {};
  const adoptedBy = new Set<string>();
  const left = await identified(session, prior, (declared, { container }): ValueObject => {
    const isKept: Stays = (claim) => {
      const share = shareOf(claim, `${definition.container} ${container}`);
      const keepers = keepersOf(session, { shares: [share] }, leaving);
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
 * Records that a plan destroys an object. Returns an error if the plan also declares this object. A host that stores the whole
 * plan gets an empty result, because it makes this decision itself.
 */
export async function refuseDestroyOfDeclared(
  session: ResourceSession,
  prior: StoredState,
  isReplaced: boolean,
): Promise<readonly Diagnostic[]> {
  if (session.isPlanKept) return [];
  const object = String(prior.attributes["id"]);
  const owned = await ownedBy(session, prior, "takes");
  const destroyed: OwnerThat<"destroy"> = { does: "destroy", type: session.type, object, isReplaced };
  // Another declaration keeps the object or a part of it. The delete finds this declaration, and does not remove the kept parts.
  if (keepersOf(session, owned, destroyed).length > 0) return [];
  return refusalsOf(decideDestroyed(session, destroyed, owned));
}

/** The facts that a plan found about a declaration: its object, the planned change, and a live object that blocks the create. */
interface Findings extends Partial<Pick<Row, "difference">> {
  readonly object: Value | undefined;
  readonly existing?: ExistingObject | undefined;
}

/**
 * Records that a plan declares an object. Returns an error if the plan also destroys this object, or if a live object blocks the
 * create. A host that stores the whole plan gets only the error about the live object.
 */
export function refuseDeclared(
  session: ResourceSession,
  planned: StoredState,
  { object, existing, difference = "none" }: Findings,
): Resolution<readonly Diagnostic[]> {
  if (session.isPlanKept) return existing === undefined ? [] : [existing.problem];
  const { definition, imported, type } = session;
  const isImported = imported.has(`${definition.type} ${String(object)}`);
  const declared = { does: "declare", type, object: object?.toString(), isImported } as const;
  const live = existing === undefined ? {} : { live: "present" as const };
  return continueWith(ownedBy(session, planned, "has"), (owned) =>
    refusalsOf(decideDeclared(session, declared, owned, { difference, ...live }), existing),
  );
}

/**
 * Returns the errors for a decision that the host can't carry out, because it can only create, change and delete objects. A host
 * that stores the whole plan gets no such errors.
 */
function refusalsOf(decision: PlanDecision, existing?: ExistingObject): readonly Diagnostic[] {
  const { overlap, verdict } = decision;
  if (overlap === undefined) return verdict === "refuse" && existing !== undefined ? [existing.problem] : [];
  const { how, action } = remedyOf(decision, overlap);
  return [
    error({
      code: "destroyed_and_declared",
      summary: "Destroyed and declared in one plan",
      detail: [describeOverlap(overlap), "", ...how],
      action,
    }),
  ];
}

const describeOverlap = ({ destroyed, declared }: Overlap): string =>
  `The plan destroys ${destroyed.type} "${destroyed.object}"` +
  (destroyed.isReplaced ? " to replace it" : "") +
  (destroyed.type === declared.type
    ? " at one address and declares it at another. The destroy would remove a declared object."
    : `, but a ${declared.type} declares a part of it. The destroy would remove that part.`);

/**
 * Returns advice for the case that a replacement with create_before_destroy was interrupted. After the interruption, the state
 * contains the object at a second address.
 */
const afterReplacement = ({ destroyed, declared }: Overlap): string[] =>
  declared.isImported || destroyed.isReplaced
    ? []
    : [
        `If a replacement with create_before_destroy was interrupted, remove the address from the state, and import "${destroyed.object}" again.`,
        "",
      ];

/** Returns the advice for the user: the block to add to the code, so that the host can carry out the decision. */
function remedyOf(
  { verdict }: PlanDecision,
  overlap: Overlap,
): { readonly how: string[]; readonly action: DiagnosticAction } {
  const { type, object } = overlap.destroyed;
  if (verdict === "move") {
    const where = overlap.declared.isImported ? " instead of the import" : "";
    const how = `If only the address changed, declare a moved block${where}:`;
    return { how: [...afterReplacement(overlap), how], action: { kind: "moved", type } };
  }
  if (verdict === "forget") {
    const how = "The state contains the object twice. Remove the undeclared address, and keep the object:";
    return { how: [how], action: { kind: "removed", type, id: String(object) } };
  }
  const how = `Remove the ${type} from the state without changing the service:`;
  return { how: [how], action: { kind: "removed", type } };
}

/**
 * Plans the destroy of an object. Returns an error if the plan also declares the object. Also returns an error if the container
 * is archived, because the apply would fail. The result also contains the parts of the object that other declarations keep.
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
  // A container that can't be read now causes no error in the plan. The apply reports the error.
  if (isLeftOnDestroy(definition, prior.attributes) || !session.isConnected)
    return { ...kept, diagnostics: [] };
  try {
    const { container } = identityOf(await resolveId(session, prior));
    const isRefused = await session.lookups.isArchived(definition.container, container);
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
