import { failureOf } from "./support/failure-of";
import { type Setting, startSetting } from "./support/service";

let setting: Setting;
beforeAll(async () => {
  setting = await startSetting();
});
afterAll(() => setting.close());

test("a user has every field", async () => {
  const [eve] = await setting.as("token-of-ann").enterpriseUsers.list("acme", { username: "eve" }).toArray();
  expect(eve).toMatchObject({
    id: 14,
    username: "eve",
    state: "active",
    created_at: "2026-01-02T03:04:05.000Z",
    two_factor_enabled: true,
    bot: false,
    location: "Bern",
    pronouns: null,
    job_title: "Engineer",
    identities: [{ provider: "group_saml", extern_uid: "eve-uid", saml_provider_id: 5 }],
    scim_identities: [{ extern_uid: "eve-scim", group_id: 101, active: true }],
  });
});

test.each([
  [{}, ["eve", "max"]],
  [{ active: true }, ["eve"]],
  [{ blocked: true }, ["max"]],
  [{ search: "EVE" }, ["eve"]],
  [{ two_factor: "enabled" as const }, ["eve"]],
  [{ created_before: "2026-01-02T03:04:06Z" }, ["eve"]],
  [{ created_after: "2026-01-02T03:04:06Z" }, ["max"]],
])("enterprise users are filtered by %j", async (filter, names) => {
  const list = await setting.admin.enterpriseUsers.list(101, filter).toArray();
  expect(list.map(({ username }) => username).sort()).toEqual(names);
});

test("belong to a top-level group, and only its owners see them", async () => {
  expect((await failureOf(setting.admin.enterpriseUsers.list("acme/tools").toArray())).status).toBe(400);
  const guest = await failureOf(setting.as("token-of-guest").enterpriseUsers.list("acme").toArray());
  expect(guest.code).toMatch(/^(forbidden|not_found)$/);
});
