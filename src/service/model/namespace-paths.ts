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

/** Valid path segments of groups, projects and users. */
export const PATH_PATTERN = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;

/** Derives a path from a name. */
export const pathFromName = (name: string): string =>
  name
    .normalize("NFKD")
    .replace(/[^A-Za-z0-9_.-]+/g, "-")
    .replace(/^[-.]+|[-.]+$/g, "")
    .toLowerCase();
