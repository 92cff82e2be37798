import { z } from "zod";
import { LEVEL, notExpired, userRoleInGroup } from "../access/roles";
import { ADDRESS_IS } from "../habits/exact-addresses";
import type { InvitationRefusals } from "../habits/invitation-refusals";
import { STORED_ADDRESS } from "../habits/lower-case-invitations";
import { refused } from "../http/errors";
import { chosen, type ServiceSettings } from "../settings/settings";
import { applicationSetting } from "../store/application-settings";
import { type Database, hasRow, insert, type NewRow, now, removeRow } from "../store/database";
import { loadInOrder, type Selection, where, whereGiven } from "../store/selection";
import { type Group, isId } from "./groups";
import { isDirectMember, type NewMember, type Source, setMember, sourceColumn, sourceOf } from "./members";
import type { Project } from "./projects";
import { type User, userByEmail, userById } from "./users";

export interface Invitation {
  readonly id: number;
  readonly project_id: number | null;
  readonly group_id: number | null;
  readonly email: string;
  /** The user whose promotion waits for an administrator; null for an invitation by e-mail. */
  readonly queued_user_id: number | null;
  readonly access_level: number;
  readonly expires_at: string | null;
  readonly member_role_id: number | null;
  readonly created_at: string;
  readonly user_name: string | null;
  readonly created_by_name: string | null;
}

const SELECT_INVITATIONS = `SELECT i.*, q.name AS user_name, c.name AS created_by_name
  FROM invitations i LEFT JOIN users q ON q.id = i.queued_user_id LEFT JOIN users c ON c.id = i.created_by_id`;

export const invitationById = (database: Database, id: number): Invitation | undefined =>
  database.one<Invitation>(`${SELECT_INVITATIONS} WHERE i.id = ?`, id);

export function findInvitation(
  settings: ServiceSettings,
  database: Database,
  source: Source,
  email: string,
): Invitation | undefined {
  const [column, id] = sourceColumn(source);
  const { sql, values } = chosen(settings, ADDRESS_IS)(email);
  return database.one<Invitation>(`${SELECT_INVITATIONS} WHERE i.${column} = ? AND ${sql}`, id, ...values);
}

/**
 * Selects all direct invitations of a project or group, or only the invitations of one address; the oldest comes
 * first.
 */
export function selectInvitations<Entry>(
  settings: ServiceSettings,
  database: Database,
  source: Source,
  email: string | undefined,
  entryOf: (invitation: Invitation) => Entry,
): Selection<Entry> {
  const [column, id] = sourceColumn(source);
  return {
    key: "i.id",
    from: "invitations i",
    where: [where(`i.${column} = ?`, id), ...whereGiven(email, chosen(settings, ADDRESS_IS))],
    load: loadInOrder<Invitation, Entry>(database, SELECT_INVITATIONS, "i.id", entryOf),
  };
}

/** Adds an invitation, or replaces the previous invitation of exactly this address. */
export function setInvitation(
  database: Database,
  source: Source,
  {
    created_at = now(),
    ...invitation
  }: Omit<NewMember, "user_id"> &
    NewRow<Pick<Invitation, "email" | "queued_user_id" | "created_at">, "email">,
): void {
  insert(database, "invitations", { ...source, ...invitation, created_at }, "OR REPLACE ");
}

/** Returns whether an invitation has expired. */
export const isExpired = (invitation: Invitation): boolean =>
  invitation.expires_at !== null && new Date(invitation.expires_at) <= new Date();

const email = z.email().max(255);

/** Returns whether a user has a billable role: above Guest, in any group or project. */
const isBillable = (database: Database, userId: number): boolean =>
  hasRow(
    database,
    `FROM members m LEFT JOIN namespaces n ON n.id = m.group_id
      WHERE m.user_id = ? AND m.access_level > ${LEVEL.guest} AND (n.kind IS NULL OR n.kind = 'group')
        AND ${notExpired("m")}`,
    userId,
  );

/** The values that all invitations of one request have in common. */
interface InvitationRequest {
  readonly database: Database;
  readonly settings: ServiceSettings;
  readonly container: Project | Group;
  readonly terms: Omit<NewMember, "user_id">;
  /**
   * The access level of the caller. An expired invitation is replaced only if the level of the invitation is at most
   * the caller's level.
   */
  readonly callerLevel: number;
  /** The reasons with which the service refuses a second invitation. */
  readonly wording: InvitationRefusals;
}

const QUEUED = "Request queued for administrator approval.";

