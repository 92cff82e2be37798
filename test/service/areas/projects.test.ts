import { tokenOf } from "../company";
import { useCompany } from "../use-company";

const { send, service } = useCompany();

const resolverFor = (body: unknown, key = "path") =>
  (body as Record<string, unknown>[]).map((entry) => entry[key]);

describe("settled, around the specification: projects", () => {
  test("POST puts a project into a group, or into the caller's own namespace", async () => {
    const token = tokenOf("developer");
    const grouped = await send("POST", "/projects", {
      token,
      json: {
        name: "New Shop!",
        namespace_id: 100,
        topics: ["shop"],
        visibility: "private",
        default_branch: "trunk",
      },
    });
    expect(grouped).toMatchObject({
      status: 201,
      body: {
        path: "new-shop",
        path_with_namespace: "acme/new-shop",
        topics: ["shop"],
        visibility: "private",
        default_branch: "trunk",
        archived: false,
        creator_id: 14,
      },
    });
    const own = await send("POST", "/projects", { token, json: { path: "mine" } });
    expect(own.body).toMatchObject({ path_with_namespace: "developer/mine", namespace: { kind: "user" } });
  });

  test.each([
    ["no name", "developer", {}, 400],
    ["a path that is none", "developer", { path: "a b" }, 400],
    ["a path that is taken, in any case", "developer", { path: "WEB", namespace_id: 100 }, 400],
    ["the path of a group", "developer", { path: "platform", namespace_id: 100 }, 400],
    ["a group where the role is too low", "reporter", { path: "x", namespace_id: 100 }, 403],
    ["a group that the caller may not see", "outsider", { path: "x", namespace_id: 100 }, 404],
    ["a namespace that is not there", "developer", { path: "x", namespace_id: 999 }, 404],
  ])("POST with %s", async (_, username, json, status) => {
    expect((await send("POST", "/projects", { token: tokenOf(username), json })).status).toBe(status);
  });

  test("GET /projects lists what the caller may see, by search, topic, archived and membership", async () => {
    const paths = async (query: string, username = "outsider") =>
      resolverFor((await send("GET", `/projects?${query}`, { token: tokenOf(username) })).body).sort();
    expect(await paths("")).toEqual(["handbook", "library", "notes"]);
    expect(await paths("", "contractor")).toEqual(["library"]);
    expect(await paths("", "release")).toEqual(["handbook", "library", "web"]);
    expect(await paths("membership=true")).toEqual(["notes"]);
    expect(await paths("search=LIB")).toEqual(["library"]);
    expect(await paths("topic=library")).toEqual(["library"]);
    await send("PUT", "/projects/4", { json: { archived: true } });
    expect(await paths("archived=true")).toEqual(["library"]);
    expect(await paths("archived=false")).toEqual(["handbook", "notes"]);
    expect(await paths("id_after=4&id_before=6")).toEqual(["handbook"]);
  });

  test("GET /groups/:id/projects, with and without subgroups", async () => {
    const paths = async (query: string) =>
      resolverFor((await send("GET", `/groups/acme/projects?order_by=path&sort=asc&${query}`)).body);
    expect(await paths("")).toEqual(["tools", "web"]);
    expect(await paths("include_subgroups=true")).toEqual(["images", "tools", "web"]);
    expect(await paths("include_subgroups=true&search=image")).toEqual(["images"]);
  });

  test("GET /projects/:id lists in shared_with_groups the groups it is shared with that the caller may see", async () => {
    const share = (group_id: number, expires_at?: string) =>
      send("POST", "/projects/2/share", { json: { group_id, group_access: 30, expires_at } });
    expect((await share(103, "2999-12-31")).status).toBe(201);
    expect((await share(102)).status).toBe(201);
    const shared = async (username?: string) =>
      (
        (await send("GET", "/projects/2", username === undefined ? {} : { token: tokenOf(username) }))
          .body as {
          shared_with_groups: unknown;
        }
      ).shared_with_groups;
    const open = {
      group_id: 103,
      group_name: "open-source",
      group_full_path: "open-source",
      group_access_level: 30,
      expires_at: "2999-12-31",
    };
    const hidden = {
      group_id: 102,
      group_name: "release-managers",
      group_full_path: "release-managers",
      group_access_level: 30,
      expires_at: null,
    };
    expect(await shared()).toEqual([open, hidden]);
    expect(await shared("release")).toEqual([open, hidden]);
    expect(await shared("maintainer")).toEqual([open]);
    expect(
      ((await send("GET", "/projects/3")).body as { shared_with_groups: unknown }).shared_with_groups,
    ).toEqual([]);
  });

  test("GET /projects/:id tells the caller's permissions", async () => {
    await send("POST", "/projects/1/members", { json: { user_id: 11, access_level: 40 } });
    const permissions = async (username: string) =>
      ((await send("GET", "/projects/1", { token: tokenOf(username) })).body as { permissions: unknown })
        .permissions;
    expect(await permissions("guest")).toMatchObject({
      project_access: { access_level: 40 },
      group_access: { access_level: 10 },
    });
    expect(await permissions("release")).toMatchObject({
      project_access: { access_level: 30 },
      group_access: null,
    });
  });

  test("an archived project is read-only, except for unarchiving it", async () => {
    await send("PUT", "/projects/1", { json: { archived: true } });
    const write = await send("PATCH", "/projects/1/job_token_scope", { json: { enabled: true } });
    expect(write).toMatchObject({ status: 403, body: { message: expect.stringContaining("archived") } });
    expect((await send("GET", "/projects/1/job_token_scope")).status).toBe(200);
    expect((await send("PUT", "/projects/1", { json: { archived: false } })).body).toMatchObject({
      archived: false,
    });
  });

  test("DELETE needs an Owner", async () => {
    expect((await send("DELETE", "/projects/2", { token: tokenOf("maintainer") })).status).toBe(403);
    expect((await send("DELETE", "/projects/2", { token: tokenOf("owner") })).status).toBe(202);
    expect((await send("GET", "/projects/2")).status).toBe(404);
  });
});

