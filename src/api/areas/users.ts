import * as z from "zod/mini";
import { type CallOptions, listOperation, operation, operationsOf } from "../calls/operation";
import { defineArea, type OperationSender } from "../calls/operation-sender";
import { list } from "../calls/pagination";
import { flagOrNull, id, text, textOrNull } from "../fields";

const user = z.object({
  id,
  username: text,
  name: textOrNull,
  state: textOrNull,
  avatar_url: textOrNull,
  web_url: textOrNull,
});

const currentUser = z.object({ ...user.shape, email: textOrNull, is_admin: flagOrNull });

const token = z.object({ id, name: textOrNull, scopes: z.array(z.string()), expires_at: textOrNull });

/** A user, with the fields that everybody sees. */
export type User = z.output<typeof user>;
/** The token's user. */
export type CurrentUser = z.output<typeof currentUser>;

const operations = {
  ...operationsOf("users", "Authenticated user", {
    current: operation({
      summary: "Reads the token's user; a success means that the token is valid.",
      method: "GET",
      path: "/user",
      answer: currentUser,
    }),
    token: operation({
      summary: "Reads the token's own record with its scopes; not supported by every service.",
      method: "GET",
      path: "/personal_access_tokens/self",
      answer: token,
    }),
  }),
  ...operationsOf("users", "Look-ups", {
    get: operation({
      summary: "Reads a user by id.",
      method: "GET",
      path: "/users/:user",
      answer: user,
    }),
    list: listOperation({
      summary: "Lists users by keyset, ordered by id.",
      method: "GET",
      path: "/users",
      parameters: z.strictObject({
        username: z.optional(z.string()),
        search: z.optional(z.string()),
        active: z.optional(z.boolean()),
        blocked: z.optional(z.boolean()),
      }),
      answer: user,
      pagination: "keyset",
      key: (each) => each.id,
    }),
    byUsername: operation({
      summary: "Finds a user by username.",
      method: "GET",
      path: "/users",
      parameters: z.strictObject({ username: text }),
      answer: z.array(user),
    }),
  }),
};

/** Filters of a list of users. */
export type UserFilter = z.input<typeof operations.list.parameters & object>;

/** The authenticated user (section "Authenticated user"), and users by name or id. */
function methods(sender: OperationSender) {
  const all = operations;
  return {
    /** The token's user. `unauthorized` if the token is not valid. */
    current: (options?: CallOptions) => sender.call(all.current, { path: {} }, options),
    /**
     * The token's own scopes. Not supported by every service, nor for every kind of token: `not_found`,
     * `unauthorized`.
     */
    token: (options?: CallOptions) => sender.call(all.token, { path: {} }, options),
    /** A user by numeric id. `not_found` if there is none. */
    get: (user: number, options?: CallOptions) => sender.call(all.get, { path: { user } }, options),
    /** Users ordered by id. */
    list: (parameters: UserFilter = {}, options?: CallOptions) =>
      list(sender, all.list, { path: {}, parameters }, options),
    /** Undefined if no user of that name is visible to this token. */
    byUsername: async (username: string, options?: CallOptions): Promise<User | undefined> => {
      const found = await sender.call(all.byUsername, { path: {}, parameters: { username } }, options);
      return found.find((each) => each.username.toLowerCase() === username.toLowerCase());
    },
  };
}

export const users = defineArea({
  operations: Object.values(operations),
  client: (sender) => ({ users: methods(sender) }),
});
