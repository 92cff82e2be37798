import { isPlannedAsBefore } from "../../schema";
import type { ResourceDefinition } from "../definition/definition";
import type { PlanRequest, PlanResponse } from "../protocol/protocol";
import { References } from "../references/references";
import { claim } from "./check-plan";
import { identityOf, referencesOf, type Session } from "./session";
import { declaredBy, noteDeclared } from "./state";

/**
 * The plan of an object that stays as it is, the prior state itself, without a request; undefined where that is not certain.
 * Most objects of a large plan are planned here: whatever this says, `planInFull` would say too, or differ in the memory of
 * references alone.
 */
export function planUnchanged(
  definition: ResourceDefinition,
  session: Session,
  { prior, config, address, mayBePrior = false }: PlanRequest,
): PlanResponse | undefined {
  if (prior === undefined || !mayBePrior || !session.host.findsMoves) return undefined;
  if (!isPlannedAsBefore(definition.attributes, prior.attributes, config)) return undefined;
  const { container } = identityOf(prior);
  // The container in the id of an object that was moved from another provider may be a path.
  if (!Number.isSafeInteger(container) || References.notRemovedBy(prior.private).length > 0) return undefined;
  const references = referencesOf(definition, session, prior);
  const declared = references.ifKnown(() => declaredBy(definition, config, references));
  if (declared === undefined) return undefined;
  noteDeclared(definition, config, references);
  if (references.remember() !== prior.private) return undefined;
  if ((definition.check?.(declared, container) ?? []).length > 0) return undefined;
  const planning = { definition, session, prior, address, plannedObject: undefined };
  // Last: it registers what the object owns.
  const diagnostics = claim(planning, declared, container);
  return diagnostics.length > 0
    ? { requiresReplace: [], diagnostics }
    : { planned: prior, requiresReplace: [], diagnostics };
}
