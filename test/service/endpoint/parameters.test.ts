import { connect } from "node:net";
import { startService } from "cdktf-provider-steward/testing";
import { client } from "../client";
import { useCompany } from "../use-company";

const { send, service } = useCompany("all tests");

const scope = "/projects/1/job_token_scope";
const FORM = { "content-type": "application/x-www-form-urlencoded" };

describe("Common rules: parameters come as a query, as JSON or as form fields", () => {
  test("parameters arrive as a query string, also of a write", async () => {
    expect((await send("PATCH", `${scope}?enabled=false`)).status).toBe(204);
    expect((await send("GET", scope)).body).toMatchObject({ inbound_enabled: false });
  });

  test("parameters arrive as JSON, whose content type may name a charset", async () => {
    const headers = { "content-type": "application/json; charset=utf-8" };
    expect((await send("PATCH", scope, { json: { enabled: true }, headers })).status).toBe(204);
  });

  test("parameters arrive as a form", async () => {
    expect((await send("PATCH", scope, { form: "enabled=true" })).status).toBe(204);
  });

  test("parameters arrive as multipart fields", async () => {
    const body = new FormData();
    body.set("enabled", "false");
    const headers = { "private-token": service().adminToken };
    const response = await fetch(`${service().url}/api/v4${scope}`, { method: "PATCH", headers, body });
    expect(response.status).toBe(204);
    expect((await send("GET", scope)).body).toMatchObject({ inbound_enabled: false });
  });

  test("the body wins over the query, and the path over both", async () => {
    await send("PATCH", `${scope}?enabled=false`, { json: { enabled: true } });
    expect((await send("GET", scope)).body).toMatchObject({ inbound_enabled: true });
    const answer = await send("DELETE", `${scope}/allowlist/999?target_project_id=1`);
    expect(answer.status).toBe(404);
  });

  test("unknown parameters are ignored, and paging of a single record too", async () => {
    expect((await send("GET", `${scope}?per_page=1&whatever[a][]=b`)).status).toBe(200);
  });

  test("null stands for what was left out", async () => {
    const json = {
      name: "with-null",
      deploy_access_levels: [{ access_level: 40, user_id: null, group_id: null }],
      approval_rules: null,
    };
    const answer = await send("POST", "/projects/1/protected_environments", { json });
    expect(answer).toMatchObject({ status: 201, body: { approval_rules: [] } });
    const missing = await send("PATCH", scope, { json: { enabled: null } });
    expect(missing).toMatchObject({ status: 400, body: { error: "enabled is missing" } });
  });
});

describe("Common rules: arrays of hashes, in every spelling", () => {
  const levels = [
    { access_level: 30, group_inheritance_type: 0 },
    { access_level: 40, group_inheritance_type: 1 },
  ];
  const one = (open: (index: number) => string) =>
    levels
      .flatMap((level, index) =>
        Object.entries(level).map(([key, value]) => `deploy_access_levels${open(index)}[${key}]=${value}`),
      )
      .join("&");

  test.each([
    ["name[0][key]", one((index) => `[${index}]`)],
    ["name[][key], where a repeated key opens the next element", one(() => "[]")],
    ["encoded brackets", one((index) => `%5B${index}%5D`)],
    ["numbers with gaps", one((index) => `[${index * 7}]`)],
  ])("%s", async (spelling, form) => {
    const name = encodeURIComponent(spelling);
    const answer = await send("POST", "/projects/1/protected_environments", { form: `name=${name}&${form}` });
    expect(answer).toMatchObject({ status: 201, body: { name: spelling, deploy_access_levels: levels } });
  });

  test("numbered elements in a JSON body too", async () => {
    const json = { name: "numbered", deploy_access_levels: { 0: levels[0], 1: levels[1] } };
    const answer = await send("POST", "/projects/1/protected_environments", { json });
    expect(answer).toMatchObject({ status: 201, body: { deploy_access_levels: levels } });
  });

  test.each([
    ["name[]=", "topics[]=a&topics[]=b"],
    ["one text with commas", "topics=a,b"],
    ["spaces around the commas", "topics=a%2C+b"],
  ])("a list of texts as %s", async (_, form) => {
    expect((await send("PUT", "/projects/2", { form })).body).toMatchObject({ topics: ["a", "b"] });
  });

  test("400 for a query that contradicts itself, which once got no answer at all", async () => {
    expect((await send("GET", "/user?a=b&a[c]=d")).status).toBe(400);
    expect((await send("GET", `/user?a${"[b]".repeat(20)}=c`)).status).toBe(400);
  });

  test("400 where one name is a text and a hash at once", async () => {
    const answer = await send("PUT", "/projects/2", { form: "topics=a&topics[b]=c" });
    expect(answer.status).toBe(400);
  });
});

describe("Null-able booleans: arguments are true or false alone", () => {
  test.each(["true", "false", "True", "FALSE"])("the text %s", async (text) => {
    expect((await send("PATCH", scope, { form: `enabled=${text}` })).status).toBe(204);
  });
  test.each([["yes"], ["1"], ["0"], ["on"], [""], [" true"]])("400 for the text '%s'", async (text) => {
    const answer = await send("PATCH", scope, { form: `enabled=${encodeURIComponent(text)}` });
    expect(answer).toMatchObject({ status: 400, body: { error: "enabled is invalid" } });
  });
  test.each([[1], [0], ["yes"], [[]], [{}], [[true]]])("400 for %j in JSON", async (enabled) => {
    expect((await send("PATCH", scope, { json: { enabled } })).status).toBe(400);
  });
});

