import { refused } from "../http/errors";
import { type Database, readSetting, refuseDuplicates, writeSetting } from "../store/database";
import { type Condition, containing, loadInOrder, type Selection, where } from "../store/selection";
import { insertNamespace } from "./groups";

export interface User {
  readonly id: number;
  readonly username: string;
  readonly name: string;
  readonly email: string;
  readonly state: string;
  readonly isAdmin: number;
  readonly external: number;
  readonly bot: number;
  readonly twoFactorEnabled: number;
  readonly privateProfile: number;
  readonly canCreateGroup: number;
  readonly projectsLimit: number;
  /** JSON of `Profile`. */
  readonly profile: string;
  readonly enterpriseGroupId: number | null;
  readonly createdAt: string;
  readonly confirmedAt: string | null;
}

/** Profile of a user; every field is optional. */
export interface Profile {
  readonly bio?: string | undefined;
  readonly location?: string | undefined;
  readonly public_email?: string | undefined;
  readonly commit_email?: string | undefined;
  readonly skype?: string | undefined;
  readonly linkedin?: string | undefined;
  readonly twitter?: string | undefined;
  readonly website_url?: string | undefined;
  readonly organization?: string | undefined;
  readonly job_title?: string | undefined;
  readonly pronouns?: string | undefined;
  readonly work_information?: string | undefined;
  readonly avatar_url?: string | undefined;
  readonly last_sign_in_at?: string | undefined;
  readonly current_sign_in_at?: string | undefined;
  readonly last_activity_on?: string | undefined;
}

const USERS = `SELECT u.id, u.username, u.name, u.email, u.state, u.is_admin AS isAdmin, u.external, u.bot,
    u.two_factor_enabled AS twoFactorEnabled, u.private_profile AS privateProfile,
    u.can_create_group AS canCreateGroup, u.projects_limit AS projectsLimit, u.profile,
    u.enterprise_group_id AS enterpriseGroupId, u.created_at AS createdAt, u.confirmed_at AS confirmedAt
  FROM users u`;

export const userById = (database: Database, id: number): User | undefined =>
  database.one<User>(`${USERS} WHERE u.id = ?`, id);

export const userByName = (database: Database, username: string): User | undefined =>
  database.one<User>(`${USERS} WHERE u.username = ?`, username);

export const userByEmail = (database: Database, email: string): User | undefined =>
  database.one<User>(`${USERS} WHERE u.email = ?`, email);

/** Users in the order of their ids, newest first. */
export function selectUsers<Entry>(
  database: Database,
  conditions: readonly Condition[],
  entryOf: (user: User) => Entry,
): Selection<Entry> {
  return {
    key: "u.id",
    from: "users u",
    where: conditions,
    order: [],
    descending: true,
    load: loadInOrder<User, Entry>(database, USERS, "u.id", entryOf),
  };
}

/** Conditions on the state of a user. A filter that is false has no effect. */
export const stateFilters = (input: {
  readonly active?: boolean | undefined;
  readonly blocked?: boolean | undefined;
}): readonly Condition[] => [
  ...(input.active === true ? [where("u.state = 'active'")] : []),
  ...(input.blocked === true ? [where("u.state = 'blocked'")] : []),
];

/**
 * Matches users whose name or username contains a text, or whose e-mail address equals it. Only callers who see addresses
 * anyway may search for a part of one: others could guess addresses letter by letter.
 */
export const searchUsers =
  (seesAddresses: boolean) =>
  (text: string): Condition =>
    where(
      `u.name LIKE ? ESCAPE '\\' OR u.username LIKE ? ESCAPE '\\' OR ${
        seesAddresses ? "u.email LIKE ? ESCAPE '\\'" : "u.email = ?"
      }`,
      containing(text),
      containing(text),
      seesAddresses ? containing(text) : text,
    );

