import { type Service, startService } from "cdktf-provider-steward/testing";
import { client } from "../client";
import { company, tokenOf } from "../company";

let service: Service;
let send: ReturnType<typeof client>;
beforeEach(async () => {
  const fixture = company();
  fixture.projects![1]!.pages = {
    domains: ["docs.acme.example", "www.acme.example"],
    primary_domain: "docs.acme.example",
    deployments: [
      { created_at: "2026-01-31T10:00:00Z", root_directory: "public" },
      { created_at: "2026-02-28", path_prefix: "review" },
    ],
  };
  service = await startService({ fixture, settings: { pagesHost: "pages.test" } });
  send = client(service);
});
afterEach(() => service.close());

const pages = "/projects/2/pages";

describe("Pages: settings", () => {
  test("GET gives every field, deployments included", async () => {
    expect(await send("GET", pages)).toMatchObject({
      status: 200,
      body: {
        url: "http://acme.pages.test/tools",
        is_unique_domain_enabled: false,
        force_https: true,
        primary_domain: "docs.acme.example",
        deployments: [
          {
            created_at: "2026-01-31T10:00:00.000Z",
            url: "http://acme.pages.test/tools",
            path_prefix: "",
            root_directory: "public",
          },
          {
            created_at: "2026-02-28T00:00:00.000Z",
            url: "http://acme.pages.test/tools/review",
            path_prefix: "review",
            root_directory: null,
          },
        ],
      },
    });
  });

  test("settled: GET is 200 also where nothing was deployed", async () => {
    expect(await send("GET", "/projects/1/pages")).toMatchObject({
      status: 200,
      body: { deployments: [], primary_domain: null },
    });
  });

  test("PATCH changes what is given and answers 200 with all", async () => {
    const answer = await send("PATCH", pages, { json: { pages_https_only: false } });
    expect(answer).toMatchObject({
      status: 200,
      body: { force_https: false, is_unique_domain_enabled: false, primary_domain: "docs.acme.example" },
    });
  });

  test("a unique domain gives the project a host of its own", async () => {
    const { body } = await send("PATCH", pages, { form: "pages_unique_domain_enabled=true" });
    expect(body).toMatchObject({
      is_unique_domain_enabled: true,
      url: expect.stringMatching(/^http:\/\/tools-\w+\.pages\.test$/),
    });
  });

  test("the primary domain must be one of the domains assigned", async () => {
    const patch = (pages_primary_domain: string) => send("PATCH", pages, { json: { pages_primary_domain } });
    expect((await patch("www.acme.example")).body).toMatchObject({ primary_domain: "www.acme.example" });
    expect((await patch("elsewhere.example")).status).toBe(400);
    expect((await send("GET", pages)).body).toMatchObject({ primary_domain: "www.acme.example" });
  });

  test('settled: `pages_primary_domain: ""` clears it', async () => {
    const answer = await send("PATCH", pages, { json: { pages_primary_domain: "" } });
    expect(answer.body).toMatchObject({ primary_domain: null });
  });

  test("a domain is assigned once on the whole instance", async () => {
    const json = { domain: "new.acme.example" };
    expect((await send("POST", "/projects/1/pages/domains", { json })).status).toBe(201);
    expect((await send("POST", "/projects/2/pages/domains", { json })).status).toBe(400);
    expect((await send("POST", "/projects/2/pages/domains", { json: { domain: "no domain" } })).status).toBe(
      400,
    );
  });

  test("GET lists the domains of the project by name, a page at a time", async () => {
    const namesOf = async (project: number, query = "") => {
      const answer = await send("GET", `/projects/${project}/pages/domains${query}`);
      return (answer.body as { domain: string }[]).map(({ domain }) => domain);
    };
    expect(await namesOf(2)).toEqual(["docs.acme.example", "www.acme.example"]);
    expect(await namesOf(2, "?per_page=1&page=2")).toEqual(["www.acme.example"]);
    expect(await namesOf(1)).toEqual([]);
  });
});

describe("Pages: remove", () => {
  test("settled: DELETE answers 204; the deployments are gone and the settings stay", async () => {
    expect(await send("DELETE", pages)).toMatchObject({ status: 204, body: undefined });
    expect((await send("GET", pages)).body).toMatchObject({
      deployments: [],
      primary_domain: "docs.acme.example",
    });
    expect((await send("DELETE", pages)).status).toBe(204);
  });
});

test("settled: 404 where Pages is off on the instance, and 403 still for a lower role", async () => {
  const off = await startService({ fixture: { ...company(), instance: { pages_enabled: false } } });
  const get = client(off);
  for (const method of ["GET", "PATCH", "DELETE"]) expect((await get(method, pages)).status).toBe(404);
  expect((await get("GET", pages, { token: tokenOf("developer") })).status).toBe(403);
  await off.close();
});