/**
 * Invites each address and user separately. A failure affects only one invitation, and is reported under the address
 * or username (specification, Invitations and Errors 1).
 *
 * @returns the names that failed, with the reason, and the names that wait for an administrator
 */
export function invite(
  request: InvitationRequest,
  addresses: readonly string[],
  userIds: readonly string[],
): { readonly failed: Map<string, string>; readonly queued: Map<string, string> } {
  const { database } = request;
  const failed = new Map<string, string>();
  const queued = new Map<string, string>();
  const record = (name: string, reason: string | undefined, username = name): void => {
    if (reason === QUEUED) queued.set(username, reason);
    else if (reason !== undefined) failed.set(name, reason);
  };
  for (const address of addresses) {
    const user = userByEmail(database, address);
    if (!email.safeParse(address).success) failed.set(address, "Invite email is invalid");
    else if (user === undefined) record(address, inviteAddress(request, address));
    else record(address, inviteUser(request, user), user.username);
  }
  for (const id of userIds) {
    const user = isId(id) ? userById(database, Number(id)) : undefined;
    if (user === undefined) failed.set(id, "User not found");
    else record(user.username, inviteUser(request, user));
  }
  return { failed, queued };
}

/**
 * Checks whether an existing invitation of this address forbids a new invitation. If a new invitation is allowed,
 * the function removes an expired invitation and returns undefined. If a new invitation is not allowed, the function
 * keeps the existing invitation, and returns the last part of the error's reason.
 */
function conflictReason({ database, settings, container, callerLevel }: InvitationRequest, address: string) {
  const known = findInvitation(settings, database, sourceOf(container), address);
  if (known === undefined) return undefined;
  if (known.access_level > callerLevel) return `, at access level ${known.access_level}, above your own`;
  if (!isExpired(known)) return "";
  removeRow(database, "invitations", known.id);
  return undefined;
}

/** Invites an address. @returns the reason why the address is not invited; undefined if it is invited */
function inviteAddress(request: InvitationRequest, address: string): string | undefined {
  const stored = chosen(request.settings, STORED_ADDRESS)(address);
  const reason = conflictReason(request, stored);
  if (reason !== undefined) return `${request.wording.addressInvited}${reason}`;
  setInvitation(request.database, sourceOf(request.container), { ...request.terms, email: stored });
  return undefined;
}

/**
 * Adds an existing user as a member, or queues the user's promotion if promotions need approval.
 *
 * @returns the reason why the user is not a member; otherwise undefined
 */
function inviteUser(request: InvitationRequest, user: User): string | undefined {
  const { database, container, terms, wording } = request;
  const source = sourceOf(container);
  const parentId = "namespace_id" in container ? container.namespace_id : container.parent_id;
  const level = terms.access_level;
  const reason = conflictReason(request, user.email);
  const inherited = parentId && userRoleInGroup(database, user.id, parentId);
  if (isDirectMember(database, source, user.id)) return "User already exists in source: already a member";
  if (reason !== undefined) return `${wording.userInvited}${reason}`;
  if (inherited && inherited > level) {
    return `Access level should be greater than or equal to the inherited membership of level ${inherited}`;
  }
  if (isApprovalNeeded(database, user, level)) {
    setInvitation(database, source, { ...terms, email: user.email, queued_user_id: user.id });
    return QUEUED;
  }
  setMember(database, source, { user_id: user.id, ...terms });
  return undefined;
}

const isApprovalNeeded = (database: Database, user: User, level: number): boolean =>
  level > LEVEL.guest &&
  user.is_admin === 0 &&
  applicationSetting(database, "enable_member_promotion_management") &&
  !isBillable(database, user.id);

/**
 * Checks the custom role of a membership. @throws HttpError 400 for a custom role of another group, or with another base
 * level
 */
export function checkMemberRole(
  database: Database,
  container: Project | Group,
  memberRoleId: number | undefined,
  level: number,
): void {
  if (memberRoleId === undefined) return;
  const role = database.one<{ base_access_level: number }>(
    `SELECT base_access_level FROM member_roles WHERE id = ? AND (group_id IS NULL OR group_id IN
       (SELECT n.id FROM namespace_ancestors a JOIN namespaces n ON n.id = a.ancestor_id
         WHERE a.namespace_id = ? AND n.parent_id IS NULL))`,
    memberRoleId,
    "namespace_id" in container ? container.namespace_id : container.id,
  );
  if (role === undefined) throw refused(400, { member_role_id: ["is no custom role of this group"] });
  if (role.base_access_level !== level) {
    throw refused(400, {
      member_role_id: [`stands on access level ${role.base_access_level}, which access_level must name`],
    });
  }
}
