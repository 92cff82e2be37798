import { z } from "zod";
import { grantToken, newToken, TOKEN_SCOPES } from "../access/caller";
import { LEVEL } from "../access/roles";
import { administrator, anyone, ofGroup, signedIn } from "../endpoint/authorization";
import { endpoint, inSection, listEndpoint } from "../endpoint/endpoint";
import { found, refused } from "../http/errors";
import { id } from "../http/parameters";
import { findGroup, PATH_PATTERN } from "../model/groups";
import {
  addIdentity,
  basicUser,
  createUser,
  enterpriseUser,
  fullUser,
  removeUser,
  searchUsers,
  selectUsers,
  toBasicUser,
  toEnterpriseUser,
  toFullUser,
  type User,
  updateUser,
  userById,
} from "../model/users";
import { type Database, now, update } from "../store/database";
import { where, whereGiven } from "../store/selection";

const scopes = ["read_user"];

/** A user in a response. Administrators see all fields, and other callers see the public fields. */
const seenUser = z.union([fullUser, basicUser]);

/**
 * One user, by id. All callers see whether a user is a bot, such as the user of an access token
 * (https://docs.gitlab.com/api/users/).
 */
const seenById = z.union([fullUser, basicUser.extend({ bot: z.boolean() }).meta({ id: "PublicUser" })]);

const seenBy =
  (database: Database, isAdmin: boolean, origin: string) =>
  (user: User): z.output<typeof seenUser> =>
    isAdmin ? toFullUser(database, user, origin) : toBasicUser(user, origin);

const userFilters = {
  username: z.string().optional(),
  search: z.string().optional(),
  active: z.boolean().optional(),
  blocked: z.boolean().optional(),
};

/**
 * Returns the conditions for the filters of a request.
 *
 * @param canSeeAddresses whether the search also matches a part of an e-mail address
 */
const filtered = (input: z.output<z.ZodObject<typeof userFilters>>, canSeeAddresses: boolean) => [
  ...whereGiven(input.username, (username) => where("u.username = ?", username)),
  ...whereGiven(input.search, searchUsers(canSeeAddresses)),
  // The value false does not filter.
  ...(input.active === true ? [where("u.state = 'active'")] : []),
  ...(input.blocked === true ? [where("u.state = 'blocked'")] : []),
];

const newTokenRecord = z.object({
  id: z.int(),
  name: z.string(),
  revoked: z.boolean(),
  created_at: z.iso.datetime(),
  scopes: z.array(z.string()),
  user_id: z.int(),
  active: z.boolean(),
  expires_at: z.string().nullable(),
  token: z.string(),
});

