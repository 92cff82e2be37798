import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { type Service, startService } from "cdktf-provider-steward/testing";
import { client } from "../client";
import { company, tokenOf } from "../company";

const fixture = () => {
  const made = company();
  made.projects![1]!.pages = { domains: ["docs.acme.example"], primary_domain: "docs.acme.example" };
  return made;
};

let service: Service;
let send: ReturnType<typeof client>;
afterEach(() => service.close());

describe("compat: strict, where nothing is said", () => {
  beforeEach(async () => {
    service = await startService({ fixture: fixture() });
    send = client(service);
  });

  test("the primary domain is the name of a domain or its https address, and is shown as it was set", async () => {
    const patch = async (pages_primary_domain: string) =>
      (await send("PATCH", "/projects/2/pages", { json: { pages_primary_domain } })).body;
    expect((await send("GET", "/projects/2/pages")).body).toMatchObject({
      primary_domain: "docs.acme.example",
    });
    expect(await patch("https://docs.acme.example")).toMatchObject({
      primary_domain: "https://docs.acme.example",
    });
    expect(await patch("docs.acme.example")).toMatchObject({ primary_domain: "docs.acme.example" });
    expect(await patch("")).toMatchObject({ primary_domain: null });
    expect(await patch("http://docs.acme.example")).toHaveProperty("message.pages_primary_domain");
  });

  test("a moved environment whose name is two dots keeps its name in the new address", async () => {
    const old = "/api/v4/projects/acme%2Fplatform%2Fold-images/protected_environments/%2E%2E?a=b";
    // fetch would take the name for a step up.
    const answer = get(service.url, { path: old, headers: { "private-token": service.adminToken } });
    const [{ headers }] = (await once(answer, "response")) as [IncomingMessage];
    answer.destroy();
    expect(headers.location).toBe(`${service.url}/api/v4/projects/3/protected_environments/%2E%2E?a=b`);
  });
});

describe("compat: observed", () => {
  beforeEach(async () => {
    service = await startService({ fixture: fixture(), compat: "observed" });
    send = client(service);
  });

  test("a Maintainer changes and unpublishes Pages, and a Developer does not", async () => {
    const change = (token: string) =>
      send("PATCH", "/projects/2/pages", { token, json: { pages_https_only: false } });
    expect(await change(tokenOf("maintainer"))).toMatchObject({ status: 200, body: { force_https: false } });
    expect((await change(tokenOf("developer"))).status).toBe(403);
    const { status } = await send("DELETE", "/projects/2/pages", { token: tokenOf("maintainer") });
    expect(status).toBe(204);
  });

  test("the primary domain is an https address, and a bare name is 400", async () => {
    const patch = (pages_primary_domain: string) =>
      send("PATCH", "/projects/2/pages", { json: { pages_primary_domain } });
    const shown = async () => (await send("GET", "/projects/2/pages")).body;
    expect(await shown()).toMatchObject({ primary_domain: "https://docs.acme.example" });
    expect((await patch("docs.acme.example")).status).toBe(400);
    expect((await patch("https://elsewhere.example")).status).toBe(400);
    expect((await patch("https://docs.acme.example")).status).toBe(200);
    expect(await shown()).toMatchObject({ primary_domain: "https://docs.acme.example" });
    expect((await patch("")).body).toMatchObject({ primary_domain: null });
  });

  test("an allowlist entry that is gone is 400, and one whose project is not found is 404 and stays", async () => {
    const list = "/projects/1/job_token_scope/allowlist";
    await send("POST", list, { json: { target_project_id: 2 } });
    expect((await send("DELETE", `${list}/2`)).status).toBe(204);
    expect(await send("DELETE", `${list}/2`)).toMatchObject({
      status: 400,
      body: { message: "400 Bad request - Target project is not in the job token scope" },
    });
    expect((await send("DELETE", `${list}/987654`)).status).toBe(404);
    const groups = "/projects/1/job_token_scope/groups_allowlist";
    await send("POST", groups, { json: { target_group_id: 101 } });
    expect((await send("POST", groups, { json: { target_group_id: 101 } })).body).toEqual({
      message: "Target group is already in the job token scope",
    });
    expect((await send("DELETE", `${groups}/101`)).status).toBe(204);
    expect(await send("DELETE", `${groups}/101`)).toMatchObject({
      status: 400,
      body: { message: "400 Bad request - Target group is not in the job token scope" },
    });
    expect((await send("DELETE", `${groups}/987654`)).status).toBe(404);
    expect((await send("DELETE", `${list}/1`)).status).toBe(400);
  });

  test("a second invitation of an address says that it has been taken", async () => {
    const invitation = { json: { email: "new@example.com", access_level: 30 } };
    await send("POST", "/projects/1/invitations", invitation);
    expect((await send("POST", "/projects/1/invitations", invitation)).body).toEqual({
      status: "error",
      message: { "new@example.com": "The member's email address has already been taken" },
    });
  });

  test("an invitation shows its expiry as a date, and a change answers with level and expiry alone", async () => {
    const path = "/projects/1/invitations";
    await send("POST", path, {
      json: { email: "new@example.com", access_level: 30, expires_at: "2099-12-31" },
    });
    expect((await send("GET", path)).body).toMatchObject([
      { invite_email: "new@example.com", expires_at: "2099-12-31" },
    ]);
    const { body } = await send("PUT", `${path}/new%40example.com`, { json: { access_level: 40 } });
    expect(body).toEqual({ access_level: 40, expires_at: "2099-12-31" });
  });

  test("templates are served under the public word alone", async () => {
    expect((await send("GET", "/templates/gitlab_ci_ymls")).status).toBe(200);
    for (const path of ["/templates/platform_ci_ymls", "/templates/platform_ci_ymls/Bash"]) {
      expect(await send("GET", path)).toMatchObject({ status: 404, body: { error: "404 Not Found" } });
    }
  });

  test("a write by the old path of a moved project is 405 and changes nothing, a read is redirected", async () => {
    const old = "/projects/acme%2Fplatform%2Fold-images/job_token_scope";
    const before = (await send("GET", "/projects/3/job_token_scope")).body;
    const refused = await send("PATCH", old, { json: { enabled: false } });
    expect(refused).toMatchObject({
      status: 405,
      body: { message: "Non GET methods are not allowed for moved projects" },
    });
    expect(refused.headers.get("location")).toBeNull();
    expect((await send("GET", old)).status).toBe(301);
    expect((await send("GET", "/projects/3/job_token_scope")).body).toEqual(before);
  });

  test("a list tells neither its total nor its last page", async () => {
    const { headers } = await send("GET", "/projects?per_page=1");
    expect(headers.get("x-next-page")).toBe("2");
    expect([headers.get("x-total"), headers.get("x-total-pages")]).toEqual([null, null]);
    expect(headers.get("link")).toMatch(/rel="next".*rel="first"$/);
  });
});
