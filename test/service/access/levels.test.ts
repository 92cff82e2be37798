import { type Service, startService } from "cdktf-provider-steward/testing";
import { client } from "../client";
import { company, tokenOf } from "../company";

let service: Service;
const others: Service[] = [];
let send: ReturnType<typeof client>;
beforeEach(async () => {
  const fixture = company();
  fixture.groups!.push(
    { path: "ladder", id: 110, members: [{ user: "maintainer", role: "owner" }] },
    // The outsider owns `lent` by a share alone, and `lent` in turn opens the project `vault`.
    { path: "staff", id: 111, members: [{ user: "outsider", role: "owner" }] },
    { path: "lent", id: 112, shared_with: [{ group: "staff", role: "owner" }] },
  );
  fixture.projects!.push({
    path: "release-managers/vault",
    id: 10,
    shared_with: [{ group: "lent", role: "maintainer" }],
  });
  fixture.projects![0]!.members = [
    { user: "release", role: "owner" },
    { user: "contractor", role: "developer" },
  ];
  fixture.projects![0]!.invitations = [
    { email: "boss@example.org", role: "owner" },
    { email: "late@example.org", role: "owner", expires_at: "2020-01-01" },
    { email: "peer@example.org", role: "maintainer" },
  ];
  service = await startService({ fixture });
  send = client(service);
});
afterEach(() => Promise.all([service, ...others.splice(0)].map((one) => one.close())));

/** A second service, with a fixture of its own. */
async function another(fixture: ReturnType<typeof company>): Promise<ReturnType<typeof client>> {
  const started = await startService({ fixture });
  others.push(started);
  return client(started);
}

const as = (username: string, json?: unknown) => ({ token: tokenOf(username), json });
const levelOf = async (place: string, userId: number) =>
  ((await send("GET", `${place}/members/all/${userId}`)).body as { access_level?: number }).access_level;

describe("nobody grants, changes or removes a level above their own", () => {
  test("a Maintainer who shared a project with an own group at 50 was its Owner from then on", async () => {
    const json = { group_id: 110, group_access: 50 };
    const refused = await send("POST", "/projects/1/share", as("maintainer", json));
    expect(refused).toMatchObject({
      status: 403,
      body: { message: "403 Forbidden - Access level 50 is above your own level 40 in this project" },
    });
    expect(await levelOf("/projects/1", 15)).toBe(40);
    const own = { group_id: 110, group_access: 40 };
    expect((await send("POST", "/projects/1/share", as("maintainer", own))).status).toBe(201);
    expect(await levelOf("/projects/1", 15)).toBe(40);
  });

  test("a Maintainer removed an Owner's membership", async () => {
    expect((await send("DELETE", "/projects/1/members/23", as("maintainer"))).status).toBe(403);
    expect(await levelOf("/projects/1", 23)).toBe(50);
    expect((await send("DELETE", "/projects/1/members/22", as("maintainer"))).status).toBe(204);
    expect((await send("DELETE", "/projects/1/members/23", as("owner"))).status).toBe(204);
  });

  test("an Owner inherited from the group keeps a lower direct membership", async () => {
    const json = { user_id: 16, access_level: 30 };
    expect((await send("POST", "/projects/1/members", { json })).status).toBe(201);
    expect((await send("DELETE", "/projects/1/members/16", as("maintainer"))).status).toBe(403);
  });

  test.each([
    ["lowered", "PUT", { access_level: 40 }],
    ["lowered to the 30 that a missing level means", "PUT", {}],
    ["given another expiry", "PUT", { access_level: 50, expires_at: "2999-12-31" }],
    ["deleted", "DELETE", undefined],
  ])("an Owner's invitation was %s by a Maintainer", async (_, method, json) => {
    for (const email of ["boss", "late"]) {
      const path = `/projects/1/invitations/${email}%40example.org`;
      expect((await send(method, path, as("maintainer", json))).status).toBe(403);
    }
    const kept = (await send("GET", "/projects/1/invitations")).body;
    expect(kept).toMatchObject([{ access_level: 50 }, { access_level: 50 }, { access_level: 40 }]);
    const status = method === "PUT" ? 200 : 204;
    const boss = "/projects/1/invitations/boss%40example.org";
    expect((await send(method, boss, as("owner", json))).status).toBe(status);
  });

  test("a new invitation does not replace an expired one of a higher level", async () => {
    const json = { email: "late@example.org", access_level: 40 };
    const answer = await send("POST", "/projects/1/invitations", as("maintainer", json));
    expect(answer.body).toMatchObject({ message: { "late@example.org": expect.stringContaining("above") } });
    const mine = await send("POST", "/projects/1/invitations", as("owner", json));
    expect(mine.body).toEqual({ status: "success" });
  });

  test.each([
    ["member", "POST", "/projects/1/members", { user_id: 21, access_level: 50 }],
    [
      "invitation by address",
      "POST",
      "/projects/1/invitations",
      { email: "n@example.org", access_level: 50 },
    ],
    ["invitation by user", "POST", "/projects/1/invitations", { user_id: 21, access_level: 50 }],
    ["invitation raised", "PUT", "/projects/1/invitations/peer%40example.org", { access_level: 50 }],
  ])("a Maintainer gives no Owner's level: %s", async (_, method, path, json) => {
    expect((await send(method, path, as("maintainer", json))).status).toBe(403);
    expect((await send(method, path, as("owner", json))).status).toBeLessThan(300);
  });

  test("a level counts wherever a group opens something: who owns it by a share alone adds nobody above", async () => {
    const json = { user_id: 21, access_level: 50 };
    const refused = await send("POST", "/groups/112/members", as("outsider", json));
    expect(refused).toMatchObject({ status: 403, body: { message: expect.stringContaining("shared") } });
    expect((await send("GET", "/projects/10", as("outsider"))).status).toBe(404);
    expect((await send("DELETE", "/groups/112", as("outsider"))).status).toBe(403);
    expect((await send("POST", "/groups/112/members", { json })).status).toBe(201);
    expect(await levelOf("/projects/10", 21)).toBe(40);
  });

  test("an accepted invitation lowered the membership that its person had by then", async () => {
    const invited = { email: "new@example.org", access_level: 10 };
    await send("POST", "/projects/1/invitations", as("maintainer", invited));
    const user = { username: "newcomer", name: "New", email: "new@example.org" };
    const { id: user_id } = (await send("POST", "/users", { json: user })).body as { id: number };
    await send("POST", "/projects/1/members", { json: { user_id, access_level: 50 } });
    const pending = (await send("GET", "/projects/1/invitations?query=new%40example.org")).body;
    const [{ id }] = pending as [{ id: number }];
    const headers = { "private-token": service.adminToken };
    const address = `${service.url}/_steward/invitations/${id}/accept`;
    expect((await fetch(address, { method: "POST", headers })).status).toBe(409);
    expect(await levelOf("/projects/1", user_id)).toBe(50);
  });

  test("only an administrator removes the last Owner of a group", async () => {
    expect((await send("DELETE", "/groups/100/members/16", as("owner"))).status).toBe(403);
    await send("POST", "/groups/100/members", as("owner", { user_id: 21, access_level: 50 }));
    expect((await send("DELETE", "/groups/100/members/16", as("owner"))).status).toBe(204);
    expect((await send("DELETE", "/groups/100/members/21")).status).toBe(204);
  });

  test("removing an expired membership is 404", async () => {
    const fixture = company();
    fixture.projects![0]!.members = [{ user: "release", role: "owner", expires_at: "2020-01-01" }];
    const past = await another(fixture);
    expect((await past("DELETE", "/projects/1/members/23")).status).toBe(404);
  });
});

