import type { ResourceDefinition } from "../definition/definition";
import type { ApplyRequest, ApplyResponse } from "../protocol/protocol";
import { createObject } from "./create-object";
import { deleteObject } from "./delete-object";
import { effectiveConfig } from "./effective-config";
import { holding } from "./expected-changes";
import { resolveId } from "./resolve-id";
import type { Session } from "./session";
import { updateObject } from "./update-object";

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
