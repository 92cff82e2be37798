import { startService } from "cdktf-provider-steward/testing";
import { client } from "../client";
import { tokenOf } from "../company";
import { useCompany } from "../use-company";

const { send, service } = useCompany();

const resolverFor = (body: unknown, key = "path") =>
  (body as Record<string, unknown>[]).map((entry) => entry[key]);

describe("settled, around the specification: the instance", () => {
  test("GET /version and /metadata, for everybody with a token", async () => {
    const token = tokenOf("guest");
    const version = await send("GET", "/version", { token });
    expect(version.body).toEqual({ version: expect.stringMatching(/^18\./), revision: expect.any(String) });
    expect((await send("GET", "/metadata", { token })).body).toEqual({
      ...(version.body as object),
      enterprise: true,
    });
    expect((await send("GET", "/version", { token: null })).status).toBe(401);
  });

  test("only administrators read and change application settings", async () => {
    const token = tokenOf("owner");
    const json = { enable_member_promotion_management: true };
    expect((await send("PUT", "/application/settings", { token, json })).status).toBe(403);
    await send("PUT", "/application/settings", { json });
    expect((await send("GET", "/application/settings")).body).toEqual(json);
  });

  test("GET /_steward/health answers without a token", async () => {
    const response = await fetch(`${service().url}/_steward/health`);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ status: "ok" });
  });
});

describe("settled, around the specification: groups", () => {
  test("POST makes its caller the Owner; a subgroup needs a Maintainer above", async () => {
    const token = tokenOf("outsider");
    const top = await send("POST", "/groups", { token, json: { name: "Mine", path: "mine" } });
    expect(top).toMatchObject({
      status: 201,
      body: { full_path: "mine", parent_id: null, visibility: "private" },
    });
    const { id } = top.body as { id: number };
    const sub = await send("POST", "/groups", { token, json: { name: "Sub", path: "sub", parent_id: id } });
    expect(sub.body).toMatchObject({ full_path: "mine/sub", parent_id: id });
    const json = { name: "X", path: "x", parent_id: 100 };
    expect((await send("POST", "/groups", { token, json })).status).toBe(404);
    expect((await send("POST", "/groups", { token: tokenOf("developer"), json })).status).toBe(403);
    expect(
      (await send("POST", "/groups", { json: { name: "Taken", path: "WEB", parent_id: 100 } })).status,
    ).toBe(400);
  });

  test("GET lists the groups that the caller may see, by search", async () => {
    const paths = async (query: string, token: string | null) =>
      resolverFor((await send("GET", `/groups?${query}`, { token })).body, "full_path");
    expect(await paths("", null)).toEqual(["open-source"]);
    expect(await paths("", tokenOf("guest"))).toEqual(["acme", "open-source", "acme/platform"]);
    expect(await paths("search=form", tokenOf("guest"))).toEqual(["acme/platform"]);
    expect(await paths("top_level_only=true", tokenOf("guest"))).toEqual(["acme", "open-source"]);
  });

  test("GET with min_access_level lists the groups in which the caller has at least that role", async () => {
    const paths = async (level: number, token: string) =>
      resolverFor((await send("GET", `/groups?min_access_level=${level}`, { token })).body, "full_path");
    expect(await paths(5, tokenOf("guest"))).toEqual(["acme", "acme/platform"]);
    expect(await paths(20, tokenOf("guest"))).toEqual([]);
    expect(await paths(5, tokenOf("outsider"))).toEqual([]);
  });

  test("GET /groups/:id/descendant_groups lists the subgroups of all levels that the caller may see", async () => {
    const sub = await send("POST", "/groups", { json: { name: "Deep", path: "deep", parent_id: 101 } });
    expect(sub.status).toBe(201);
    const listed = async (path: string) =>
      resolverFor((await send("GET", `/groups/${path}/descendant_groups`)).body, "full_path");
    expect(await listed("acme")).toEqual(["acme/platform/deep", "acme/platform"]);
    expect(await listed("101")).toEqual(["acme/platform/deep"]);
    expect((await send("GET", "/groups/acme/descendant_groups", { token: tokenOf("outsider") })).status).toBe(
      404,
    );
  });

  test("a member of a project beneath may see the group above, and no other", async () => {
    await send("POST", "/projects/3/members", { json: { user_id: 21, access_level: 10 } });
    const token = tokenOf("outsider");
    expect((await send("GET", "/groups/acme%2Fplatform", { token })).status).toBe(200);
    expect((await send("GET", "/groups/acme", { token })).status).toBe(200);
    expect((await send("GET", "/groups/102", { token })).status).toBe(404);
  });

  test("GET /groups/:id lists in shared_with_groups the groups it is shared with that the caller may see", async () => {
    const own = await startService({
      fixture: {
        users: [{ username: "maya", token: "token-of-maya" }],
        groups: [
          { path: "hidden" },
          { path: "open", visibility: "public" },
          {
            path: "acme",
            members: [{ user: "maya", role: "guest" }],
            shared_with: [
              { group: "open", role: "developer", expires_at: "2999-12-31" },
              { group: "hidden", role: "guest" },
              { group: "open/past", role: "guest", expires_at: "2020-01-01" },
            ],
          },
          { path: "open/past" },
        ],
      },
    });
    const sharesAs = async (token: string) => {
      const { body } = await client(own)("GET", "/groups/acme", { token });
      return (body as { shared_with_groups: { group_full_path: string }[] }).shared_with_groups;
    };
    expect(await sharesAs("token-of-maya")).toEqual([
      {
        group_id: 2,
        group_name: "open",
        group_full_path: "open",
        group_access_level: 30,
        expires_at: "2999-12-31",
      },
    ]);
    expect((await sharesAs(own.adminToken)).map((one) => one.group_full_path)).toEqual(["open", "hidden"]);
    await own.close();
  });

  test("DELETE by an Owner also deletes subgroups and projects", async () => {
    expect((await send("DELETE", "/groups/acme", { token: tokenOf("maintainer") })).status).toBe(403);
    expect((await send("DELETE", "/groups/acme", { token: tokenOf("owner") })).status).toBe(202);
    for (const path of ["/groups/100", "/groups/101", "/projects/1", "/projects/3"]) {
      expect((await send("GET", path)).status).toBe(404);
    }
  });
});

