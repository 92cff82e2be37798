import { type Service, startService } from "cdktf-provider-steward/testing";
import { client } from "../client";
import { company, tokenOf } from "../company";

let service: Service;
let send: ReturnType<typeof client>;
beforeEach(async () => {
  const fixture = company();
  fixture.groups![0]!.member_roles = [{ id: 7, name: "Deployer", base_role: "developer" }];
  fixture.groups![0]!.invitations = [
    { email: "late@example.com", role: "reporter", expires_at: "2020-01-31", created_by: "owner" },
  ];
  service = await startService({ fixture });
  send = client(service);
});
afterEach(() => service.close());

interface Entry {
  readonly id: number;
  readonly invite_email: string;
}
const steward = async (path: string, token = service.adminToken) => {
  const response = await fetch(`${service.url}/_steward${path}`, {
    method: "POST",
    headers: { "private-token": token },
  });
  return { status: response.status, body: (await response.json()) as unknown };
};

describe.each([
  ["projects", "/projects/1", 1],
  ["groups", "/groups/101", 101],
])("Invitations: %s", (_, place) => {
  const path = `${place}/invitations`;
  const invite = (json: object, token = service.adminToken) =>
    send("POST", path, { token, json: { access_level: 30, ...json } });
  const pending = async () => (await send("GET", path)).body as Entry[];

  test("settled: POST answers 201; an invitation of an unknown address is pending", async () => {
    const answer = await invite({ email: "new@example.com", expires_at: "2999-12-31" }, tokenOf("owner"));
    expect(answer).toMatchObject({ status: 201, body: { status: "success" } });
    expect(await pending()).toEqual([
      {
        id: expect.any(Number),
        invite_email: "new@example.com",
        created_at: expect.stringMatching(/\.\d{3}Z$/),
        access_level: 30,
        expires_at: "2999-12-31T00:00:00.000Z",
        user_name: null,
        created_by_name: "Owner",
      },
    ]);
  });

  test.each([
    ["one text with commas", { email: "a@example.com, b@example.com" }],
    ["a JSON list", { email: ["a@example.com", "b@example.com"] }],
  ])("several addresses as %s", async (__, json) => {
    await invite(json);
    expect((await pending()).map((entry) => entry.invite_email)).toEqual(["a@example.com", "b@example.com"]);
  });

  test("Errors 1: a failure is reported per address and does not affect the others", async () => {
    await invite({ email: "known@example.com" });
    const answer = await invite({ email: "known@example.com,fresh@example.com,nonsense", user_id: "14,999" });
    expect(answer).toMatchObject({
      status: 201,
      body: {
        status: "error",
        message: {
          "known@example.com": expect.stringContaining("already invited"),
          nonsense: "Invite email is invalid",
          999: "User not found",
        },
      },
    });
    expect((await pending()).map((entry) => entry.invite_email)).toContain("fresh@example.com");
  });

  test("settled: an existing user becomes a member at once, by id or address", async () => {
    expect((await invite({ user_id: 21 })).body).toEqual({ status: "success" });
    expect((await invite({ email: "contractor@example.com" })).body).toEqual({ status: "success" });
    expect(await pending()).toEqual([]);
    expect((await send("GET", `${place}/members`)).body).toMatchObject([
      { username: "outsider", access_level: 30 },
      { username: "contractor", access_level: 30 },
    ]);
    expect((await invite({ user_id: [21] })).body).toMatchObject({
      status: "error",
      message: { outsider: expect.stringContaining("already a member") },
    });
  });

  test("a level below the inherited one is reported as a failure", async () => {
    expect((await invite({ user_id: 15 })).body).toMatchObject({
      status: "error",
      message: { maintainer: expect.stringContaining("inherited") },
    });
  });

  test.each([
    ["a level that is not in the list", { email: "a@example.com", access_level: 35 }],
    ["no level", { email: "a@example.com", access_level: null }],
    ["neither email nor user_id", {}],
    ["an empty email", { email: "" }],
    ["a date that is none", { email: "a@example.com", expires_at: "2999-02-30" }],
    ["a date that is over", { email: "a@example.com", expires_at: "2020-01-01" }],
    ["a custom role that is none", { email: "a@example.com", member_role_id: 999 }],
    ["a custom role on another level", { email: "a@example.com", member_role_id: 7, access_level: 20 }],
  ])("400 for %s", async (__, json) => {
    expect((await invite(json)).status).toBe(400);
    expect(await pending()).toEqual([]);
  });

  test.each([0, 5, 10, 15, 20, 30, 40, 50])("Invitation access levels: %i", async (access_level) => {
    expect((await invite({ email: "a@example.com", access_level })).status).toBe(201);
  });

  test("a custom role of the top-level group is accepted with its base level", async () => {
    const json = { email: "a@example.com", member_role_id: 7, invite_source: "handbook" };
    expect((await invite(json)).body).toEqual({ status: "success" });
  });

  test("`query` is an exact address in any case; empty gives all", async () => {
    await invite({ email: "ada@example.com,adam@example.com" });
    const found = async (query: string) =>
      ((await send("GET", `${path}?query=${query}`)).body as Entry[]).length;
    expect(await found("ADA%40example.com")).toBe(1);
    expect(await found("ada")).toBe(0);
    expect(await found("")).toBe(2);
  });

  test("the list holds direct invitations alone, a page at a time", async () => {
    expect(await pending()).toEqual([]);
    await invite({ email: "a@example.com,b@example.com" });
    const answer = await send("GET", `${path}?per_page=1&page=2`);
    expect(answer.body).toMatchObject([{ invite_email: "b@example.com" }]);
    expect(answer.headers.get("x-total")).toBe("2");
  });

  test("settled: PUT answers 200 with the invitation; without a level it becomes 30", async () => {
    await invite({ email: "a@example.com", access_level: 40, expires_at: "2999-12-31" });
    const one = `${path}/a%40example.com`;
    const answer = await send("PUT", one, { json: { expires_at: "2999-06-30T12:00:00Z" } });
    expect(answer).toMatchObject({
      status: 200,
      body: { invite_email: "a@example.com", access_level: 30, expires_at: "2999-06-30T12:00:00.000Z" },
    });
    expect((await send("PUT", one, { json: { access_level: 20 } })).body).toMatchObject({
      access_level: 20,
      expires_at: "2999-06-30T12:00:00.000Z",
    });
    expect((await send("PUT", one, { json: { expires_at: "" } })).body).toMatchObject({ expires_at: null });
    expect((await send("PUT", one, { json: { access_level: 35 } })).status).toBe(400);
    expect((await send("PUT", `${path}/b%40example.com`, { json: {} })).status).toBe(404);
  });

  test("settled: DELETE answers 204, then 404", async () => {
    await invite({ email: "a+b@example.com" });
    expect(await send("DELETE", `${path}/a%2Bb%40example.com`)).toMatchObject({
      status: 204,
      body: undefined,
    });
    expect((await send("DELETE", `${path}/a%2Bb%40example.com`)).status).toBe(404);
  });

  test("acceptance makes a member, with an account where there is none", async () => {
    await invite({ email: "new.person@example.com", access_level: 20, expires_at: "2999-12-31" });
    const [{ id }] = (await pending()) as [Entry];
    expect((await steward(`/invitations/${id}/approve`)).status).toBe(409);
    expect((await steward(`/invitations/${id}/accept`, tokenOf("owner"))).status).toBe(403);
    expect(await steward(`/invitations/${id}/accept`)).toMatchObject({
      status: 201,
      body: { username: "new.person", access_level: 20 },
    });
    expect(await pending()).toEqual([]);
    expect((await send("GET", `${place}/members`)).body).toMatchObject([
      { username: "new.person", access_level: 20, expires_at: "2999-12-31" },
    ]);
    expect((await steward(`/invitations/${id}/accept`)).status).toBe(404);
  });
});

