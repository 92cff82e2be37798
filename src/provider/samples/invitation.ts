import type { ValueObject } from "../../schema";
import { MEMBER_ROLE } from "./company";
import { type Example, inPages, type Sample } from "./sample";

const ada = "ada+reviews@example.com";
const list = "invitations";
const address = (index: number) => `person-${index}@example.com`;
const ANY_TEXT = "the service takes any text";

/** Returns the samples of invitations to a project or to a group. These samples differ only in the container. */
export function invitationSample(
  kind: "project" | "group",
  [within, elsewhere]: readonly [string, string],
  container: number,
  example: Example,
): Omit<Sample, "hasHabits"> {
  const route = `/${kind}s/:id/${list}`;
  const change = (at: string) => `${at}/${list}/${encodeURIComponent(ada)}`;
  const config: ValueObject = {
    [kind]: within,
    email: ada,
    user: null,
    access_level: 30,
    expires_at: "2099-12-31",
    member_role_id: MEMBER_ROLE.reviewer,
    invite_source: "steward",
  };
  return {
    example,
    config,
    variations: {
      [kind]: elsewhere,
      email: "grace@example.com",
      user: "stranger",
      access_level: 20,
      expires_at: "2099-06-30",
      member_role_id: MEMBER_ROLE.releaser,
      invite_source: "another",
    },
    together: { user: { email: null } },
    byHand: {
      access_level: (http, at) => http("PUT", change(at), { access_level: 20 }),
      expires_at: (http, at) => http("PUT", change(at), { access_level: 30, expires_at: "2098-01-01" }),
    },
    deleteByHand: (http, at) => http("DELETE", change(at)),
    leaves: { [list]: [] },
    id: `${container}:${ada}`,
    identity: [kind, "email", "user"],
    feature: { name: "invitations", routes: [list, `${list}/:email`] },
    writes: {
      create: { method: "POST", route },
      requestsOfCreate: 1,
      update: { method: "PUT", route: `${route}/:email` },
      destroy: { method: "DELETE", route: `${route}/:email` },
    },
    looksBeforeCreate: 2,
    many: {
      config: (index) => ({ email: address(index), access_level: 30 }),
      key: address,
      make: (index) => [list, { email: address(index), access_level: 20 }],
      fixture: (count) => ({
        invitations: Array.from({ length: count }, (_, index) => ({
          email: address(index),
          role: "developer",
        })),
      }),
      list,
      single: `${list} of one`,
      pages: inPages,
    },
    exempt: {
      "random declarations of user": "a user is a member at once, whose terms no invitation changes",
      "random declarations of member_role_id":
        "a custom role has to be there, and goes with the one level that it stands on",
      "bad values of invite_source": ANY_TEXT,
    },
  };
}
