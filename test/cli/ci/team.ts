import { TOKENS } from "../support/place";

/** The token of the user who writes comments. */
export const COMMENT_TOKEN = "comment-token-1";

/** A group with three users: an author, a Maintainer who approves, and the user who writes comments. */
export const TEAM = {
  users: [
    { username: "maya", token: TOKENS.maintainer },
    { username: "devon", token: TOKENS.developer },
    { username: "commenter", token: COMMENT_TOKEN },
  ],
  groups: [
    {
      path: "acme",
      members: [
        { user: "maya", role: "maintainer" as const },
        { user: "devon", role: "developer" as const },
        { user: "commenter", role: "reporter" as const },
      ],
    },
  ],
};
