import { type Service, startService } from "cdktf-provider-steward/testing";
import { client } from "../client";
import { company, tokenOf } from "../company";

let service: Service;
let send: ReturnType<typeof client>;
beforeEach(async () => {
  const fixture = company();
  fixture.users!.push(
    { username: "ada", id: 31, name: "Ada Lovelace", email: "countess@private.example.org" },
    { username: "grounded", id: 32, can_create_group: false, token: tokenOf("grounded") },
    { username: "limited", id: 33, projects_limit: 1, token: tokenOf("limited") },
    { username: "visitor", id: 34, external: true, projects_limit: 10, token: tokenOf("visitor") },
  );
  fixture.groups!.push({
    path: "theirs",
    id: 120,
    members: [
      { user: "grounded", role: "owner" },
      { user: "limited", role: "owner" },
      { user: "visitor", role: "owner" },
    ],
  });
  service = await startService({ fixture });
  send = client(service);
});
afterEach(() => service.close());

describe("only a whole e-mail address finds a user, except for administrators", () => {
  const found = async (search: string, token: string | null, keyset = "") => {
    const path = `/users?search=${encodeURIComponent(search)}&per_page=100${keyset}`;
    const { body } = await send("GET", path, { token });
    return (body as { username: string }[]).map(({ username }) => username).sort();
  };
  const KEYSET = "&pagination=keyset&order_by=id&sort=asc";

  test.each([
    ["a stranger", null],
    ["a user", tokenOf("guest")],
    ["an external user", tokenOf("contractor")],
  ])("%s searches users by a part of their addresses, which found them once", async (_, token) => {
    for (const part of ["private.example", "countess", "@", "countess@private.example.or", "%@%"]) {
      expect({ part, found: await found(part, token) }).toEqual({ part, found: [] });
      expect({ part, found: await found(part, token, KEYSET) }).toEqual({ part, found: [] });
    }
    expect(await found("COUNTESS@private.example.org", token)).toEqual(["ada"]);
    expect(await found("ovelac", token)).toEqual(["ada"]);
    expect(await found("utside", token)).toEqual(["outsider"]);
  });

  test("totals do not count hidden users", async () => {
    const { headers } = await send("GET", "/users?search=private.example", { token: null });
    expect(headers.get("x-total")).toBe("0");
  });

  test("an administrator searches by a part", async () => {
    expect(await found("private.example", service.adminToken)).toEqual(["ada"]);
  });

  test("an Owner searches the group's own enterprise users by a part, as the specification says", async () => {
    const fixture = company();
    fixture.users!.push({ username: "ent", email: "e@corp.example.org", enterprise_group: "acme" });
    const enterprise = await startService({ fixture });
    try {
      const path = "/groups/100/enterprise_users?search=corp.exam";
      const { body } = await client(enterprise)("GET", path, { token: tokenOf("owner") });
      expect(body).toMatchObject([{ username: "ent" }]);
    } finally {
      await enterprise.close();
    }
  });

  test("only administrators get e-mail addresses", async () => {
    const paths = [
      "/users",
      "/users?username=ada",
      "/users/31",
      "/groups/100/members",
      "/projects/1/members/all",
    ];
    for (const path of paths) {
      const { status, body } = await send("GET", path, { token: tokenOf("owner") });
      expect({ path, status, told: JSON.stringify(body).includes("@") }).toEqual({
        path,
        status: 200,
        told: false,
      });
    }
  });
});

describe("what an account may create", () => {
  const group = (username: string, parent_id?: number) =>
    send("POST", "/groups", { token: tokenOf(username), json: { name: "New", path: "new", parent_id } });
  const project = (username: string, path: string, namespace_id?: number) =>
    send("POST", "/projects", { token: tokenOf(username), json: { path, namespace_id } });

  test("can_create_group=false forbids groups, which was reported but not enforced", async () => {
    expect(await group("grounded")).toMatchObject({
      status: 403,
      body: { message: "403 Forbidden - Your account may not create groups" },
    });
    expect((await group("grounded", 120)).status).toBe(403);
    expect((await project("grounded", "new", 120)).status).toBe(201);
    expect((await group("outsider")).status).toBe(201);
  });

  test("external users create neither groups nor projects", async () => {
    for (const parent of [undefined, 120]) {
      expect((await group("visitor", parent)).status).toBe(403);
      expect(await project("visitor", "new", parent)).toMatchObject({
        status: 403,
        body: { message: "403 Forbidden - External users may not create projects" },
      });
    }
    const self = await send("GET", "/user", { token: tokenOf("visitor") });
    expect(self.body).toMatchObject({ can_create_group: false, can_create_project: false });
  });

  test("projects_limit counts the projects of the own namespace", async () => {
    expect((await project("limited", "one")).status).toBe(201);
    expect(await project("limited", "two")).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining("limit of 1") },
    });
    expect((await project("limited", "two", 120)).status).toBe(201);
    expect((await project("visitor", "two")).status).toBe(403);
  });
});
