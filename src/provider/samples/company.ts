// The fixture that samples refer to. test/provider/support/world.ts starts a service with it. Samples name
// the ids, so the ids are fixed.

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
  /** A maintainer of everything in the group. */
  maintainer: "token-of-the-maintainer",
  /** The owner of everything in the group, for changes outside of the provider. */
  owner: "token-of-the-owner",
  /** A maintainer with a read-only token. */
  readOnly: "token-that-only-reads",
  /** An administrator of the instance. */
  administrator: "token-of-the-administrator",
  /** A user without access to the group. */
  outsider: "token-of-an-outsider",
} as const;

/** More projects and groups, as many as a suite needs. They are the targets of list entries. */
export const CROWD = {
  project: (index: number) => ({ path: `acme/target-${index}`, id: 20_000 + index }),
  group: (index: number) => ({ path: `team-${index}`, id: 10_000 + index }),
} as const;
