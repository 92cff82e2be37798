import { forbidden } from "../http/errors";
import type { Database } from "../store/database";
import type { CallingUser } from "./caller";

/** @throws HttpError 403 if the account may not create groups or subgroups. */
export function requireGroupCreation(user: CallingUser): void {
  if (user.isAdmin) return;
  if (user.external) throw forbidden("External users may not create groups");
  if (!user.canCreateGroup) throw forbidden("Your account may not create groups");
}

/**
 * @param ownNamespaceId the caller's personal namespace if the project is created there, where `projects_limit` applies.
 * @throws HttpError 403 if the account may not create projects, or has reached its limit.
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