describe.each([
  ["projects", "/projects/3", "maintainer"],
  ["groups", "/groups/101", "owner"],
])("settled, around the specification: members of %s", (_, place, lowest) => {
  const members = `${place}/members`;

  test("POST, GET, DELETE", async () => {
    const json = { user_id: 21, access_level: 20, expires_at: "2999-12-31" };
    expect(await send("POST", members, { token: tokenOf(lowest), json })).toMatchObject({
      status: 201,
      body: {
        id: 21,
        username: "outsider",
        access_level: 20,
        expires_at: "2999-12-31",
        membership_state: "active",
      },
    });
    expect((await send("POST", members, { json })).status).toBe(409);
    expect(resolverFor((await send("GET", members)).body, "username")).toEqual(["outsider"]);
    expect((await send("GET", `${members}/21`)).body).toMatchObject({ access_level: 20 });
    expect((await send("GET", `${members}/15`)).status).toBe(404);
    expect((await send("DELETE", `${members}/21`)).status).toBe(204);
    expect((await send("DELETE", `${members}/21`)).status).toBe(404);
  });

  test("/all includes inherited members", async () => {
    const all = await send("GET", `${members}/all?query=main`);
    expect(all.body).toMatchObject([{ username: "maintainer", access_level: 40 }]);
    expect((await send("GET", `${members}/all/15`)).body).toMatchObject({ username: "maintainer" });
    expect((await send("GET", `${members}/all/21`)).status).toBe(404);
  });

  test("several users at once, and unknown users", async () => {
    const json = { user_id: "21,22", access_level: 10 };
    expect((await send("POST", members, { json })).body).toHaveLength(2);
    expect((await send("POST", members, { json: { user_id: "23,999", access_level: 10 } })).status).toBe(404);
    expect((await send("GET", `${members}/23`)).status).toBe(404);
  });

  test("nobody grants a role above their own; only administrators see addresses", async () => {
    const json = { user_id: 21, access_level: 50 };
    const status = place.startsWith("/projects") ? 403 : 201;
    expect((await send("POST", members, { token: tokenOf(lowest), json })).status).toBe(status);
    const seen = (await send("GET", `${members}/all`, { token: tokenOf("guest") })).body;
    expect(JSON.stringify(seen)).not.toContain("@");
    expect(JSON.stringify((await send("GET", `${members}/all`)).body)).toContain("@example.com");
  });
});

