import { createClient } from "../../src/api";
import { type Service, startService } from "../../src/testing";
import { failureOf } from "./support/failure-of";
import { json, startFaultServer } from "./support/fault-server";

// The live platform redirects a read that names a project by its old path. It refuses a write to an old path with 405 and
// does not execute the write. The tests check that the client then sends the write again with the project's id.

const OLD = "acme/old-web";
let service: Service;
let client: ReturnType<typeof createClient>;
beforeEach(async () => {
  service = await startService({
    compat: "observed",
    fixture: {
      groups: [{ path: "acme", id: 100 }],
      projects: [
        { path: "acme/web", id: 1, former_paths: [OLD], job_token_scope: { inbound_enabled: false } },
        { path: "acme/tools", id: 2 },
      ],
    },
  });
  client = createClient({ baseUrl: service.url, token: service.adminToken, env: {} });
});
afterEach(async () => {
  await client.close();
  await service.close();
});
const sent = () => service.requests.all.map(({ method, url, status }) => `${method} ${url} ${status}`);
const level = { deploy_access_levels: [{ access_level: 40 as const }] };

test("if a write uses the old path of a moved project, the client repeats the write with the project's id", async () => {
  await client.jobTokenScope.update(OLD, { enabled: true });
  expect(sent()).toEqual([
    "PATCH /api/v4/projects/acme%2Fold-web/job_token_scope 405",
    "GET /api/v4/projects/acme%2Fold-web 301",
    "GET /api/v4/projects/1 200",
    "PATCH /api/v4/projects/1/job_token_scope 204",
  ]);
  expect(await client.jobTokenScope.get(1)).toMatchObject({ inbound_enabled: true });
});

test("each of six kinds of write to the old path of a moved project is executed exactly once", async () => {
  await client.protectedEnvironments.protect(OLD, { name: "production", ...level });
  const { deploy_access_levels } = await client.protectedEnvironments.update(OLD, "production", {
    deploy_access_levels: [{ access_level: 30 }],
  });
  expect(deploy_access_levels.map(({ access_level }) => access_level)).toEqual([40, 30]);
  await client.protectedEnvironments.unprotect(OLD, "production");
  await client.projectInvitations.create(OLD, { email: "ada@example.com", access_level: 30 });
  await client.projectInvitations.delete(OLD, "ada@example.com");
  await client.jobTokenScope.addProject(OLD, 2);
  expect(await client.protectedEnvironments.list(1).toArray()).toEqual([]);
  expect(await client.projectInvitations.list(1).toArray()).toEqual([]);
  const answered = sent().filter((one) => !one.startsWith("GET") && !one.endsWith(" 405"));
  expect(answered).toHaveLength(6);
});

test("if a write to an old path is sent again by id and refused, the error contains this refusal", async () => {
  await client.protectedEnvironments.protect(1, { name: "production", ...level });
  const again = client.protectedEnvironments.protect(OLD, { name: "production", ...level });
  expect(await failureOf(again)).toMatchObject({ code: "already_there", status: 409 });
});

describe("a write that ends with the status 405", () => {
  const refused = json(405, { message: "405 Method Not Allowed" });
  const web = { id: 1, path_with_namespace: "acme/web" };

  test.each([
    ["the path is the project's current path", "acme/web", [refused, json(200, web)], ["PATCH", "GET"]],
    [
      "the project can't be read",
      OLD,
      [refused, json(404, { message: "404 Project Not Found" })],
      ["PATCH", "GET"],
    ],
    ["the project is given by its id", 1, [refused], ["PATCH"]],
    ["the write by id is refused too", OLD, [refused, json(200, web), refused], ["PATCH", "GET", "PATCH"]],
  ] as const)(
    "if %s, the error of a 405 suggests the numeric id or new path",
    async (_, project, behaviours, methods) => {
      const server = await startFaultServer(
        ...(behaviours as unknown as Parameters<typeof startFaultServer>),
      );
      const direct = createClient({ baseUrl: server.baseUrl, token: "t", env: {} });
      const problem = await failureOf(direct.jobTokenScope.update(project, { enabled: true }));
      expect(problem).toMatchObject({ code: "method_not_allowed", status: 405, mayHaveBeenDone: false });
      expect(problem.message).toContain("use its numeric id or new path");
      expect(server.seen.map(({ method }) => method)).toEqual(methods);
      await direct.close();
      await server.close();
    },
  );
});
