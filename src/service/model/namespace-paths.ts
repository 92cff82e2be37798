import type { Database } from "../store/database";

/** A namespace's row id by its full path, of a group or a user. */
export const findNamespaceId = (database: Database, fullPath: string): number | undefined =>
  database.one<{ id: number }>("SELECT id FROM namespaces WHERE full_path = ?", fullPath)?.id;

/** Splits `acme/platform/web` into `acme/platform` and `web`. */
export function splitPath(fullPath: string): { readonly parent: string | undefined; readonly last: string } {
  const slash = fullPath.lastIndexOf("/");
  return slash < 0
    ? { parent: undefined, last: fullPath }
    : { parent: fullPath.slice(0, slash), last: fullPath.slice(slash + 1) };
}

/** What a path segment of a group, project or user may be. */
export const PATH_PATTERN = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;

/** A path made of a name, as the platform does where none was given. */
export const pathFromName = (name: string): string =>
  name
    .normalize("NFKD")
    .replace(/[^A-Za-z0-9_.-]+/g, "-")
    .replace(/^[-.]+|[-.]+$/g, "")
    .toLowerCase();