export interface NewUser {
  readonly id?: number | undefined;
  readonly username: string;
  readonly name: string;
  readonly email: string;
  readonly state?: string | undefined;
  readonly isAdmin?: boolean | undefined;
  readonly external?: boolean | undefined;
  readonly bot?: boolean | undefined;
  readonly twoFactorEnabled?: boolean | undefined;
  readonly privateProfile?: boolean | undefined;
  readonly canCreateGroup?: boolean | undefined;
  readonly projectsLimit?: number | undefined;
  readonly profile?: Profile | undefined;
  readonly enterpriseGroupId?: number | undefined;
  readonly createdAt?: string | undefined;
  readonly confirmed?: boolean | undefined;
}

/** @throws HttpError 409 where the username or the e-mail address is taken. */
export function createUser(database: Database, user: NewUser): User {
  if (userByName(database, user.username)) throw refused(409, "Username has already been taken");
  if (userByEmail(database, user.email)) throw refused(409, "Email has already been taken");
  const namespaceId = insertNamespace(database, {
    kind: "user",
    name: user.name,
    path: user.username,
    fullPath: user.username,
    visibility: "public",
  });
  const id = insertUser(database, user, namespaceId);
  // Ownership of the personal namespace is a membership too, so that roles have a single source.
  database.run(
    "INSERT INTO members (group_id, user_id, access_level, created_at) VALUES (?, ?, 50, ?)",
    namespaceId,
    id,
    new Date().toISOString(),
  );
  return userById(database, id)!;
}

function insertUser(database: Database, user: NewUser, namespaceId: number): number {
  const createdAt = user.createdAt ?? new Date().toISOString();
  return database.run(
    "INSERT INTO users (id, username, name, email, state, is_admin, external, bot, two_factor_enabled, private_profile, " +
      "can_create_group, projects_limit, profile, namespace_id, enterprise_group_id, created_at, confirmed_at) " +
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    user.id ?? null,
    user.username,
    user.name,
    user.email,
    user.state ?? "active",
    user.isAdmin ?? false,
    user.external ?? false,
    user.bot ?? false,
    user.twoFactorEnabled ?? false,
    user.privateProfile ?? false,
    user.canCreateGroup ?? true,
    user.projectsLimit ?? 100_000,
    JSON.stringify(user.profile ?? {}),
    namespaceId,
    user.enterpriseGroupId ?? null,
    createdAt,
    user.confirmed === false ? null : createdAt,
  ).id;
}

export interface Identity {
  readonly provider: string;
  readonly extern_uid: string;
  readonly saml_provider_id: number | null;
}

export const identitiesOf = (database: Database, userId: number): Identity[] =>
  database.all<Identity>(
    "SELECT provider, extern_uid, saml_provider_id FROM identities WHERE user_id = ? ORDER BY provider, extern_uid",
    userId,
  );

/** @throws HttpError 409 if another user has this identity. */
export function addIdentity(database: Database, userId: number, identity: Identity): void {
  refuseDuplicates(
    () =>
      database.run(
        "INSERT INTO identities (user_id, provider, extern_uid, saml_provider_id) VALUES (?, ?, ?, ?)",
        userId,
        identity.provider,
        identity.extern_uid,
        identity.saml_provider_id,
      ),
    () => refused(409, "Extern uid has already been taken"),
  );
}

export interface ScimIdentity {
  readonly extern_uid: string;
  readonly group_id: number;
  readonly active: boolean;
}

export const scimIdentitiesOf = (database: Database, userId: number): ScimIdentity[] =>
  database
    .all<{ extern_uid: string; group_id: number; active: number }>(
      "SELECT extern_uid, group_id, active FROM scim_identities WHERE user_id = ? ORDER BY group_id, extern_uid",
      userId,
    )
    .map((row) => ({ ...row, active: row.active === 1 }));

export const PROMOTIONS = "enable_member_promotion_management";

/** Whether an administrator must approve promotions of existing users to a billable role. */
export const promotionsNeedApproval = (database: Database): boolean =>
  readSetting(database, PROMOTIONS) === true;

export const setPromotionsNeedApproval = (database: Database, wait: boolean): void =>
  writeSetting(database, PROMOTIONS, wait);
