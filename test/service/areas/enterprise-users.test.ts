import { type Service, startService } from "cdktf-provider-steward/testing";
import { client } from "../client";
import { company, tokenOf } from "../company";

let service: Service;
let send: ReturnType<typeof client>;
beforeAll(async () => {
  const fixture = company();
  const at = { enterprise_group: "acme" };
  fixture.users!.push(
    {
      ...at,
      username: "ada",
      id: 201,
      name: "Ada Byron",
      created_at: "2024-01-10T12:00:00+02:00",
      two_factor_enabled: true,
    },
    {
      ...at,
      username: "bob",
      id: 202,
      email: "bob_b@acme.example",
      created_at: "2025-06-01",
      state: "blocked",
    },
    {
      ...at,
      username: "eve",
      id: 203,
      created_at: "2026-01-01",
      identities: [{ provider: "group_saml", extern_uid: "eve@idp", saml_provider_id: 10 }],
      scim_identities: [{ group: "acme", extern_uid: "scim-eve", active: true }],
      profile: { job_title: "Tester", location: "Oslo" },
    },
    { username: "elsewhere", enterprise_group: "open-source" },
  );
  service = await startService({ fixture });
  send = client(service);
});
afterAll(() => service.close());

const path = "/groups/acme/enterprise_users";
const found = async (query: string): Promise<string[]> => {
  const answer = await send("GET", `${path}?${query}`);
  expect(answer.status).toBe(200);
  return (answer.body as { username: string }[]).map((user) => user.username).sort();
};

describe("Enterprise users", () => {
  test("the group's own, who need not be members of it", async () => {
    expect(await found("")).toEqual(["ada", "bob", "eve"]);
  });

  test("every field of the record, identities too", async () => {
    const answer = await send("GET", `${path}?username=eve`, { token: tokenOf("owner") });
    expect(answer.body).toEqual([
      {
        id: 203,
        username: "eve",
        name: "eve",
        state: "active",
        avatar_url: null,
        web_url: `${service.url}/eve`,
        created_at: "2026-01-01T00:00:00.000Z",
        bio: "",
        location: "Oslo",
        public_email: "",
        skype: "",
        linkedin: "",
        twitter: "",
        website_url: "",
        organization: null,
        job_title: "Tester",
        pronouns: null,
        bot: false,
        work_information: null,
        followers: 0,
        following: 0,
        local_time: null,
        last_sign_in_at: null,
        confirmed_at: "2026-01-01T00:00:00.000Z",
        last_activity_on: null,
        email: "eve@example.com",
        theme_id: 1,
        color_scheme_id: 1,
        projects_limit: 100_000,
        current_sign_in_at: null,
        identities: [{ provider: "group_saml", extern_uid: "eve@idp", saml_provider_id: 10 }],
        can_create_group: true,
        can_create_project: true,
        two_factor_enabled: false,
        external: false,
        private_profile: false,
        commit_email: "eve@example.com",
        shared_runners_minutes_limit: null,
        extra_shared_runners_minutes_limit: null,
        scim_identities: [{ extern_uid: "scim-eve", group_id: 100, active: true }],
      },
    ]);
  });

  test.each([
    ["username=ada", ["ada"]],
    ["username=ad", []],
    ["search=byron", ["ada"]],
    ["search=bob_b", ["bob"]],
    ["search=bobxb", []],
    ["search=%25", []],
    ["search=example.com", ["ada", "eve"]],
    ["active=true", ["ada", "eve"]],
    ["blocked=true", ["bob"]],
    ["active=true&blocked=true", []],
    ["created_after=2025-06-01T00:00:00Z", ["bob", "eve"]],
    ["created_before=2025-06-01T00:00:00Z", ["ada", "bob"]],
    ["created_before=2024-01-10T12:00:00%2B02:00", ["ada"]],
    ["created_before=2024-01-10T11:59:59%2B02:00", []],
    ["created_after=2024-06-01T00:00:00Z&created_before=2025-12-31T00:00:00Z", ["bob"]],
    ["two_factor=enabled", ["ada"]],
    ["two_factor=disabled", ["bob", "eve"]],
    ["two_factor=disabled&active=true", ["eve"]],
  ])("%s", async (query, usernames) => {
    expect(await found(query)).toEqual(usernames);
  });

  test.each([
    "two_factor=yes",
    "active=1",
    "created_after=yesterday",
    "created_before=2024-01-10T12:00:00+02:00",
  ])("400 for %s", async (query) => {
    expect((await send("GET", `${path}?${query}`)).status).toBe(400);
  });

  test("a page at a time", async () => {
    const answer = await send("GET", `${path}?per_page=2&page=2`);
    expect(answer.body).toHaveLength(1);
    expect(answer.headers.get("x-total")).toBe("3");
  });

  test("a top-level group only; the role comes first", async () => {
    expect((await send("GET", "/groups/acme%2Fplatform/enterprise_users")).status).toBe(400);
    const token = tokenOf("maintainer");
    expect((await send("GET", "/groups/acme%2Fplatform/enterprise_users", { token })).status).toBe(403);
  });

  test("settled: a user made with a group's identity provider is one of them", async () => {
    const json = {
      username: "ivy",
      name: "Ivy",
      email: "ivy@acme.example",
      provider: "group_saml",
      extern_uid: "ivy@idp",
      group_id_for_saml: 103,
    };
    expect((await send("POST", "/users", { json })).status).toBe(201);
    const answer = await send("GET", "/groups/103/enterprise_users?search=ivy");
    expect(answer.body).toMatchObject([
      { username: "ivy", identities: [{ provider: "group_saml", extern_uid: "ivy@idp" }] },
    ]);
  });
});
