import { type Diagnostic, type DiagnosticText, error } from "../../diagnostics";
import type { ResourceDefinition } from "../definition";
import type { Identity, Session } from "./session";

/**
 * Whether a 404 means that the object is gone: only where its project or group can still be read, or the token is an
 * administrator's, who sees everything.
 *
 * @throws ApiError where that can't be told
 */
export const isGone = async (
  { container: kind }: ResourceDefinition,
  { lookups }: Session,
  { container }: Identity,
): Promise<boolean> => (await lookups.isReadable(kind, container)) || (await lookups.isAdministrator());

/** What to say where a 404 leaves open whether the object is gone. */
export const rightsLost = (
  { container: kind }: ResourceDefinition,
  session: Pick<Session, "host">,
  { container }: Identity,
): DiagnosticText => ({
  code: "rights_lost",
  summary: "Not visible any more, kept in the state",
  detail:
    `The ${kind} ${container} answers 404: it is gone, or this token may no longer see it. ` +
    "Give the token its rights back; or, if it is gone for good, drop this object with this command.",
  command: { name: session.host.dropCommand },
});

/** Whether the object can't be changed, because its project is archived. @throws ApiError */
export const isArchived = async (
  { container: kind }: ResourceDefinition,
  { lookups }: Session,
  container: number,
): Promise<boolean> => kind === "project" && (await lookups.isArchived(container));

export const archivedRefusal = (attribute: string, container: number): Diagnostic =>
  error({
    code: "archived_project",
    summary: "The project is archived",
    detail:
      `The project ${container} is archived: its settings can't be changed. ` +
      "Unarchive it, or take this declaration out of the code.",
    attribute: [attribute],
  });
