import type { ValueObject } from "../../../src/schema";
import { MEMBER_ROLE } from "../support/world";
import type { Sample } from "./sample";

const ada = "ada+reviews@example.com";

/** Invitations to a project and to a group differ in nothing but where they stand. */
export function invitationSample(within: ValueObject, elsewhere: ValueObject, path: string): Sample {
  const route = `${path.slice(0, path.lastIndexOf("/"))}/:id/invitations`;
  const invitation = `${path}/invitations/${encodeURIComponent(ada)}`;
  return {
    config: {
      ...within,
      email: ada,
      user: null,
      access_level: 30,
      expires_at: "2099-12-31",
      member_role_id: MEMBER_ROLE.reviewer,
      invite_source: "steward",
    },
    variations: {
      ...elsewhere,
      email: "grace@example.com",
      user: "stranger",
      access_level: 20,
      expires_at: "2099-06-30",
      member_role_id: MEMBER_ROLE.releaser,
      invite_source: "another",
    },
    together: { user: { email: null } },
    byHand: {
      access_level: (http) => http("PUT", invitation, { access_level: 20 }),
      expires_at: (http) => http("PUT", invitation, { access_level: 30, expires_at: "2098-01-01" }),
    },
    deleteByHand: (http) => http("DELETE", invitation),
    expectGone: async (http) => expect(await http("GET", `${path}/invitations`)).toEqual([]),
    id: `${path.slice(path.lastIndexOf("/") + 1)}:${ada}`,
    identity: [...Object.keys(within), "email", "user"],
    feature: { name: "invitations", routes: ["invitations", "invitations/:email"] },
    writes: {
      create: { method: "POST", route },
      requestsOfCreate: 1,
      update: { method: "PUT", route: `${route}/:email` },
      destroy: { method: "DELETE", route: `${route}/:email` },
    },
    looksBeforeCreate: 2,
  };
}
