import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Service, startService } from "cdktf-provider-steward/testing";
import { client } from "../client";

let folder: string;
const running: Service[] = [];
const start = async (...options: Parameters<typeof startService>): Promise<Service> => {
  const service = await startService(...options);
  running.push(service);
  return service;
};

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "steward-service-"));
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((service) => service.close()));
  rmSync(folder, { recursive: true });
});

describe("starting the service", () => {
  test("without options, the service listens on a free port of loopback", async () => {
    const service = await start();
    expect(service.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const answer = await client(service)("GET", "/user");
    expect(answer).toMatchObject({ status: 200, body: { username: "root", is_admin: true } });
  });

  test("without allowRemote, the service refuses to listen on 0.0.0.0", async () => {
    await expect(start({ host: "0.0.0.0" })).rejects.toThrow("can be reached from other machines");
    const service = await start({ host: "0.0.0.0", allowRemote: true });
    expect(service.url).toContain("http://0.0.0.0:");
  });

  test("after a restart with the same token file, the service has the same administrator's token", async () => {
    const adminTokenFile = path.join(folder, "token");
    const first = await start({ adminTokenFile });
    expect(readFileSync(adminTokenFile, "utf8")).toBe(`${first.adminToken}\n`);
    expect(statSync(adminTokenFile).mode & 0o777).toBe(0o600);
    const second = await start({ adminTokenFile });
    expect(second.adminToken).toBe(first.adminToken);
  });

  test("after a restart with the same data file, the service has all changes of the first run", async () => {
    const data = path.join(folder, "data.db");
    const fixture = { groups: [{ path: "acme" }], projects: [{ path: "acme/web" }] };
    const first = await startService({ data, fixture });
    await client(first)("PUT", "/projects/acme%2Fweb", { json: { description: "kept" } });
    await first.close();
    const second = await start({ data, fixture });
    const answer = await client(second)("GET", "/projects/acme%2Fweb");
    expect(answer.body).toMatchObject({ description: "kept" });
    expect(existsSync(data)).toBe(true);
  });

  test("with the quickstart's fixture, the read-only token can read a job token scope, and the developer token can't", async () => {
    const service = await start({
      fixture: path.join(__dirname, "../../../examples/quickstart/fixture.yaml"),
    });
    const send = client(service);
    const maintainer = await send("GET", "/projects/acme%2Fweb-shop", {
      token: "quickstart-maintainer-token",
    });
    expect(maintainer.body).toMatchObject({ permissions: { group_access: { access_level: 40 } } });
    const scope = "/projects/acme%2Fweb-shop/job_token_scope";
    expect((await send("GET", scope, { token: "quickstart-readonly-token" })).status).toBe(200);
    expect((await send("GET", scope, { token: "quickstart-developer-token" })).status).toBe(403);
  });

  test("a fixture can set the id and the name of the administrator root", async () => {
    const fixture = {
      users: [{ username: "root", id: 1, name: "Ruth" }],
      groups: [{ path: "acme", id: 1 }],
    };
    const send = client(await start({ fixture }));
    expect((await send("GET", "/user")).body).toMatchObject({ id: 1, name: "Ruth", is_admin: true });
    expect((await send("GET", "/groups/1")).body).toMatchObject({ full_path: "acme" });
  });

  test("service.requests counts the requests with a method and a route", async () => {
    const service = await start();
    const send = client(service);
    await send("GET", "/projects/7/job_token_scope?page=1");
    await send("GET", "/version");
    expect(service.requests.count("GET", "/projects/:id/job_token_scope")).toBe(1);
    expect(service.requests.all).toMatchObject([{ status: 404 }, { route: "/version", status: 200 }]);
    service.requests.reset();
    expect(service.requests.count()).toBe(0);
  });
});

describe("the service refuses an invalid fixture, and the error contains the line", () => {
  test.each([
    [
      "an unknown user",
      "groups:\n  - path: acme\n    members:\n      - { user: nobody, role: owner }\n",
      /line 4.*members\[0\]\.user.*no user 'nobody'/,
    ],
    ["an unknown key", "projects:\n  - path: acme/web\n    colour: red\n", /line 3.*colour/],
    [
      "an unknown role",
      "groups:\n  - path: acme\n    members:\n      - user: maya\n        role: boss\n",
      /line 5.*role/,
    ],
    ["a missing key", "users:\n  - name: Maya\n", /line 2.*username/],
    [
      "one id for two groups",
      "groups:\n  - { path: one, id: 1 }\n  - { path: two, id: 1 }\n",
      /line 3: groups\[1\].*already taken/,
    ],
    ["text that is not YAML", "users: [\n", /line/],
    [
      "an unknown custom role",
      "users:\n  - username: maya\ngroups:\n  - path: acme\n    members:\n      - { user: maya, role: guest, member_role: 9 }\n",
      /line 6: .*member_role: there is no member role 9/,
    ],
    [
      "a container rule without a level, which the API also refuses",
      "groups:\n  - path: acme\nprojects:\n  - path: acme/web\n    container_rules:\n      - repository_path_pattern: acme/*\n",
      /line 6: projects\[0\]\.container_rules\[0\]: a rule needs minimum_access_level_for_push/,
    ],
    [
      "one username for two users, with a message in words",
      "users:\n  - username: maya\n  - username: maya\n",
      /line 3: users\[1\]: Username has already been taken$/,
    ],
    [
      "a primary domain that is not among the domains",
      "groups:\n  - path: acme\nprojects:\n  - path: acme/web\n    pages:\n      primary_domain: a.example\n",
      /line 6: projects\[0\]\.pages\.primary_domain: pages_primary_domain must be one of the domains/,
    ],
  ])("the error for an invalid fixture contains the line: %s", async (_, fixture, message) => {
    await expect(start({ fixture })).rejects.toThrow(message);
  });
});
