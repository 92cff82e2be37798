// The ids, users and tokens of the test data that samples refer to. test/provider/support/world.ts starts a
// service with this data. The ids are fixed, because samples contain them.

export const PROJECT = { web: 1, tools: 2, runner: 3, docs: 4, hidden: 5, archived: 6, webTwo: 7 } as const;
export const GROUP = { acme: 11, platform: 12, approvers: 13 } as const;
export const USER = {
  maya: 21,
  devon: 22,
  stranger: 23,
  auditor: 24,
  outsider: 25,
  oskar: 26,
  ida: 27,
} as const;

/** Custom roles whose base level is Developer. */
export const MEMBER_ROLE = { reviewer: 31, releaser: 32 } as const;

/** The token of each user. */
export const TOKEN = {
  /** The token of a user with the Maintainer role in the whole group. */
  maintainer: "token-of-the-maintainer",
  /**
   * The token of a user with the Owner role in the whole group. Tests use this token for changes outside of the
   * provider.
   */
  owner: "token-of-the-owner",
  /** The maintainer's read-only token. */
  readOnly: "token-that-only-reads",
  /** The token of an administrator of the instance. */
  administrator: "token-of-the-administrator",
  /** The token of a user without access to the group. */
  outsider: "token-of-an-outsider",
} as const;

/**
 * Functions that return additional projects and groups, by index. The entries of long lists name these projects and
 * groups.
 */
export const CROWD = {
  project: (index: number) => ({ path: `acme/target-${index}`, id: 20_000 + index }),
  group: (index: number) => ({ path: `team-${index}`, id: 10_000 + index }),
} as const;