describe("Invitations: roles", () => {
  test("nobody invites above their own level", async () => {
    const json = { email: "a@example.com", access_level: 50 };
    const token = tokenOf("maintainer");
    expect((await send("POST", "/projects/1/invitations", { token, json })).status).toBe(403);
  });

  test("an invitation that has expired is listed, cannot be accepted, and gives way to a new one", async () => {
    const path = "/groups/100/invitations";
    const [late] = (await send("GET", path)).body as [Entry & { expires_at: string }];
    expect(late).toMatchObject({ invite_email: "late@example.com", expires_at: "2020-01-31T00:00:00.000Z" });
    expect((await steward(`/invitations/${late.id}/accept`)).status).toBe(409);
    const json = { email: "late@example.com", access_level: 30 };
    expect((await send("POST", path, { json })).body).toEqual({ status: "success" });
    expect((await send("GET", path)).body).toMatchObject([{ access_level: 30, expires_at: null }]);
  });
});

describe("Invitations: administrator approval for role promotions", () => {
  const path = "/projects/1/invitations";
  beforeEach(async () => {
    const json = { enable_member_promotion_management: true };
    expect((await send("PUT", "/application/settings", { json })).body).toEqual(json);
  });
  const invite = (user_id: number, access_level = 30) =>
    send("POST", path, { json: { user_id, access_level } });

  test("a promotion into a billable role is queued, and listed under the user's address", async () => {
    expect((await invite(21)).body).toEqual({
      status: "success",
      queued_users: { outsider: expect.stringContaining("administrator approval") },
    });
    expect((await send("GET", path)).body).toMatchObject([
      { invite_email: "outsider@example.com", user_name: "Outsider", access_level: 30 },
    ]);
    expect((await send("GET", "/projects/1/members")).body).toEqual([]);
    expect((await invite(21)).body).toMatchObject({
      status: "error",
      message: { outsider: expect.any(String) },
    });
  });

  test("an approved promotion becomes a membership", async () => {
    await invite(21);
    const [{ id }] = (await send("GET", path)).body as [Entry];
    expect((await steward(`/invitations/${id}/accept`)).status).toBe(409);
    expect((await steward(`/invitations/${id}/approve`)).status).toBe(201);
    expect((await send("GET", "/projects/1/members")).body).toMatchObject([
      { username: "outsider", access_level: 30 },
    ]);
  });

  test("Guests and users who are billable already need no approval", async () => {
    expect((await invite(21, 10)).body).toEqual({ status: "success" });
    expect((await invite(23)).body).toEqual({ status: "success" });
    expect((await send("GET", "/projects/1/members")).body).toHaveLength(2);
  });
});
