import { failureOf } from "./support/failure-of";
import { type Setting, startSetting } from "./support/service";

let setting: Setting;
beforeEach(async () => {
  setting = await startSetting();
});
afterEach(() => setting.close());

describe.each([
  ["projectInvitations", "acme/web"],
  ["groupInvitations", "acme/tools"],
] as const)("%s", (area, target) => {
  test("invitations are created, listed, updated and deleted", async () => {
    const invitations = setting.as("token-of-ann")[area];
    const result = await invitations.create(target, {
      email: ["new+1@example.com", "new+2@example.com"],
      access_level: 20,
      expires_at: "2099-12-31",
      invite_source: "test",
    });
    expect(result).toEqual({ status: "success", failures: [], queued_users: {} });
    const listed = await invitations.list(target).toArray();
    expect(listed.map(({ invite_email }) => invite_email).sort()).toEqual([
      "new+1@example.com",
      "new+2@example.com",
    ]);
    const [found, ...others] = await invitations.list(target, { query: "new+1@example.com" }).toArray();
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      access_level: 20,
      created_by_name: "Ann",
      expires_at: expect.stringMatching(/^2099-12-31T/),
    });

    const changed = await invitations.update(target, "new+1@example.com", {
      access_level: 30,
      expires_at: "",
    });
    expect(changed).toMatchObject({ invite_email: "new+1@example.com", access_level: 30, expires_at: null });
    await invitations.delete(target, "new+1@example.com");
    expect((await failureOf(invitations.delete(target, "new+1@example.com"))).code).toBe("not_found");
    expect(await invitations.list(target).toArray()).toHaveLength(1);
  });

  test("invitations that fail for one address report the reason, and are created for the others", async () => {
    const invitations = setting.admin[area];
    await invitations.create(target, { email: "twice@example.com", access_level: 10 });
    const result = await invitations.create(target, {
      email: ["twice@example.com", "fresh@example.com", "bob@corp.example", "no-address"],
      access_level: 30,
    });
    expect(result.status).toBe("error");
    expect(result.failures.map(({ address, kind }) => [address, kind]).sort()).toEqual([
      ["bob@corp.example", "already_member"],
      ["no-address", "other"],
      ["twice@example.com", "already_invited"],
    ]);
    expect(result.failures.every(({ reason }) => reason.length > 5)).toBe(true);
    const listed = await invitations.list(target, { query: "fresh@example.com" }).toArray();
    expect(listed).toHaveLength(1);
  });

  test("by user id create a member at once", async () => {
    const result = await setting.admin[area].create(target, { user_id: [15, 11], access_level: 20 });
    expect(result.queued_users).toEqual({});
    expect(await setting.admin[area].list(target).toArray()).toEqual([]);
  });

  test.each([
    [{ access_level: 30 }, "email or user_id"],
    [{ email: [], access_level: 30 }, "email or user_id"],
    [{ email: "a@example.com", access_level: 31 }, "0 or 5 or 10"],
  ])("invitations of %j are refused before they are sent", async (given, told) => {
    setting.service.requests.reset();
    const error = await failureOf(setting.admin[area].create(target, given));
    expect(error.code).toBe("invalid_argument");
    expect(error.message).toContain(told);
    expect(setting.service.requests.all).toEqual([]);
  });
});

test("promotions that need an administrator's approval are returned separately", async () => {
  await fetch(`${setting.service.url}/api/v4/application/settings`, {
    method: "PUT",
    headers: { "private-token": setting.service.adminToken, "content-type": "application/json" },
    body: JSON.stringify({ enable_member_promotion_management: true }),
  });
  const result = await setting
    .as("token-of-ann")
    .groupInvitations.create("acme", { user_id: 13, access_level: 30 });
  expect(Object.keys(result.queued_users)).toEqual(["guest"]);
  expect(result.failures).toEqual([]);
});