export const userEndpoints = inSection("settled: Around the specification", [
  endpoint({
    route: "GET /user",
    summary: "The user that the token belongs to",
    section: "Authenticated user",
    access: signedIn,
    scopes: [...scopes, "openid"],
    answer: fullUser,
    handle: ({ database, caller, origin }) =>
      toFullUser(database, userById(database, caller.user!.id)!, origin),
  }),
  listEndpoint({
    route: "GET /users",
    summary:
      "Users of the instance; `search` matches a part of a name or username, or a whole e-mail address",
    section: "settled: Around the specification; Limits (keyset)",
    access: anyone,
    scopes,
    input: userFilters,
    entry: seenUser,
    keyset: {
      callers: "everybody",
      columns: { id: "u.id", name: "u.name", username: "u.username" },
      sorts: ["asc", "desc"],
    },
    offsetLimit: 50_000,
    handle: ({ database, caller, input, origin }) => {
      const isAdmin = caller.user?.is_admin === 1;
      return selectUsers(database, filtered(input, isAdmin), seenBy(database, isAdmin, origin));
    },
  }),
  endpoint({
    route: "GET /users/:id",
    summary: "One user",
    access: signedIn,
    scopes,
    input: { id: id() },
    answer: seenById,
    handle: ({ database, caller, input, origin }) => {
      const user = found(userById(database, input.id), "User");
      const seesAll = caller.user!.is_admin === 1 || caller.user!.id === user.id;
      if (seesAll) return toFullUser(database, user, origin);
      return { ...toBasicUser(user, origin), bot: user.bot === 1 };
    },
  }),
  ...(["block", "unblock"] as const).map((action) =>
    endpoint({
      route: `POST /users/:id/${action}`,
      summary: action === "block" ? "Block a user" : "Unblock a user",
      access: administrator,
      input: { id: id() },
      answer: z.boolean(),
      handle: ({ database, input }) => {
        const user = found(userById(database, input.id), "User");
        update(database, "users", user.id, { state: action === "block" ? "blocked" : "active" });
        return true;
      },
    }),
  ),
  endpoint({
    route: "POST /users",
    summary: "Add a user; an identity of a group's provider makes it an enterprise user of the group",
    access: administrator,
    input: {
      username: z.string().regex(PATH_PATTERN).max(255),
      name: z.string().min(1).max(255),
      email: z.email().max(255),
      password: z.string().optional(),
      admin: z.boolean().optional(),
      external: z.boolean().optional(),
      bio: z.string().optional(),
      can_create_group: z.boolean().optional(),
      provider: z.string().min(1).optional(),
      extern_uid: z.string().min(1).optional(),
      group_id_for_saml: id().optional(),
    },
    answer: fullUser,
    handle: ({ database, input, origin }) => {
      const { username, name, email, external, can_create_group, provider, extern_uid } = input;
      const { group_id_for_saml: groupId, admin: is_admin, bio } = input;
      const group = groupId === undefined ? undefined : found(findGroup(database, groupId), "Group");
      if (group && group.parent_id !== null) {
        throw refused(400, { group_id_for_saml: ["must be a top-level group"] });
      }
      const user = createUser(database, {
        username,
        name,
        email,
        is_admin,
        external,
        can_create_group,
        profile: { bio },
        enterprise_group_id: group?.id,
      });
      if (provider !== undefined && extern_uid !== undefined) {
        addIdentity(database, user.id, { provider, extern_uid, saml_provider_id: group?.id });
      }
      return toFullUser(database, user, origin);
    },
  }),
  endpoint({
    route: "PUT /users/:id",
    summary: "Change a user; a former username leaves no redirect",
    access: administrator,
    input: {
      id: id(),
      username: z.string().regex(PATH_PATTERN).max(255).optional(),
      name: z.string().min(1).max(255).optional(),
    },
    answer: fullUser,
    handle: ({ database, input, origin }) => {
      const user = found(userById(database, input.id), "User");
      return toFullUser(database, updateUser(database, user, input), origin);
    },
  }),
  endpoint({
    route: "DELETE /users/:id",
    summary:
      "Delete a user with the personal namespace, memberships, and the access levels and approval rules that name the user",
    access: administrator,
    input: { id: id() },
    handle: ({ database, input }) => removeUser(database, found(userById(database, input.id), "User")),
  }),
  endpoint({
    route: "POST /users/:id/personal_access_tokens",
    summary: "Create a token of a user; only this answer contains it",
    access: administrator,
    input: {
      id: id(),
      name: z.string().min(1).max(255),
      scopes: z.array(z.enum(TOKEN_SCOPES)).min(1),
      expires_at: z.iso.date().optional(),
    },
    answer: newTokenRecord.meta({ id: "NewPersonalAccessToken" }),
    handle: ({ database, input: { id: user_id, name, scopes, expires_at } }) => {
      found(userById(database, user_id), "User");
      const token = newToken();
      return {
        id: grantToken(database, { user_id, token, name, scopes, expires_at }),
        name,
        revoked: false,
        created_at: now(),
        scopes,
        user_id,
        active: true,
        expires_at: expires_at ?? null,
        token,
      };
    },
  }),
  endpoint({
    route: "GET /personal_access_tokens/self",
    summary: "Properties of the token of this request",
    access: signedIn,
    scopes,
    answer: newTokenRecord.omit({ created_at: true, token: true }).meta({ id: "PersonalAccessToken" }),
    handle: ({ caller }) => {
      const { expires_at, ...token } = caller.token!;
      const scopes = [...caller.scopes];
      return { ...token, revoked: false, scopes, user_id: caller.user!.id, active: true, expires_at };
    },
  }),
]);

/** Returns the schema of a timestamp with an offset, such as `2026-01-31T10:00:00Z`. */
const moment = () => z.iso.datetime({ offset: true }).transform((text) => new Date(text).toISOString());

export const enterpriseUserEndpoints = inSection("Enterprise users", [
  listEndpoint({
    route: "GET /groups/:id/enterprise_users",
    summary: "Enterprise users of a top-level group",
    access: ofGroup(LEVEL.owner),
    input: {
      ...userFilters,
      created_after: moment().optional(),
      created_before: moment().optional(),
      two_factor: z.enum(["enabled", "disabled"]).optional(),
    },
    entry: enterpriseUser,
    handle: ({ database, target, input, origin }) => {
      if (target.parent_id !== null) throw refused(400, "Must be a top-level group");
      return selectUsers(
        database,
        [
          where("u.enterprise_group_id = ?", target.id),
          ...filtered(input, true),
          ...whereGiven(input.created_after, (after) => where("u.created_at >= ?", after)),
          ...whereGiven(input.created_before, (before) => where("u.created_at <= ?", before)),
          ...whereGiven(input.two_factor, (word) => where("u.two_factor_enabled = ?", word === "enabled")),
        ],
        (user) => toEnterpriseUser(database, user, origin),
      );
    },
  }),
]);
