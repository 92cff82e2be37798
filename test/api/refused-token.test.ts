import { createClient, KnownTokens } from "../../src/api";
import { failureOf } from "./support/failure-of";
import { type Behaviour, type FaultServer, json, startFaultServer } from "./support/fault-server";

// If the service refuses a token for one object, it refuses the token for all objects. The tests check that a run of
// hundreds of objects stops after a few requests.

let server: FaultServer;
afterEach(() => server.close());

const client = (options = {}) =>
  createClient({ baseUrl: server.baseUrl, token: "t", env: {}, maxAttempts: 1, ...options });
const refused = json(401, { message: "401 Unauthorized" });
const record = json(200, { id: 1, username: "ada", path_with_namespace: "a/b" });

test("300 concurrent calls with a refused token send at most four requests in total", async () => {
  server = await startFaultServer(refused);
  const api = client();
  const failures = await Promise.all(
    Array.from({ length: 300 }, (_, index) => failureOf(api.projects.get(index + 1))),
  );
  expect(new Set(failures.map(({ code }) => code))).toEqual(new Set(["unauthorized"]));
  expect(server.seen.length).toBeLessThanOrEqual(4);
  expect(server.seen.filter(({ target }) => target === "/user")).toHaveLength(1);
  const { length } = server.seen;
  expect((await failureOf(api.users.current())).code).toBe("unauthorized");
  expect(server.seen).toHaveLength(length);
});

test.each<[string, Behaviour]>([
  ["response", record],
  ["failure to get a response", (_, response) => response.destroy()],
])("after the first %s, the client sends all waiting requests", async (_, first) => {
  const waiting: (() => void)[] = [];
  const wait: Behaviour = (...parts) => void waiting.push(() => record(...parts));
  const release: Behaviour = (...parts) => {
    for (const respond of waiting.splice(0)) respond();
    record(...parts);
  };
  server = await startFaultServer(wait, wait, first, release);
  const api = client();
  await Promise.allSettled([1, 2, 3, 4, 5].map((id) => api.projects.get(id)));
  expect(server.seen).toHaveLength(5);
});

test("if a token is revoked during a run, the next 20 calls send four requests in total", async () => {
  server = await startFaultServer(record, record, refused);
  const api = client();
  await api.projects.get(1);
  await api.projects.get(1);
  for (let index = 0; index < 20; index += 1) await failureOf(api.projects.get(1));
  expect(server.seen).toHaveLength(2 + 3 + 1);
});

test("if an operation returns 401 for a valid token, 20 calls of the operation send GET /user three times", async () => {
  server = await startFaultServer((request, response) =>
    (request.target === "/user" ? record : refused)(request, response),
  );
  const api = client();
  for (let index = 0; index < 20; index += 1)
    expect((await failureOf(api.projects.get(1))).code).toBe("unauthorized");
  expect(server.seen.filter(({ target }) => target === "/user")).toHaveLength(3);
  expect(server.seen.filter(({ target }) => target !== "/user")).toHaveLength(20);
});

test("if one client's token was refused, other clients with the same KnownTokens send no request with this token", async () => {
  server = await startFaultServer((request, response) =>
    (request.headers["private-token"] === "good" ? record : refused)(request, response),
  );
  const knownTokens = new KnownTokens();
  for (let index = 0; index < 40; index += 1) {
    const { code } = await failureOf(client({ knownTokens }).projects.get(1));
    expect(code).toBe("unauthorized");
  }
  expect(server.seen.map(({ target }) => target)).toEqual(["/projects/1", "/user"]);
  expect(await client({ knownTokens, token: "good" }).projects.get(1)).toMatchObject({ id: 1 });
});

test("a client without a token sends every request, although the service refuses all", async () => {
  server = await startFaultServer(refused);
  const api = client({ token: undefined, anonymous: true });
  for (let index = 0; index < 5; index += 1) await failureOf(api.projects.get(1));
  expect(server.seen).toHaveLength(5);
});
