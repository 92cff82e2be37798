import type { Caller } from "../access/caller";
import { type Container, LEVEL, roleIn } from "../access/roles";
import { MOVED_WRITES } from "../habits/refused-moved-writes";
import { forbidden, found, HttpError, unauthorized } from "../http/errors";
import { findSeenGroup, type Group } from "../model/groups";
import { findSeenProject, type Project } from "../model/projects";
import { type Choice, chosen, type ServiceSettings } from "../settings/settings";
import type { Database } from "../store/database";

/** A request whose parameters are decoded, but not validated yet. */
export interface IncomingRequest {
  readonly database: Database;
  readonly settings: ServiceSettings;
  readonly caller: Caller;
  /** Whether the method is GET. */
  readonly isRead: boolean;
  /** Parameters of the path, decoded. */
  readonly path: Readonly<Record<string, string>>;
  /** The parameters of query and body. A parameter in the body takes precedence. */
  readonly given: Readonly<Record<string, unknown>>;
  /** The JSON body as it was sent; empty for any other body. */
  readonly text: string;
  /** Path and query as they were sent. */
  readonly url: string;
  /** The requested URL, on the origin that the client used. */
  readonly address: URL;
}

/** The access rule of an endpoint: decides who may call the endpoint, and finds the record of `:id` in the path. */
export interface AccessRule<Target> {
  /** Whether a caller needs no token. */
  readonly isAnonymous: boolean;
  /** The error statuses with which `authorize` refuses requests. */
  readonly refusals: readonly number[];
  /** A sentence about the allowed callers, for the OpenAPI document. */
  readonly who: string;
  /**
   * Returns the record of `:id`, if the caller may use the endpoint.
   *
   * @throws HttpError 401, 403 or 404, or a redirect for a project that moved.
   */
  authorize(incoming: IncomingRequest): Target;
}

export const anyone: AccessRule<void> = {
  isAnonymous: true,
  refusals: [401],
  who: "Everyone, with or without a token.",
  authorize() {},
};

export const signedIn: AccessRule<void> = {
  isAnonymous: false,
  refusals: [401],
  who: "Everyone with a valid token.",
  authorize: requireUser,
};

export const administrator: AccessRule<void> = {
  isAnonymous: false,
  refusals: [401, 403],
  who: "Administrators of the instance.",
  authorize(incoming) {
    requireUser(incoming);
    if (incoming.caller.user?.is_admin !== 1) throw forbidden();
  },
};

function requireUser({ caller }: IncomingRequest): void {
  if (caller.user === undefined) throw unauthorized();
}

const ROLE_NAMES = new Map<number, string>([
  [LEVEL.none, "Everyone who may see"],
  [LEVEL.guest, "At least Guests of"],
  [LEVEL.reporter, "At least Reporters of"],
  [LEVEL.developer, "At least Developers of"],
  [LEVEL.maintainer, "At least Maintainers of"],
  [LEVEL.owner, "Owners of"],
  [LEVEL.administrator, "Administrators of the instance, on"],
]);

const roleAccess = <Target>(
  level: number,
  what: string,
  options: { readonly isAnonymous?: boolean },
  authorize: AccessRule<Target>["authorize"],
): AccessRule<Target> => ({
  isAnonymous: options.isAnonymous ?? false,
  refusals: level === LEVEL.none ? [401, 404] : [401, 403, 404],
  who: `${ROLE_NAMES.get(level)} the ${what}.`,
  authorize(incoming) {
    if (options.isAnonymous !== true) requireUser(incoming);
    return authorize(incoming);
  },
});

/**
 * Returns a rule that finds the project of `:id`, for callers with at least this role. A request for a project that the
 * caller may not see gets a 404. A request with a former path gets the response of `movedTo`. An archived project is
 * read-only, except for endpoints with `isArchivedAllowed`.
 */
export const ofProject = (
  role: number | Choice<number>,
  options: { readonly isAnonymous?: boolean; readonly isArchivedAllowed?: boolean } = {},
): AccessRule<Project> => {
  const usual = typeof role === "number" ? role : role.off;
  return roleAccess(usual, "project", options, (incoming) => {
    const { database, caller, settings, path, isRead } = incoming;
    const { project, isMoved } = found(findSeenProject(database, caller, path["id"] ?? ""), "Project");
    if (isMoved) throw movedTo(incoming, project.id);
    requireRole(incoming, project, typeof role === "number" ? role : chosen(settings, role));
    if (!isRead && project.archived === 1 && options.isArchivedAllowed !== true) {
      throw forbidden("The project is archived and read-only");
    }
    return project;
  });
};

/**
 * Returns a rule that finds the group of `:id`, for callers with at least this role. A request for a group that the
 * caller may not see gets a 404.
 */
export const ofGroup = (level: number, options: { readonly isAnonymous?: boolean } = {}): AccessRule<Group> =>
  roleAccess(level, "group", options, (incoming) => {
    const { database, caller, path } = incoming;
    const group = found(findSeenGroup(database, caller, path["id"] ?? ""), "Group");
    requireRole(incoming, group, level);
    return group;
  });

function requireRole({ database, caller }: IncomingRequest, container: Container, level: number): void {
  if (level > LEVEL.none && roleIn(database, caller, container) < level) throw forbidden();
}

/**
 * Returns the response to a request that names a project by its former path. The response to a read is a 301. For a
 * write, the status depends on a habit of the live platform (`MOVED_WRITES`).
 */
function movedTo(incoming: IncomingRequest, projectId: number): HttpError {
  // The URL is built from the URL that the client sent. `URL` would resolve an encoded `..` that is part of a name.
  const path = incoming.url.replace(/\/projects\/[^/?]+/, `/projects/${projectId}`);
  const location = `${incoming.address.origin}${path}`;
  return incoming.isRead
    ? new HttpError(301, { message: `This resource has been moved permanently to ${location}` }, { location })
    : chosen(incoming.settings, MOVED_WRITES)(location);
}
