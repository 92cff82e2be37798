import { UNKNOWN, type ValueObject } from "../../../src/schema";
import { Host } from "../support/host";
import { USER, useWorld } from "../support/world";

// What an invitation can't be is told before anything is sent; what the service refuses, with its own reason.

const world = useWorld();
const host = () => new Host(world(), "steward_project_invitation");
const config = { project: "acme/web", email: "ada@example.com", access_level: 30 };
const withUser = { project: "acme/web", user: "stranger", access_level: 30 };

describe("what fails says why, with the service's reason", () => {
  const failing = async (declared: ValueObject) => {
    const { state, diagnostics } = await host().apply(await host().plan(undefined, declared));
    expect(state).toBeUndefined();
    return diagnostics;
  };

  test("a level below the one that the person got by the group since the plan", async () => {
    const plan = await host().plan(undefined, withUser);
    await world().http("POST", "/groups/11/members", { user_id: USER.stranger, access_level: 40 });
    world().service.requests.reset();
    const { state, diagnostics } = await host().apply(plan);
    expect(state).toBeUndefined();
    expect(diagnostics).toMatchObject([
      { severity: "error", code: "membership_differs", attribute: ["access_level"] },
    ]);
    expect(diagnostics[0]!.detail).toContain(
      "stranger is already a member of the project 1, where access_level is 40",
    );
    expect(world().service.requests.count("POST")).toBe(0);
  });

  test("an address that the service takes for none", async () => {
    const diagnostics = await failing({ ...config, email: "ada@example" });
    expect(diagnostics).toMatchObject([{ code: "invitation_failed", attribute: ["email"] }]);
    expect(diagnostics[0]!.detail).toContain("Invite email is invalid");
  });

  test("a level above the inviter's own", async () => {
    expect(await failing({ ...config, access_level: 50 })).toMatchObject([{ code: "forbidden" }]);
  });

  test("a day that is over", async () => {
    const diagnostics = await failing({ ...config, expires_at: "2020-01-31" });
    expect(diagnostics).toMatchObject([{ code: "bad_request", attribute: ["expires_at"] }]);
  });

  test("a custom role that stands on another level", async () => {
    const diagnostics = await failing({ ...config, access_level: 20, member_role_id: 31 });
    expect(diagnostics).toMatchObject([{ code: "bad_request", attribute: ["member_role_id"] }]);
  });
});

describe("bad values are told before anything is sent", () => {
  test.each<[string, ValueObject, string]>([
    ["neither e-mail nor user", { email: null }, "email"],
    ["both", { user: "devon" }, "email"],
    ["an address without @", { email: "ada.example.com" }, "email"],
    ["two addresses in one", { email: "ada@example.com,bob@example.com" }, "email"],
    ["an address as a user", { email: null, user: "ada@example.com" }, "user"],
    ["a level between two", { access_level: 25 }, "access_level"],
    ["an administrator's level", { access_level: 60 }, "access_level"],
    ["a day that doesn't exist", { expires_at: "2026-02-31" }, "expires_at"],
    ["a leap day of a common year", { expires_at: "2027-02-29" }, "expires_at"],
    ["a timestamp", { expires_at: "2026-12-31T00:00:00Z" }, "expires_at"],
    ["a day in another order", { expires_at: "31-12-2026" }, "expires_at"],
    ["no role's id", { member_role_id: 1.5 }, "member_role_id"],
  ])("%s", (_, change, attribute) => {
    expect(host().validate({ ...config, ...change })).toMatchObject([
      { severity: "error", code: "invalid_value", attribute: [attribute] },
    ]);
  });

  test.each<[string, ValueObject]>([
    ...[0, 5, 10, 15, 20, 30, 40, 50].map((access_level): [string, ValueObject] => [
      `level ${access_level}`,
      { access_level },
    ]),
    ["a + in an address", { email: "ada+steward@example.com" }],
    ["a leap day", { expires_at: "2028-02-29" }],
    ["an address that is not known yet", { email: UNKNOWN }],
    ["a user that may turn out to be null", { user: UNKNOWN }],
  ])("%s is right", (_, change) => {
    expect(host().validate({ ...config, ...change })).toEqual([]);
  });
});
