import { z } from "zod";
import { grantToken, newToken, TOKEN_SCOPES } from "../access/caller";
import { LEVEL } from "../access/roles";
import { administrator, anyone, ofGroup, signedIn } from "../endpoint/authorization";
import { endpoint, inSection, listEndpoint } from "../endpoint/endpoint";
import { notFound, refused } from "../http/errors";
import { id } from "../http/parameters";
import { findGroup, PATH_PATTERN } from "../model/groups";
import {
  addIdentity,
  createUser,
  searchUsers,
  selectUsers,
  stateFilters,
  type User,
  userById,
} from "../model/users";
import {
  basicUser,
  enterpriseUser,
  fullUser,
  toBasicUser,
  toEnterpriseUser,
  toFullUser,
} from "../records/users";
import type { Database } from "../store/database";
import { where, whereGiven } from "../store/selection";

const userScopes = ["read_user"];

const currentUser = endpoint({
  method: "GET",
  path: "/user",
  summary: "The user that the token belongs to",
  section: "Authenticated user",
  access: signedIn,
  scopes: [...userScopes, "openid"],
  answer: fullUser,
  handle: ({ database, caller, origin }) =>
    toFullUser(database, userById(database, caller.user!.id)!, origin),
});

/** Administrators see all fields of users; others see the public ones. */
const seenUser = z.union([fullUser, basicUser]);

const seenBy =
  (database: Database, isAdmin: boolean, origin: string) =>
  (user: User): z.output<typeof seenUser> =>
    isAdmin ? toFullUser(database, user, origin) : toBasicUser(user, origin);

const listUsers = listEndpoint({
  method: "GET",
  path: "/users",
  summary: "Users of the instance; `search` matches a part of a name or username, or a whole e-mail address",
  section: "settled: Around the specification; Limits (keyset)",
  access: anyone,
  scopes: userScopes,
  input: {
    username: z.string().optional(),
    search: z.string().optional(),
    active: z.boolean().optional(),
    blocked: z.boolean().optional(),
  },
  entry: seenUser,
  keyset: {
    callers: "everybody",
    columns: { id: "u.id", name: "u.name", username: "u.username" },
    sorts: ["asc", "desc"],
  },
  offsetLimit: 50_000,
  handle: ({ database, caller, input, origin }) =>
    selectUsers(
      database,
      [
        ...whereGiven(input.username, (username) => where("u.username = ?", username)),
        ...whereGiven(input.search, searchUsers(caller.user?.isAdmin === true)),
        ...stateFilters(input),
      ],
      seenBy(database, caller.user?.isAdmin === true, origin),
    ),
});

const getUser = endpoint({
  method: "GET",
  path: "/users/:id",
  summary: "One user",
  access: signedIn,
  scopes: userScopes,
  input: { id: id() },
  answer: seenUser,
  handle: ({ database, caller, input, origin }) => {
    const user = userById(database, input.id);
    if (user === undefined) throw notFound("User");
    return seenBy(database, caller.user!.isAdmin || caller.user!.id === user.id, origin)(user);
  },
});

const newUser = endpoint({
  method: "POST",
  path: "/users",
  summary: "Add a user; an identity of a group's provider makes it an enterprise user of the group",
  access: administrator,
  status: 201,
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
    const group =
      input.group_id_for_saml === undefined
        ? undefined
        : findGroup(database, String(input.group_id_for_saml));
    if (input.group_id_for_saml !== undefined && group === undefined) throw notFound("Group");
    if (group !== undefined && group.parentId !== null) {
      throw refused(400, { group_id_for_saml: ["must be a top-level group"] });
    }
    const user = createUser(database, {
      username: input.username,
      name: input.name,
      email: input.email,
      isAdmin: input.admin,
      external: input.external,
      canCreateGroup: input.can_create_group,
      profile: input.bio === undefined ? {} : { bio: input.bio },
      enterpriseGroupId: group?.id,
    });
    if (input.provider !== undefined && input.extern_uid !== undefined) {
      addIdentity(database, user.id, {
        provider: input.provider,
        extern_uid: input.extern_uid,
        saml_provider_id: group?.id ?? null,
      });
    }
    return toFullUser(database, user, origin);
  },
});

