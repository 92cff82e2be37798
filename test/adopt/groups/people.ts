import type { FixtureInput } from "cdktf-provider-steward/testing";

export const TOKENS = { owner: "token-of-the-owner", reader: "token-of-the-reader" } as const;

/** The users of every group: a robot, and an owner with a second, read-only token. */
export const PEOPLE: NonNullable<FixtureInput["users"]> = [
  {
    username: "maya",
    name: "Maya Lindqvist",
    token: TOKENS.owner,
    tokens: [{ token: TOKENS.reader, name: "reader", scopes: ["read_api"] }],
  },
  {
    username: "robot",
    name: "Robot",
  },
];
