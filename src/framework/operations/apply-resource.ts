import { isWhollyKnown, type ValueObject } from "../../schema";
import type { ResourceDefinition } from "../definition/definition";
import type { ApplyRequest, ApplyResponse, StoredState } from "../protocol/protocol";
import { createObject } from "./create-object";
import { deleteObject } from "./delete-object";
import { holding } from "./expected-changes";
import { resolveId } from "./resource-identity";
import type { Session } from "./session";
import { updateObject } from "./update-object";

/**
 * The configuration that an apply must establish: the planned value if it differs from the configured one
 * because of `ignore_changes` (a host plans with the prior value, and applies with the configuration as
 * written). Omitted optional attributes stay omitted.
 */
const effectiveConfig = (
  { attributes }: ResourceDefinition,
  planned: StoredState,
  config: ValueObject,
): ValueObject =>
  Object.fromEntries(
    Object.entries(config).map(([name, written]) => {
      const value = planned.attributes[name];
      const presence = attributes[name]?.presence;
      const isManaged = written !== null || presence === "required" || presence === "optional";
      return [name, isManaged && value !== undefined && isWhollyKnown(value) ? value : written];
    }),
  );

/** Creates, updates or deletes one object. */
export async function applyResource(
  definition: ResourceDefinition,
  session: Session,
  { address, prior: stored, planned, config }: ApplyRequest,
): Promise<ApplyResponse> {
  if (stored === undefined) {
    const declared = { attributes: config!, private: planned!.private };
    return holding(definition, session, { declared, address }, () =>
      createObject(definition, session, planned!, config!, address),
    );
  }
  let prior = stored;
  try {
    prior = await resolveId(definition, session, stored);
  } catch (problem) {
    return { state: stored, diagnostics: session.failures.toDiagnostics(problem) };
  }
  if (planned === undefined || config === undefined) {
    return deleteObject(definition, session, prior, address);
  }
  const kept = { declared: planned, address, object: String(prior.attributes["id"]) };
  return holding(definition, session, kept, () =>
    updateObject(definition, session, prior, planned, effectiveConfig(definition, planned, config)),
  );
}