const newPersonalToken = endpoint({
  method: "POST",
  path: "/users/:id/personal_access_tokens",
  summary: "Create a token of a user; only this answer contains it",
  access: administrator,
  status: 201,
  input: {
    id: id(),
    name: z.string().min(1).max(255),
    scopes: z.array(z.enum(TOKEN_SCOPES)).min(1),
    expires_at: z.iso.date().optional(),
  },
  answer: z
    .object({
      id: z.int(),
      name: z.string(),
      revoked: z.boolean(),
      created_at: z.iso.datetime(),
      scopes: z.array(z.string()),
      user_id: z.int(),
      active: z.boolean(),
      expires_at: z.string().nullable(),
      token: z.string(),
    })
    .meta({ id: "NewPersonalAccessToken" }),
  handle: ({ database, input }) => {
    if (userById(database, input.id) === undefined) throw notFound("User");
    const token = newToken();
    const tokenId = grantToken(database, {
      userId: input.id,
      token,
      name: input.name,
      scopes: input.scopes,
      expiresAt: input.expires_at,
    });
    return {
      id: tokenId,
      name: input.name,
      revoked: false,
      created_at: new Date().toISOString(),
      scopes: input.scopes,
      user_id: input.id,
      active: true,
      expires_at: input.expires_at ?? null,
      token,
    };
  },
});

const ownToken = endpoint({
  method: "GET",
  path: "/personal_access_tokens/self",
  summary: "Properties of the token of this request",
  access: signedIn,
  scopes: [...userScopes],
  answer: z
    .object({
      id: z.int(),
      name: z.string(),
      revoked: z.boolean(),
      scopes: z.array(z.string()),
      user_id: z.int(),
      active: z.boolean(),
      expires_at: z.string().nullable(),
    })
    .meta({ id: "PersonalAccessToken" }),
  handle: ({ caller }) => {
    const { id: tokenId, name, expiresAt } = caller.token!;
    return {
      id: tokenId,
      name,
      revoked: false,
      scopes: [...caller.scopes],
      user_id: caller.user!.id,
      active: true,
      expires_at: expiresAt,
    };
  },
});

export const userEndpoints = inSection("settled: Around the specification", [
  currentUser,
  listUsers,
  getUser,
  newUser,
  newPersonalToken,
  ownToken,
]);

/** A timestamp with an offset, such as `2026-01-31T10:00:00Z`. */
const moment = () => z.iso.datetime({ offset: true }).transform((text) => new Date(text).toISOString());

const listEnterpriseUsers = listEndpoint({
  method: "GET",
  path: "/groups/:id/enterprise_users",
  summary: "Enterprise users of a top-level group",
  access: ofGroup(LEVEL.owner),
  input: {
    username: z.string().optional(),
    search: z.string().optional(),
    active: z.boolean().optional(),
    blocked: z.boolean().optional(),
    created_after: moment().optional(),
    created_before: moment().optional(),
    two_factor: z.enum(["enabled", "disabled"]).optional(),
  },
  entry: enterpriseUser,
  handle: ({ database, target, input, origin }) => {
    if (target.parentId !== null) throw refused(400, "Must be a top-level group");
    return selectUsers(
      database,
      [
        where("u.enterprise_group_id = ?", target.id),
        ...whereGiven(input.username, (username) => where("u.username = ?", username)),
        ...whereGiven(input.search, searchUsers(true)),
        ...stateFilters(input),
        ...whereGiven(input.created_after, (after) => where("u.created_at >= ?", after)),
        ...whereGiven(input.created_before, (before) => where("u.created_at <= ?", before)),
        ...whereGiven(input.two_factor, (word) => where("u.two_factor_enabled = ?", word === "enabled")),
      ],
      (user) => toEnterpriseUser(database, user, origin),
    );
  },
});

export const enterpriseUserEndpoints = inSection("Enterprise users", [listEnterpriseUsers]);
