import { connect } from "node:net";
import { startService } from "cdktf-provider-steward/testing";
import { commaSeparated } from "../../../src/service/http/parameters";
import { client } from "../client";
import { useCompany } from "../use-company";

// Cases of parameters that transcripts cannot express. All other cases are in transcripts/parameters.transcript.

const { send, service } = useCompany("all tests");

const scope = "/projects/1/job_token_scope";

test("in a parameter with comma-separated values, the service ignores spaces and empty values", () => {
  expect(commaSeparated().parse("a, b,,c,")).toEqual(["a", "b", "c"]);
  expect(commaSeparated().parse("")).toEqual([]);
});

test("the service accepts parameters as multipart form data", async () => {
  const body = new FormData();
  body.set("enabled", "false");
  const headers = { "private-token": service().adminToken };
  const response = await fetch(`${service().url}/api/v4${scope}`, { method: "PATCH", headers, body });
  expect(response.status).toBe(204);
  expect((await send("GET", scope)).body).toMatchObject({ inbound_enabled: false });
});

test.each([
  ["an empty body under a JSON content type", ""],
  ["an empty object", "{}"],
])("the service accepts a DELETE request with %s", async (_, body) => {
  await send("POST", `${scope}/allowlist`, { json: { target_project_id: 2 } });
  const response = await fetch(`${service().url}/api/v4${scope}/allowlist/2`, {
    method: "DELETE",
    headers: { "private-token": service().adminToken, "content-type": "application/json" },
    body,
  });
  expect(response.status).toBe(204);
  expect(await response.text()).toBe("");
});

test("the service returns 414 for a query longer than 8 KiB", async () => {
  expect((await send("GET", `/user?q=${"a".repeat(8_190)}`)).status).toBe(200);
  expect((await send("GET", `/user?q=${"a".repeat(8_191)}`)).status).toBe(414);
});

test("for a query of 2 MB, the service returns 414 instead of Node's status 431", async () => {
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

test("the service returns 413 for a body that is longer than bodyLimit", async () => {
  const small = await startService({ settings: { bodyLimit: 1_000 } });
  const json = { name: "a".repeat(1_000) };
  expect((await client(small)("POST", "/projects", { json })).status).toBe(413);
  await small.close();
});

test("the service ignores a key __proto__ in a JSON body, like any unknown key", async () => {
  const json = JSON.parse('{"__proto__": {"enabled": true}}') as unknown;
  expect((await send("PATCH", scope, { json })).body).toEqual({ error: "enabled is missing" });
});
