import { z } from "zod";
import { LEVEL } from "../access/roles";
import { refused } from "../http/errors";
import { date } from "../http/parameters";
import {
  type Database,
  insert,
  type NewRow,
  now,
  readSetting,
  refuseDuplicates,
  writeSetting,
} from "../store/database";
import { type Condition, containing, loadInOrder, type Selection, where } from "../store/selection";
import { insertNamespace } from "./groups";

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
  /** JSON of `Profile`. */
  readonly profile: string;
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

export type Profile = z.output<typeof profileSchema>;

const userBy =
  <Value extends number | string>(column: "id" | "username" | "email") =>
  (database: Database, value: Value): User | undefined =>
    database.one(`SELECT * FROM users WHERE ${column} = ?`, value);

export const userById = userBy<number>("id");
export const userByName = userBy<string>("username");
export const userByEmail = userBy<string>("email");

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
    isDescending: true,
    load: loadInOrder(database, "SELECT * FROM users", "id", entryOf),
  };
}

/**
 * Matches users whose name or username contains a text, or whose e-mail address equals it. Only callers who see addresses
 * anyway may search for a part of one: others could guess addresses letter by letter.
 */
export const searchUsers =
  (canSeeAddresses: boolean) =>
  (text: string): Condition => {
    if (canSeeAddresses) return containing(text, "u.name", "u.username", "u.email");
    const { sql, values } = containing(text, "u.name", "u.username");
    return where(`${sql} OR u.email = ?`, ...values, text);
  };

export type NewUser = NewRow<Omit<User, "profile" | "confirmed_at">, "username" | "name" | "email"> & {
  readonly profile?: Profile | undefined;
  /** Default: true. */
  readonly confirmed?: boolean;
};

/** @throws HttpError 409 where the username or the e-mail address is taken. */
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
  // Ownership of the personal namespace is a membership too, so that roles have a single source.
  const owner = { group_id: namespace_id, user_id: id, access_level: LEVEL.owner };
  insert(database, "members", { ...owner, created_at: now() });
  return userById(database, id)!;
}

interface Identity {
  readonly provider: string;
  readonly extern_uid: string;
  readonly saml_provider_id: number | null;
}

export const identitiesOf = (database: Database, userId: number): Identity[] =>
  database.all(
    "SELECT provider, extern_uid, saml_provider_id FROM identities WHERE user_id = ? ORDER BY provider, extern_uid",
    userId,
  );

/** @throws HttpError 409 if another user has this identity. */
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

export const scimIdentitiesOf = (database: Database, userId: number) =>
  database
    .all<{ extern_uid: string; group_id: number; active: number }>(
      "SELECT extern_uid, group_id, active FROM scim_identities WHERE user_id = ? ORDER BY group_id, extern_uid",
      userId,
    )
    .map((row) => ({ ...row, active: row.active === 1 }));

export const PROMOTIONS = "enable_member_promotion_management";

/** Whether an administrator must approve promotions of existing users to a billable role. */
export const isPromotionApprovalNeeded = (database: Database): boolean =>
  readSetting(database, PROMOTIONS) === true;

export const setPromotionsNeedApproval = (database: Database, isApprovalRequired: boolean): void =>
  writeSetting(database, PROMOTIONS, isApprovalRequired);