describe("Common rules: `:id` is a number or an encoded path", () => {
  test.each([
    ["a number", "/projects/3"],
    ["an encoded path", "/projects/acme%2Fplatform%2Fimages"],
    ["an over-encoded path", "/projects/acme%2fplatform%2F%69mages"],
    ["another case", "/projects/ACME%2Fplatform%2Fimages"],
  ])("%s", async (_, path) => {
    expect((await send("GET", path)).body).toMatchObject({ id: 3 });
  });

  test("an encoded dot", async () => {
    await send("POST", "/projects", { json: { name: "site", path: "site.example", namespace_id: 100 } });
    expect((await send("GET", "/projects/acme%2Fsite%2Eexample")).status).toBe(200);
  });

  test.each([
    ["/projects/acme/web", "404 Not Found"],
    ["/projects/acme%252Fweb", "404 Project Not Found"],
    ["/nothing/here", "404 Not Found"],
  ])("404 for %s", async (path, text) => {
    const { status, body } = await send("GET", path);
    expect(status).toBe(404);
    expect(Object.values(body as object)).toEqual([text]);
  });

  test("a slash at the end changes nothing", async () => {
    expect((await send("GET", "/templates/platform_ci_ymls/")).body).toBeInstanceOf(Array);
  });

  test("a name with a slash, encoded", async () => {
    const json = { name: "review/feature 1", deploy_access_levels: [{ access_level: 40 }] };
    await send("POST", "/projects/2/protected_environments", { json });
    const answer = await send("GET", "/projects/2/protected_environments/review%2Ffeature%201");
    expect(answer).toMatchObject({ status: 200, body: { name: "review/feature 1" } });
  });

  test("400 for an id that has to be a number", async () => {
    expect((await send("DELETE", `${scope}/allowlist/web`)).body).toEqual({
      error: "target_project_id is invalid",
    });
  });
});

describe("what real clients send besides", () => {
  test.each([
    ["an empty body under a JSON content type", ""],
    ["an empty object", "{}"],
  ])("a DELETE with %s", async (_, body) => {
    await send("POST", `${scope}/allowlist`, { json: { target_project_id: 2 } });
    const response = await fetch(`${service().url}/api/v4${scope}/allowlist/2`, {
      method: "DELETE",
      headers: { "private-token": service().adminToken, "content-type": "application/json" },
      body,
    });
    expect(response.status).toBe(204);
    expect(await response.text()).toBe("");
  });

  test("a write without a body and without a content type", async () => {
    expect((await send("PUT", "/projects/2")).status).toBe(200);
  });

  test.each([
    ["broken JSON", "{", "application/json", 400],
    ["a JSON list", "[]", "application/json", 400],
    ["a content type that nobody knows", "<a/>", "application/xml", 415],
  ])("%s: %s", async (_, form, type, status) => {
    expect((await send("PUT", "/projects/2", { form, headers: { "content-type": type } })).status).toBe(
      status,
    );
  });

  test("several missing and wrong parameters are told together", async () => {
    const json = { deploy_access_levels: [{ access_level: "high" }] };
    expect((await send("POST", "/projects/1/protected_environments", { json })).body).toEqual({
      error: "name is missing, deploy_access_levels[0][access_level] is invalid",
    });
  });

  test("a missing level is told as missing, where it was told as invalid once", async () => {
    const json = { email: "somebody@example.com" };
    expect(await send("POST", "/projects/1/invitations", { json })).toMatchObject({
      status: 400,
      body: { error: "access_level is missing" },
    });
  });

  test("keys of JavaScript's own objects are data like any other", async () => {
    const json = JSON.parse('{"__proto__": {"enabled": true}, "constructor": 1}') as unknown;
    expect((await send("PATCH", scope, { json })).body).toEqual({ error: "enabled is missing" });
    const form = "__proto__[enabled]=true";
    expect((await send("PATCH", scope, { form, headers: FORM })).body).toEqual({
      error: "enabled is missing",
    });
  });
});

describe("Limits: long queries and large bodies", () => {
  test("a query of 8 KiB is taken, a longer one is 414", async () => {
    expect((await send("GET", `/user?q=${"a".repeat(8_190)}`)).status).toBe(200);
    expect((await send("GET", `/user?q=${"a".repeat(8_191)}`)).status).toBe(414);
  });

  test("414 wins over Node's own 431, for a query of any length", async () => {
    expect((await send("GET", `/user?q=${"a".repeat(100_000)}`)).status).toBe(414);
    const { hostname, port } = new URL(service().url);
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(`GET /api/v4/user?q=${"a".repeat(2_000_000)}`);
      });
      let text = "";
      socket.on("data", (chunk) => {
        text += chunk.toString();
        resolve(text);
        socket.destroy();
      });
      socket.on("error", reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 414 /);
  });

  test("413 for a body beyond the limit", async () => {
    const small = await startService({ settings: { bodyLimit: 1_000 } });
    const json = { name: "a".repeat(1_000) };
    expect((await client(small)("POST", "/projects", { json })).status).toBe(413);
    await small.close();
  });
});
