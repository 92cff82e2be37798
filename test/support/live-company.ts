import type { FixtureInput } from "cdktf-provider-steward/testing";

/** The tokens of a maintainer, and of an owner, who alone sees the group `secret`. */
export const MAINTAINER = "token-of-the-maintainer";
export const OWNER = "token-of-the-owner";

/** What the suites about the live platform's habits begin with. */
export const LIVE_COMPANY: FixtureInput = {
  users: [
    { username: "maya", token: MAINTAINER },
    { username: "oskar", token: OWNER },
  ],
  groups: [
    {
      path: "acme",
      members: [
        { user: "maya", role: "maintainer" },
        { user: "oskar", role: "owner" },
      ],
    },
    { path: "secret", visibility: "private", members: [{ user: "oskar", role: "owner" }] },
  ],
  projects: [
    { path: "acme/web", id: 1, pages: { domains: ["docs.example.com"] } },
    { path: "secret/vault", id: 77, visibility: "private" },
  ],
};
