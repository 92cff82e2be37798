import { type FixtureInput, type Service, startService } from "cdktf-provider-steward/testing";
import { client } from "../client";
import { company, tokenOf } from "../company";

let service: Service;
let send: ReturnType<typeof client>;
afterEach(() => service.close());

const start = async (fixture: FixtureInput): Promise<void> => {
  service = await startService({ fixture });
  send = client(service);
};

/** Sends a GET request to a path, by default as the administrator. */
const ask = async (address: string, token = service.adminToken) => {
  const response = await fetch(`${service.url}${address}`, { headers: { "private-token": token } });
  return { status: response.status, body: (await response.json()) as unknown };
};
const accessOf = (project: number | string, name: string, userId: unknown, token?: string) =>
  ask(
    `/_steward/projects/${project}/environments/${encodeURIComponent(name)}/access?user_id=${userId}`,
    token,
  );

describe("settled: who can deploy and approve", () => {
  test("Developers and higher roles can deploy to an unprotected environment", async () => {
    await start(company());
    const deployers: number[] = [];
    for (const id of [11, 12, 13, 14, 15, 16, 21, 23, 24]) {
      const { body } = await accessOf("acme%2Fweb", "review/feature", id);
      expect(body).toMatchObject({ can_approve: false });
      if ((body as { can_deploy: boolean }).can_deploy) deployers.push(id);
    }
    // The ids of a Developer, a Maintainer, an Owner, and a member of the group that the project is shared with.
    expect(deployers).toEqual([14, 15, 16, 23]);
  });

  test("users, groups and access levels in a protected environment's rules can deploy or approve", async () => {
    await start(company());
    const deploy_access_levels = [{ access_level: 40 }, { user_id: 11 }];
    const approval_rules = [{ group_id: 102 }, { access_level: 60 }];
    const json = { name: "production", deploy_access_levels, approval_rules };
    expect((await send("POST", "/projects/1/protected_environments", { json })).status).toBe(201);
    const found = async (id: number) => (await accessOf(1, "production", id)).body;
    expect(await found(11)).toEqual({ can_deploy: true, can_approve: false });
    expect(await found(14)).toEqual({ can_deploy: false, can_approve: false });
    expect(await found(15)).toEqual({ can_deploy: true, can_approve: false });
    expect(await found(23)).toEqual({ can_deploy: false, can_approve: true });
    const { id: root } = (await send("GET", "/user")).body as { id: number };
    expect(await found(root)).toEqual({ can_deploy: true, can_approve: true });
    expect((await send("DELETE", "/projects/1/protected_environments/production")).status).toBe(204);
    expect(await found(14)).toEqual({ can_deploy: true, can_approve: false });
  });

  test("with group_inheritance_type 0, only direct members of a group can deploy", async () => {
    const fixture = company();
    fixture.projects![0]!.shared_with!.push({ group: "acme/platform", role: "guest" });
    fixture.groups![1]!.members = [
      { user: "reporter", role: "developer" },
      { user: "guest", role: "developer", expires_at: "2020-01-01" },
    ];
    await start(fixture);
    const developerAbove = 14;
    for (const [group_inheritance_type, expected] of [
      [0, [true, false, false, false]],
      [1, [true, true, true, false]],
    ] as const) {
      const name = `production-${group_inheritance_type}`;
      const json = { name, deploy_access_levels: [{ group_id: 101, group_inheritance_type }] };
      expect((await send("POST", "/projects/1/protected_environments", { json })).status).toBe(201);
      const found = [13, 11, developerAbove, 21].map(async (id) => (await accessOf(1, name, id)).body);
      expect(await Promise.all(found)).toMatchObject(expected.map((can_deploy) => ({ can_deploy })));
    }
  });

  test("a blocked user can neither deploy nor approve", async () => {
    const fixture = company();
    fixture.groups![0]!.members!.push({ user: "blocked", role: "owner" });
    await start(fixture);
    expect((await accessOf(1, "production", 24)).body).toEqual({ can_deploy: false, can_approve: false });
  });

  test("the endpoint of a user's environment access returns 403 to callers below Maintainer", async () => {
    await start(company());
    expect(await ask("/_steward/projects/1/environments/production/access")).toEqual({
      status: 400,
      body: { error: "user_id is missing" },
    });
    expect((await accessOf(1, "production", "ann")).status).toBe(400);
    expect(await accessOf(1, "production", 999)).toEqual({
      status: 404,
      body: { message: "404 User Not Found" },
    });
    expect((await accessOf(99, "production", 11)).status).toBe(404);
    expect((await accessOf(1, "production", 11, tokenOf("developer"))).status).toBe(403);
    expect((await accessOf(1, "production", 11, tokenOf("maintainer"))).status).toBe(200);
  });
});
