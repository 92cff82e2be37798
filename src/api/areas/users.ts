import * as z from "zod/mini";
import { defineArea } from "../calls/area";
import { type CallOptions, hasAskedId, listOperation, operation } from "../calls/operation";
import { flagOrNull, id, text, textOrNull } from "../fields";

/** The fields of a user that every caller can see. */
export const user = z.object({
  id,
  username: text,
  name: textOrNull,
  state: textOrNull,
  avatar_url: textOrNull,
  web_url: textOrNull,
});

const oneUser = z.extend(user, { bot: flagOrNull });

const currentUser = z.extend(user, { email: textOrNull, is_admin: flagOrNull });

const token = z.object({ id, name: textOrNull, scopes: z.array(z.string()), expires_at: textOrNull });

/** A user, with the fields that every caller can see. */
export type User = z.output<typeof user>;
/** The token's user. */
export type CurrentUser = z.output<typeof currentUser>;

/** The filters that all lists of users have. */
export const userFilter = z.strictObject({
  username: z.optional(z.string()),
  search: z.optional(z.string()),
  active: z.optional(z.boolean()),
  blocked: z.optional(z.boolean()),
});

/** Filters of the list of all users. */
export type UserFilter = z.input<typeof userFilter>;

/** The authenticated user (specification, "Authenticated user"), and users by name or id. */
export const users = defineArea(
  "users",
  "Look-ups",
  {
    /** Reads the token's user. Fails with `unauthorized` if the token is not valid. */
    current: operation("GET /user", {
      summary: "Reads the token's user; a success means that the token is valid.",
      section: "Authenticated user",
      answer: currentUser,
    }),
    /**
     * Reads the scopes of the token itself. Some services and some kinds of token do not support this read. The
     * call then fails with `not_found` or `unauthorized`.
     */
    token: operation("GET /personal_access_tokens/self", {
      summary: "Reads the token's own record with its scopes; not supported by every service.",
      section: "Authenticated user",
      answer: token,
    }),
    /**
     * Reads a user by numeric id. `bot` is true for the users of access tokens and service accounts, and null if the
     * service does not return this field. Fails with `not_found` if no user has the id.
     */
    get: operation("GET /users/:user", {
      summary: "Reads a user by id.",
      answer: oneUser,
      isAbout: hasAskedId("user"),
      isUrgent: true,
    }),
    /** Lists users ordered by id. */
    list: listOperation("/users", {
      summary: "Lists users by keyset, ordered by id.",
      parameters: userFilter,
      answer: user,
      pagination: "keyset",
    }),
    byUsername: operation("GET /users", {
      summary: "Finds a user by username.",
      parameters: z.strictObject({ username: text }),
      answer: z.array(user),
      isUrgent: true,
    }),
  },
  ({ byUsername }) => ({
    /** Returns the user who has this username; undefined if the token can't see such a user. */
    byUsername: async (username: string, options?: CallOptions): Promise<User | undefined> => {
      const found = await byUsername({ username }, options);
      return found.find((each) => each.username.toLowerCase() === username.toLowerCase());
    },
  }),
);
