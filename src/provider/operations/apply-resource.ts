import type { ResourceDefinition } from "../definition";
import type { ApplyRequest, ApplyResponse } from "../protocol";
import { createObject } from "./create-object";
import { deleteObject } from "./delete-object";
import type { Session } from "./session";
import { updateObject } from "./update-object";

/** Creates, updates or deletes one object. */
export async function applyResource(
  definition: ResourceDefinition,
  session: Session,
  { prior, planned, config }: ApplyRequest,
): Promise<ApplyResponse> {
  if (planned === undefined || config === undefined) return deleteObject(definition, session, prior!);
  return prior === undefined
    ? createObject(definition, session, planned, config)
    : updateObject(definition, session, prior, planned, config);
}
