// The fixture that samples refer to; test/provider/support/world.ts starts a service with it. Ids are fixed so that samples can name them.

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
  /** Maintainer of everything in the group. */
  maintainer: "token-of-the-maintainer",
  /** Owner of everything in the group: for changes outside of the provider. */
  owner: "token-of-the-owner",
  /** Maintainer with a read-only token. */
  readOnly: "token-that-only-reads",
  /** Administrator of the instance. */
  administrator: "token-of-the-administrator",
  /** Has no access to the group. */
  outsider: "token-of-an-outsider",
} as const;

/** Further projects and groups, as many as a suite needs: the targets of list entries. */
export const CROWD = {
  project: (index: number) => ({ path: `acme/target-${index}`, id: 20_000 + index }),
  group: (index: number) => ({ path: `team-${index}`, id: 10_000 + index }),
} as const;
