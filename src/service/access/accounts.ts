import { forbidden } from "../http/errors";
import type { Database } from "../store/database";
import type { CallingUser } from "./caller";

/** @throws HttpError 403 for an account that may create no groups, at the top or beneath another. */
export function requireGroupCreation(user: CallingUser): void {
  if (user.isAdmin) return;
  if (user.external) throw forbidden("External users may not create groups");
  if (!user.canCreateGroup) throw forbidden("Your account may not create groups");
}

/**
 * @param ownNamespaceId the caller's own namespace, where the new project is to lie there: its projects are limited.
 * @throws HttpError 403 for an account that may create no project, or none in its own namespace any more.
 */
export function requireProjectCreation(
  database: Database,
  user: CallingUser,
  ownNamespaceId: number | undefined,
): void {
  if (user.isAdmin) return;
  if (user.external) throw forbidden("External users may not create projects");
  if (ownNamespaceId === undefined) return;
  const { count } = database.one<{ count: number }>(
    "SELECT count(*) AS count FROM projects WHERE namespace_id = ?",
    ownNamespaceId,
  )!;
  if (count >= user.projectsLimit) {
    throw forbidden(`Your account has reached its limit of ${user.projectsLimit} projects of its own`);
  }
}
