import { z } from "zod";
import { LEVEL } from "../access/roles";
import { refused } from "../http/errors";
import { date, recordOf } from "../http/parameters";
import {
  type Database,
  insert,
  type NewRow,
  now,
  refuseDuplicates,
  removeRow,
  update,
} from "../store/database";
import { type Condition, containing, loadInOrder, type Selection, where } from "../store/selection";
import { insertNamespace, webAddress, withPathCheck } from "./groups";

export interface User {
  readonly id: number;
  readonly username: string;
  readonly name: string;
  readonly email: string;
  readonly state: string;
  readonly is_admin: number;
  readonly external: number;
  readonly bot: number;
  readonly two_factor_enabled: number;
  readonly private_profile: number;
  readonly can_create_group: number;
  readonly projects_limit: number;
  /** The user's profile (`Profile`) as a JSON text. */
  readonly profile: string;
  /** The id of the personal namespace. */
  readonly namespace_id: number;
  readonly enterprise_group_id: number | null;
  readonly created_at: string;
  readonly confirmed_at: string | null;
}

/** Profile of a user; every field is optional. */
export const profileSchema = z.strictObject({
  bio: z.string().optional(),
  location: z.string().optional(),
  public_email: z.string().optional(),
  commit_email: z.string().optional(),
  skype: z.string().optional(),
  linkedin: z.string().optional(),
  twitter: z.string().optional(),
  website_url: z.string().optional(),
  organization: z.string().optional(),
  job_title: z.string().optional(),
  pronouns: z.string().optional(),
  work_information: z.string().optional(),
  avatar_url: z.string().optional(),
  last_sign_in_at: date().optional(),
  current_sign_in_at: date().optional(),
  last_activity_on: z.iso.date().optional(),
});

type Profile = z.output<typeof profileSchema>;

const userBy =
  <Value extends number | string>(column: "id" | "username" | "email") =>
  (database: Database, value: Value): User | undefined =>
    database.one(`SELECT * FROM users WHERE ${column} = ?`, value);

export const userById = userBy<number>("id");
export const userByName = userBy<string>("username");
export const userByEmail = userBy<string>("email");

/** Selects users by id, the newest first. */
export function selectUsers<Entry>(
  database: Database,
  conditions: readonly Condition[],
  entryOf: (user: User) => Entry,
): Selection<Entry> {
  return {
    key: "u.id",
    from: "users u",
    where: conditions,
    isDescending: true,
    load: loadInOrder(database, "SELECT * FROM users", "id", entryOf),
  };
}

/**
 * Returns a function that creates a search condition: the name or username contains the text, or the e-mail address
 * equals the text. Only callers who can see e-mail addresses may search for a part of an address. Such a search
 * would let all other callers guess an address letter by letter.
 */
export const searchUsers =
  (canSeeAddresses: boolean) =>
  (text: string): Condition => {
    if (canSeeAddresses) return containing(text, "u.name", "u.username", "u.email");
    const { sql, values } = containing(text, "u.name", "u.username");
    return where(`${sql} OR u.email = ?`, ...values, text);
  };

export type NewUser = NewRow<
  Omit<User, "profile" | "confirmed_at" | "namespace_id">,
  "username" | "name" | "email"
> & {
  readonly profile?: Profile | undefined;
  /** Default: true. */
  readonly confirmed?: boolean;
};

/** Creates a user with a personal namespace. @throws HttpError 409 if another user has the username or the e-mail address */
export function createUser(
  database: Database,
  { profile = {}, created_at = now(), confirmed = true, ...user }: NewUser,
): User {
  if (userByName(database, user.username)) throw refused(409, "Username has already been taken");
  if (userByEmail(database, user.email)) throw refused(409, "Email has already been taken");
  const { name, username } = user;
  const namespace_id = insertNamespace(database, {
    kind: "user",
    name,
    path: username,
    full_path: username,
    visibility: "public",
  });
  const id = insert(database, "users", {
    ...user,
    profile: JSON.stringify(profile),
    namespace_id,
    created_at,
    confirmed_at: confirmed ? created_at : undefined,
  });
  // The owner of a personal namespace is also its member, so that all roles come from memberships.
  const owner = { group_id: namespace_id, user_id: id, access_level: LEVEL.owner };
  insert(database, "members", { ...owner, created_at: now() });
  return userById(database, id)!;
}

interface Identity {
  readonly provider: string;
  readonly extern_uid: string;
  readonly saml_provider_id: number | null;
}

/** Adds an identity to a user. @throws HttpError 409 if another user has this identity */
export function addIdentity(
  database: Database,
  userId: number,
  identity: NewRow<Identity, "provider" | "extern_uid">,
): void {
  refuseDuplicates(
    () => insert(database, "identities", { user_id: userId, ...identity }),
    () => refused(409, "Extern uid has already been taken"),
  );
}

/**
 * Changes a user. @throws HttpError 409 if another user has the new username or e-mail address; 400 if a group has the new
 * path
 */
export function updateUser(
  database: Database,
  user: User,
  { username, name }: { readonly username?: string | undefined; readonly name?: string | undefined },
): User {
  if (username !== undefined && username !== user.username) renameUser(database, user, username);
  update(database, "users", user.id, { name });
  return userById(database, user.id)!;
}