describe("visibility never exceeds that of the group", () => {
  const refusal = (word: string, group: string) => ({
    status: 400,
    body: { message: { visibility_level: [`${word} is not allowed in a ${group} group.`] } },
  });

  test("a Maintainer made a private group's project public", async () => {
    const json = { visibility: "public" };
    expect(await send("PUT", "/projects/1", as("maintainer", json))).toMatchObject(
      refusal("public", "private"),
    );
    expect(await send("PUT", "/projects/1", { json })).toMatchObject(refusal("public", "private"));
    expect((await send("GET", "/projects/1")).body).toMatchObject({ visibility: "private" });
  });

  test("neither does a new project, nor a new subgroup", async () => {
    const project = { path: "open", namespace_id: 100, visibility: "internal" };
    expect(await send("POST", "/projects", as("owner", project))).toMatchObject(
      refusal("internal", "private"),
    );
    const group = { name: "Open", path: "open", parent_id: 100, visibility: "public" };
    expect(await send("POST", "/groups", as("owner", group))).toMatchObject(refusal("public", "private"));
  });

  test("it may be lower, equal, or anything in one's own namespace", async () => {
    const json = { path: "open", namespace_id: 103, visibility: "public" };
    expect((await send("POST", "/projects", { json })).status).toBe(201);
    expect((await send("PUT", "/projects/4", { json: { visibility: "private" } })).status).toBe(200);
    expect((await send("PUT", "/projects/6", as("outsider", { visibility: "public" }))).status).toBe(200);
  });

  test("a project of a fixture that is more visible than its group can be kept and lowered", async () => {
    const fixture = company();
    fixture.projects![0]!.visibility = "internal";
    const old = await another(fixture);
    const put = (visibility: string) => old("PUT", "/projects/1", { json: { visibility } });
    expect((await put("internal")).status).toBe(200);
    expect((await put("public")).status).toBe(400);
    expect((await put("private")).status).toBe(200);
    expect((await put("internal")).status).toBe(400);
  });
});
