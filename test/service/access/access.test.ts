import { type Service, startService } from "cdktf-provider-steward/testing";
import { client } from "../client";
import { company, tokenOf } from "../company";

let service: Service;
let send: ReturnType<typeof client>;
beforeAll(async () => {
  const fixture = company();
  fixture.users!.push({
    username: "tokens",
    admin: true,
    tokens: [
      { token: "token-read-api", scopes: ["read_api"] },
      { token: "token-openid", scopes: ["openid"] },
      { token: "token-read-user", scopes: ["read_user"] },
      { token: "token-registry", scopes: ["read_registry"] },
      { token: "token-expired", expires_at: "2020-01-31" },
      { token: "token-revoked", revoked: true },
      { token: "token-later", expires_at: "2999-01-31" },
    ],
  });
  fixture.groups!.push({
    path: "past",
    members: [{ user: "outsider", role: "owner", expires_at: "2020-01-01" }],
  });
  service = await startService({ fixture });
  send = client(service);
});
afterAll(() => service.close());

describe("Authentication 1: the token comes as PRIVATE-TOKEN or as a bearer token", () => {
  const token = tokenOf("owner");
  test.each([
    ["PRIVATE-TOKEN", { "private-token": token }],
    ["Authorization: Bearer", { authorization: `Bearer ${token}` }],
    ["authorization: bearer, in small letters", { authorization: `bearer ${token}` }],
    ["both at once", { "private-token": token, authorization: `Bearer ${token}` }],
  ])("%s", async (_, headers) => {
    const answer = await send("GET", "/user", { token: null, headers });
    expect(answer).toMatchObject({ status: 200, body: { username: "owner", is_admin: false } });
  });

  test.each([
    ["no token", {}],
    ["a token that nobody has", { "private-token": "unknown" }],
    ["an Authorization header of another kind", { authorization: "Basic b3duZXI6c2VjcmV0" }],
  ])("401 for %s", async (_, headers) => {
    expect(await send("GET", "/user", { token: null, headers })).toMatchObject({
      status: 401,
      body: { message: "401 Unauthorized" },
    });
  });

  test("an invalid token is 401 even if the endpoint needs none", async () => {
    expect((await send("GET", "/templates/platform_ci_ymls", { token: "unknown" })).status).toBe(401);
  });
});

describe("settled: a token has scopes, an expiry and a revoked flag", () => {
  test.each([
    ["token-expired", "is expired"],
    ["token-revoked", "was revoked"],
  ])("401 for %s", async (token, reason) => {
    const answer = await send("GET", "/user", { token });
    expect(answer).toMatchObject({ status: 401, body: { error: "invalid_token" } });
    expect(answer.body).toHaveProperty("error_description", expect.stringContaining(reason));
  });

  test("a token is valid until it expires", async () => {
    expect((await send("GET", "/user", { token: "token-later" })).status).toBe(200);
  });

  test("a write with read_api is 403 insufficient_scope, a read is not", async () => {
    const path = "/projects/1/job_token_scope";
    expect((await send("GET", path, { token: "token-read-api" })).status).toBe(200);
    const answer = await send("PATCH", path, { token: "token-read-api", json: { enabled: true } });
    expect(answer).toMatchObject({ status: 403, body: { error: "insufficient_scope", scope: "api" } });
  });

  test.each([
    ["token-openid", "/user", 200],
    ["token-openid", "/version", 403],
    ["token-read-user", "/user", 200],
    ["token-read-user", "/users", 200],
    ["token-read-user", "/projects/1/job_token_scope", 403],
    ["token-registry", "/user", 403],
  ])("%s on %s: %i", async (token, path, status) => {
    expect((await send("GET", path, { token })).status).toBe(status);
  });

  test("insufficient_scope is answered before anything about the project", async () => {
    const json = { enabled: true };
    const there = await send("PATCH", "/projects/1/job_token_scope", { token: "token-read-api", json });
    const nowhere = await send("PATCH", "/projects/999/job_token_scope", { token: "token-read-api", json });
    expect(nowhere).toMatchObject({ status: there.status, body: there.body });
  });

  test("the token of a blocked user is 403", async () => {
    expect((await send("GET", "/user", { token: tokenOf("blocked") })).status).toBe(403);
  });

  test("tokens are stored as digests only and are in no answer of the API", async () => {
    const user = await send("GET", "/users?username=owner");
    expect(JSON.stringify(user.body)).not.toContain(tokenOf("owner"));
  });
});

describe("a hidden project is 404, a visible one with a lower role is 403", () => {
  const scope = (id: number) => `/projects/${id}/job_token_scope`;
  test.each([
    ["outsider", "a private project", 1, 404],
    ["contractor", "an internal project, as an external user", 5, 404],
    ["outsider", "an internal project", 5, 403],
    ["outsider", "a public project", 4, 403],
    ["guest", "a project of its group", 1, 403],
    ["outsider", "its own project", 6, 200],
    ["owner", "somebody's own project", 6, 404],
  ])("%s on %s", async (username, _, id, status) => {
    expect((await send("GET", scope(id), { token: tokenOf(username) })).status).toBe(status);
  });

  test("a missing and a hidden project answer alike", async () => {
    const token = tokenOf("outsider");
    const hidden = await send("GET", scope(1), { token });
    const missing = await send("GET", scope(999), { token });
    expect(hidden.body).toEqual({ message: "404 Project Not Found" });
    expect(missing.body).toEqual(hidden.body);
  });

  test("invalid parameters are reported only to authorized callers", async () => {
    const json = { enabled: "perhaps" };
    expect((await send("PATCH", scope(1), { token: tokenOf("outsider"), json })).status).toBe(404);
    expect((await send("PATCH", scope(1), { token: tokenOf("developer"), json })).status).toBe(403);
    expect((await send("PATCH", scope(1), { token: tokenOf("maintainer"), json })).status).toBe(400);
  });

  test("without a token: 401, but a public project may be read", async () => {
    expect((await send("GET", scope(4), { token: null })).status).toBe(401);
    expect((await send("GET", "/projects/4", { token: null })).status).toBe(200);
    expect((await send("GET", "/projects/1", { token: null })).status).toBe(404);
  });
});

describe("where a role comes from", () => {
  const level = async (username: string, project: number) => {
    const members = await send("GET", `/projects/${project}/members/all?per_page=100`);
    const found = (members.body as { username: string; access_level: number }[]).find(
      (member) => member.username === username,
    );
    return found?.access_level;
  };

  test("members of parent groups are inherited through every level", async () => {
    expect(await level("maintainer", 3)).toBe(40);
    const answer = await send("GET", "/projects/3/job_token_scope", { token: tokenOf("maintainer") });
    expect(answer.status).toBe(200);
  });

  test("a share grants the lower of its level and the member's", async () => {
    expect(await level("release", 1)).toBe(30);
    expect((await send("GET", "/projects/1/job_token_scope", { token: tokenOf("release") })).status).toBe(
      403,
    );
    expect((await send("GET", "/projects/2/job_token_scope", { token: tokenOf("release") })).status).toBe(
      404,
    );
  });

  test("an expired membership grants no role", async () => {
    expect((await send("GET", "/groups/past", { token: tokenOf("outsider") })).status).toBe(404);
  });
});
