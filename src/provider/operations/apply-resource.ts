import type { ResourceDefinition } from "../definition";
import { toDiagnostics } from "../problems";
import type { ApplyRequest, ApplyResponse } from "../protocol";
import { createObject } from "./create-object";
import { decided } from "./decided";
import { deleteObject } from "./delete-object";
import { located } from "./located";
import type { Session } from "./session";
import { updateObject } from "./update-object";

/** Creates, updates or deletes one object. */
export async function applyResource(
  definition: ResourceDefinition,
  session: Session,
  { prior: stored, planned, config }: ApplyRequest,
): Promise<ApplyResponse> {
  if (stored === undefined) return createObject(definition, session, planned!, config!);
  let prior = stored;
  try {
    prior = await located(definition, session, stored);
  } catch (problem) {
    return { state: stored, diagnostics: toDiagnostics(problem) };
  }
  return planned === undefined || config === undefined
    ? deleteObject(definition, session, prior)
    : updateObject(definition, session, prior, planned, decided(definition, planned, config));
}