/** Renames a user and the personal namespace. The old paths of projects redirect. The old username does not redirect. */
function renameUser(database: Database, user: User, username: string): void {
  const holder = userByName(database, username);
  if (holder !== undefined && holder.id !== user.id) throw refused(409, "Username has already been taken");
  update(database, "users", user.id, { username });
  const change = { name: username, path: username, full_path: username };
  withPathCheck(() => update(database, "namespaces", user.namespace_id, change));
  database.run(
    "INSERT OR REPLACE INTO redirects (full_path, project_id) SELECT ? || '/' || path, id FROM projects WHERE namespace_id = ?",
    user.username,
    user.namespace_id,
  );
}

/**
 * Removes a user with the personal namespace, memberships, access levels and approval rules. Objects that the user
 * created outside the personal namespace stay, without a creator.
 */
export function removeUser(database: Database, user: User): void {
  database.run("UPDATE projects SET creator_id = NULL WHERE creator_id = ?", user.id);
  for (const table of ["members", "invitations"])
    database.run(`UPDATE ${table} SET created_by_id = NULL WHERE created_by_id = ?`, user.id);
  removeRow(database, "users", user.id);
  removeRow(database, "namespaces", user.namespace_id);
}

/** The public fields of a user. */
export const basicUser = z
  .object({
    id: z.int(),
    username: z.string(),
    name: z.string(),
    state: z.string(),
    avatar_url: z.string().nullable(),
    web_url: z.string(),
  })
  .meta({ id: "BasicUser" });

const recordOfBasic = recordOf(basicUser);

export const toBasicUser = (user: User, origin: string) =>
  recordOfBasic({ ...user, ...addressesOf(user, origin) });

/** Returns a record with its author instead of the author's id. */
export const withAuthor = <Row extends { readonly author_id: number }>(
  database: Database,
  origin: string,
  { author_id, ...row }: Row,
) => ({ ...row, author: toBasicUser(userById(database, author_id)!, origin) });

const addressesOf = (user: User, origin: string) => ({
  avatar_url: profileOf(user).avatar_url ?? null,
  web_url: webAddress(origin, user.username),
});

/** Returns the fields of a user's profile that have a value. */
const profileOf = (user: User) => JSON.parse(user.profile) as { readonly [Name in keyof Profile]?: string };

const scimIdentity = z.object({ extern_uid: z.string(), group_id: z.int(), active: z.boolean() });
const recordOfScim = recordOf(scimIdentity);

const text = () => z.string().nullable();

/** All fields of a user except `is_admin` (specification, Enterprise user). */
export const enterpriseUser = basicUser
  .extend({
    created_at: z.iso.datetime(),
    bio: text(),
    location: text(),
    public_email: text(),
    skype: text(),
    linkedin: text(),
    twitter: text(),
    website_url: text(),
    organization: text(),
    job_title: text(),
    pronouns: text(),
    bot: z.boolean(),
    work_information: text(),
    followers: z.int(),
    following: z.int(),
    local_time: text(),
    last_sign_in_at: text(),
    confirmed_at: z.iso.datetime().nullable(),
    last_activity_on: text(),
    email: z.string(),
    theme_id: z.int(),
    color_scheme_id: z.int(),
    projects_limit: z.int(),
    current_sign_in_at: text(),
    identities: z.array(
      z.object({ provider: z.string(), extern_uid: z.string(), saml_provider_id: z.int().nullable() }),
    ),
    can_create_group: z.boolean(),
    can_create_project: z.boolean(),
    two_factor_enabled: z.boolean(),
    external: z.boolean(),
    private_profile: z.boolean(),
    commit_email: z.string(),
    shared_runners_minutes_limit: z.int().nullable(),
    extra_shared_runners_minutes_limit: z.int().nullable(),
    scim_identities: z.array(scimIdentity),
  })
  .meta({ id: "EnterpriseUser" });

/** The record of `GET /user`, and of any user for an administrator. */
export const fullUser = enterpriseUser.extend({ is_admin: z.boolean() }).meta({ id: "User" });

/** The values of unset fields of a profile. */
const NO_PROFILE = {
  bio: "",
  location: null,
  public_email: "",
  skype: "",
  linkedin: "",
  twitter: "",
  website_url: "",
  organization: null,
  job_title: "",
  pronouns: null,
  work_information: null,
  last_sign_in_at: null,
  last_activity_on: null,
  current_sign_in_at: null,
};

/** Fields of a response with constant values. The service itself does not use these fields. */
const FIXED = {
  followers: 0,
  following: 0,
  local_time: null,
  theme_id: 1,
  color_scheme_id: 1,
  shared_runners_minutes_limit: null,
  extra_shared_runners_minutes_limit: null,
};

const fieldsOf = (database: Database, user: User, origin: string) => ({
  ...FIXED,
  ...NO_PROFILE,
  commit_email: user.email,
  ...profileOf(user),
  ...user,
  ...addressesOf(user, origin),
  identities: database.all<Identity>(
    "SELECT provider, extern_uid, saml_provider_id FROM identities WHERE user_id = ? ORDER BY provider, extern_uid",
    user.id,
  ),
  can_create_group: user.can_create_group === 1 && user.external === 0,
  can_create_project: user.projects_limit > 0 && user.external === 0,
  scim_identities: database
    .all<Parameters<typeof recordOfScim>[0]>(
      "SELECT extern_uid, group_id, active FROM scim_identities WHERE user_id = ? ORDER BY group_id, extern_uid",
      user.id,
    )
    .map(recordOfScim),
});

const recordOfEnterprise = recordOf(enterpriseUser);
const recordOfFull = recordOf(fullUser);

export const toEnterpriseUser = (database: Database, user: User, origin: string) =>
  recordOfEnterprise(fieldsOf(database, user, origin));

export const toFullUser = (database: Database, user: User, origin: string) =>
  recordOfFull(fieldsOf(database, user, origin));