describe("settled, around the specification: shares, environments, users, tokens", () => {
  test("POST /projects/:id/share opens a project to a group", async () => {
    const json = { group_id: 102, group_access: 40 };
    expect(await send("POST", "/projects/2/share", { json })).toMatchObject({
      status: 201,
      body: { project_id: 2, group_id: 102, group_access: 40, expires_at: null },
    });
    expect((await send("GET", "/projects/2/job_token_scope", { token: tokenOf("release") })).status).toBe(
      200,
    );
    expect((await send("POST", "/projects/2/share", { json })).status).toBe(409);
    expect(
      (await send("POST", "/projects/2/share", { json: { group_id: 999, group_access: 40 } })).status,
    ).toBe(404);
  });

  test("POST and GET /projects/:id/environments", async () => {
    const json = { name: "review/One", external_url: "https://one.example", tier: "development" };
    expect(await send("POST", "/projects/1/environments", { json })).toMatchObject({
      status: 201,
      body: { name: "review/One", slug: "review-one", tier: "development", state: "available" },
    });
    expect((await send("POST", "/projects/1/environments", { json })).status).toBe(400);
    expect(resolverFor((await send("GET", "/projects/1/environments")).body, "name")).toEqual([
      "production",
      "review/One",
    ]);
    expect(resolverFor((await send("GET", "/projects/1/environments?search=view")).body, "name")).toEqual([
      "review/One",
    ]);
    expect((await send("GET", "/projects/1/environments?name=production")).body).toHaveLength(1);
  });

  test("POST /users is an administrator's; usernames and addresses are taken once", async () => {
    const json = { username: "zoe", name: "Zoe", email: "zoe@example.com" };
    expect((await send("POST", "/users", { token: tokenOf("owner"), json })).status).toBe(403);
    expect(await send("POST", "/users", { json })).toMatchObject({
      status: 201,
      body: { ...json, is_admin: false },
    });
    expect((await send("POST", "/users", { json: { ...json, email: "z@example.com" } })).status).toBe(409);
    expect((await send("POST", "/users", { json: { ...json, username: "z" } })).status).toBe(409);
    expect(
      (await send("POST", "/users", { json: { ...json, username: "ACME", email: "a@b.example" } })).status,
    ).toBe(400);
  });

  test("GET /users by name; others see less than administrators", async () => {
    const seen = await send("GET", "/users?username=OWNER", { token: tokenOf("guest") });
    expect(seen.body).toEqual([
      {
        id: 16,
        username: "owner",
        name: "Owner",
        state: "active",
        avatar_url: null,
        web_url: expect.any(String),
      },
    ]);
    expect((await send("GET", "/users/16")).body).toMatchObject({ email: "owner@example.com" });
    expect((await send("GET", "/users/999")).status).toBe(404);
    expect((await send("GET", "/users?blocked=true")).body).toMatchObject([{ username: "blocked" }]);
  });

  test("POST /users/:id/personal_access_tokens gives a token that works within its scopes", async () => {
    const path = "/users/15/personal_access_tokens";
    const json = { name: "ci", scopes: ["read_api"], expires_at: "2999-12-31" };
    const { status, body } = await send("POST", path, { json });
    expect(status).toBe(201);
    const { token } = body as { token: string };
    expect((await send("GET", "/user", { token })).body).toMatchObject({ username: "maintainer" });
    expect((await send("GET", "/personal_access_tokens/self", { token })).body).toMatchObject({
      name: "ci",
      scopes: ["read_api"],
      user_id: 15,
      expires_at: "2999-12-31",
    });
    const write = { token, json: { enabled: true } };
    expect((await send("PATCH", "/projects/1/job_token_scope", write)).status).toBe(403);
    expect((await send("POST", path, { json: { name: "ci", scopes: ["everything"] } })).status).toBe(400);
    expect((await send("POST", path, { token: tokenOf("owner"), json })).status).toBe(403);
  });
});
