// The company that samples stand in. test/provider/support/world.ts makes a service of it. Ids are fixed, so that samples can name them.

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

/** Custom roles that stand on the level of a Developer. */
export const MEMBER_ROLE = { reviewer: 31, releaser: 32 } as const;

/** The token of each user. */
export const TOKEN = {
  /** Maintainer of everything in the group. */
  maintainer: "token-of-the-maintainer",
  /** Owner of everything in the group: for what is done by hand. */
  owner: "token-of-the-owner",
  /** Maintainer, and may read alone. */
  readOnly: "token-that-only-reads",
  /** Administrator of the instance. */
  administrator: "token-of-the-administrator",
  /** Sees nothing of the group. */
  outsider: "token-of-an-outsider",
} as const;

/** Other projects and groups, as many as a suite makes: what entries of a list name. */
export const CROWD = {
  project: (index: number) => ({ path: `acme/target-${index}`, id: 20_000 + index }),
  group: (index: number) => ({ path: `team-${index}`, id: 10_000 + index }),
} as const;