describe("Common rules: a project whose path changed", () => {
  const old = "/projects/acme%2Fplatform%2Fold-images/job_token_scope";

  test("settled: a GET is 301 with a Location on the same origin", async () => {
    const answer = await send("GET", `${old}?a=b%2Fc`);
    expect(answer.status).toBe(301);
    expect(answer.headers.get("location")).toBe(`${service().url}/api/v4/projects/3/job_token_scope?a=b%2Fc`);
    expect(answer.body).toHaveProperty("message", expect.stringContaining("moved"));
  });

  test("settled: a write is 307, and following it carries it out", async () => {
    expect((await send("PATCH", old, { json: { enabled: false } })).status).toBe(307);
    const response = await fetch(`${service().url}/api/v4${old}`, {
      method: "PATCH",
      headers: { "private-token": service().adminToken, "content-type": "application/json" },
      body: JSON.stringify({ enabled: false }),
    });
    expect(response.status).toBe(204);
    expect((await send("GET", "/projects/3/job_token_scope")).body).toMatchObject({ inbound_enabled: false });
  });

  test("PUT with another path leaves the redirect; a new project at the old path ends it", async () => {
    await send("PUT", "/projects/1", { json: { path: "shop" } });
    expect((await send("GET", "/projects/acme%2Fweb")).status).toBe(301);
    await send("PUT", "/projects/1", { json: { path: "store" } });
    expect((await send("GET", "/projects/acme%2Fweb")).headers.get("location")).toContain("/projects/1");
    await send("POST", "/projects", { json: { path: "web", namespace_id: 100 } });
    expect((await send("GET", "/projects/acme%2Fweb")).status).toBe(200);
    await send("PUT", "/projects/1", { json: { path: "shop" } });
    expect((await send("GET", "/projects/acme%2Fshop")).status).toBe(200);
  });

  test("callers who may not see a moved project get no redirect", async () => {
    expect((await send("GET", old, { token: tokenOf("outsider") })).status).toBe(404);
  });
});
