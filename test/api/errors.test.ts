import { inspect } from "node:util";
import { type ClientOptions, createClient, type PagesUpdate } from "../../src/api";
import { failureOf } from "./support/failure-of";
import {
  type Behaviour,
  cut,
  empty,
  type FaultServer,
  json,
  redirect,
  startFaultServer,
} from "./support/fault-server";

const TOKEN = "secret-token-0123456789";
let server: FaultServer;

const client = (options: ClientOptions = {}) =>
  createClient({ baseUrl: server.baseUrl, token: TOKEN, env: {}, maxAttempts: 1, ...options });

afterEach(() => server.close());

describe("a refusal by the service", () => {
  test.each([
    [400, { error: "name is missing" }, "bad_request", "name is missing"],
    [401, { message: "401 Unauthorized" }, "unauthorized", "401 Unauthorized"],
    [403, { message: "403 Forbidden" }, "forbidden", "403 Forbidden"],
    [
      403,
      { error: "insufficient_scope", error_description: "Needs the scope api", scope: "api" },
      "insufficient_scope",
      "insufficient_scope: Needs the scope api",
    ],
    [404, { message: "404 Project Not Found" }, "not_found", "404 Project Not Found"],
    [409, { message: "could not be deleted" }, "conflict", "could not be deleted"],
    [409, { message: "already protected" }, "already_there", "already protected"],
    [
      400,
      { message: { target: ["is already on the list"] } },
      "already_there",
      "target is already on the list",
    ],
    [414, { message: "too long" }, "uri_too_long", "too long"],
    [422, { message: { base: ["no access"], name: ["a", "b"] } }, "unprocessable", "no access; name a, b"],
    [418, { message: "tea" }, "unexpected_status", "tea"],
    [429, { message: "slow down" }, "rate_limited", "slow down"],
    [500, { message: "broken" }, "service_failed", "broken"],
    [503, { message: "later" }, "service_unavailable", "later"],
  ])("the status %i with the body %j gives the error %s", async (status, body, code, serviceMessage) => {
    server = await startFaultServer(json(status, body));
    const error = await failureOf(client().projects.get("group/project"));
    expect(error).toMatchObject({
      name: "StatusError",
      code,
      status,
      serviceMessage,
      operation: "projects.get",
      method: "GET",
      path: "/projects/group%2Fproject",
      mayHaveBeenDone: false,
    });
    expect(error.message).toContain(serviceMessage);
  });

  test("if a proxy returns an HTML page with status 502, the error contains no message of the service", async () => {
    server = await startFaultServer((_, response) => {
      response.writeHead(502, { "content-type": "text/html" }).end("<h1>Bad Gateway</h1>");
    });
    const error = await failureOf(client().projects.get(1));
    expect(error).toMatchObject({ code: "service_unavailable", serviceMessage: undefined });
  });
});

describe("the token", () => {
  test("no error contains the token, even if the service repeats it", async () => {
    server = await startFaultServer(json(401, { message: `Token ${TOKEN} was revoked` }));
    const error = await failureOf(client().users.current());
    expect(inspect(error, { depth: null, showHidden: true })).not.toContain(TOKEN);
    expect(error.serviceMessage).toBe("Token [token] was revoked");
  });

  test.each([60, 75, 490])(
    "if a long text has the token after %i characters, the shortened text contains no part of the token",
    async (length) => {
      const text = `${"x".repeat(length)}${TOKEN}`;
      server = await startFaultServer(json(400, { message: text }), json(200, { id: text }));
      for (const error of [
        await failureOf(client().projects.get(1)),
        await failureOf(client().projects.get(1)),
      ]) {
        expect(error.message).not.toContain(TOKEN.slice(0, 5));
      }
    },
  );

  describe("with characters that JSON and URLs encode", () => {
    const token = 'odd-"to\\ken/1';
    const escaped = [...token]
      .map((each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join("");
    const inPath = encodeURIComponent(token);
    const body = (status: number, text: string): Behaviour => {
      return (_, response) => {
        response.writeHead(status, { "content-type": "application/json" }).end(text);
      };
    };

    test.each<[string, Behaviour]>([
      ["a message", json(401, { message: `bad ${token}` })],
      ["an escaped message", body(422, `{"message": "bad ${escaped}"}`)],
      ["a message with an address", json(400, { message: { name: [`bad ${inPath}`] } })],
      ["a field", json(200, { id: token })],
      ["an escaped field", body(200, `{"id": "${escaped}"}`)],
      ["an invalid JSON body", body(200, `${token} {`)],
      ["the content type", (_, response) => response.writeHead(200, { "content-type": token }).end("x")],
      ["a redirect out of the API", redirect(302, `/sign-in/${inPath}`)],
      ["a redirect within the API", redirect(302, `/api/v4/${inPath}`)],
      ["a link", json(200, [], { link: `</next/${inPath}>; rel="next"` })],
    ])("a token with encoded characters does not leak from %s", async (_, behaviour) => {
      server = await startFaultServer(behaviour);
      const events: unknown[] = [];
      const asked = client({ token, onEvent: (event) => events.push(event) });
      for (const error of [
        await failureOf(asked.projects.get(1)),
        await failureOf(asked.projects.list().toArray()),
      ]) {
        const told = inspect([error, error.message, events], { depth: null, showHidden: true });
        for (const part of [token, inPath, "ken/1", "ken%2F1"]) expect(told).not.toContain(part);
      }
    });

    test("if an invalid argument contains the token, the error shows [token] instead", async () => {
      server = await startFaultServer(empty(204));
      const wrong = { pages_primary_domain: [token], [token]: true } as unknown as PagesUpdate;
      const { message } = await failureOf(client({ token }).pages.update(1, wrong));
      expect(message).toContain("[token]");
      expect(message).not.toContain("ken/1");
    });
  });

  test("util.inspect of the client and of its events shows no token", async () => {
    server = await startFaultServer(empty(204));
    const events: unknown[] = [];
    const inspected = client({ onEvent: (event) => events.push(event) });
    await inspected.jobTokenScope.removeProject(1, 2);
    expect(events).toHaveLength(2);
    expect(inspect([inspected, events], { depth: null, showHidden: true })).not.toContain(TOKEN);
  });

  test("neither the error of a lost response nor the causes of this error contain the token", async () => {
    server = await startFaultServer(cut);
    const error = await failureOf(client().jobTokenScope.addProject(1, 2));
    expect(error.cause).toBeInstanceOf(Error);
    expect(inspect(error, { depth: null, showHidden: true })).not.toContain(TOKEN);
  });
});

describe("a response of an unexpected shape", () => {
  test("the error of an unexpected response names the request, the field and the value", async () => {
    server = await startFaultServer(json(200, [{ name: "production", deploy_access_levels: [{ id: "7" }] }]));
    const error = await failureOf(client().protectedEnvironments.list(1).toArray());
    expect(error).toMatchObject({ name: "UnexpectedAnswerError", code: "unexpected_answer", status: 200 });
    expect(error.message).toContain("GET /projects/1/protected_environments: ");
    expect(error.message).toContain('[0].deploy_access_levels[0].id should be a number, but it is "7"');
  });

  test("if a response with status 200 is an HTML page, the error contains the content type", async () => {
    server = await startFaultServer((_, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end("<form>Sign in</form>");
    });
    const error = await failureOf(client().projects.get(1));
    expect(error.code).toBe("unexpected_answer");
    expect(error.message).toContain("text/html");
  });

  test.each<[string, Behaviour]>([
    ["another shape", json(201, { strange: 1 })],
    ["invalid JSON", (_, response) => response.writeHead(201, { "content-type": "text/html" }).end("<p>")],
  ])("an unexpected response to a change leaves the outcome unknown: %s", async (_, behaviour) => {
    server = await startFaultServer(behaviour);
    const error = await failureOf(client().jobTokenScope.addProject(1, 2));
    expect(error).toMatchObject({ code: "unexpected_answer", mayHaveBeenDone: true });
    expect(error.message).toContain("may have been executed");
    expect(server.seen).toHaveLength(1);
  });

  test("the client accepts a project without a name, and refuses a project without path_with_namespace", async () => {
    server = await startFaultServer(json(200, { id: 1, path_with_namespace: "a/b" }), json(200, { id: 1 }));
    expect(await client().projects.get(1)).toMatchObject({ name: null, topics: [], archived: null });
    expect((await failureOf(client().projects.get(1))).message).toContain(
      "path_with_namespace should be text, but it is missing",
    );
  });
});

describe("a 404 to the first request", () => {
  const byPath =
    (user: number, body: object): Behaviour =>
    (request, response) =>
      json(request.target === "/user" ? user : 404, body)(request, response);

  test("if the first request and a request for /user return 404, the error says that base_url is wrong", async () => {
    server = await startFaultServer(byPath(404, { error: "404 Not Found" }));
    const api = client();
    const failures = await Promise.all([
      failureOf(api.projects.get("a/b")),
      failureOf(api.groups.get("a")),
      failureOf(api.projects.get("a/c")),
    ]);
    for (const { code, message } of failures) {
      expect(code).toBe("no_api");
      expect(message).toContain(`No API at ${server.baseUrl.replace(/\/$/, "")}`);
      expect(message).toContain("(404 for /user). Set base_url to the address of the service");
    }
    expect(server.seen.filter(({ target }) => target === "/user")).toHaveLength(1);
  });

  test.each([200, 401, 503])(
    "if the first request returns 404 and a request for /user returns %i, the error is not_found",
    async (user) => {
      server = await startFaultServer(byPath(user, { error: "404 Not Found" }));
      expect((await failureOf(client().projects.get("a/b"))).code).toBe("not_found");
    },
  );

  test("if the first request is for /user and returns 404, the error says that base_url is wrong, without another request", async () => {
    server = await startFaultServer(json(404, { error: "404 Not Found" }));
    expect((await failureOf(client().users.current())).code).toBe("no_api");
    expect(server.seen).toHaveLength(1);
  });

  test("if the message of the first 404 names the missing object, the error is not_found, without another request", async () => {
    server = await startFaultServer(byPath(404, { message: "404 Project Not Found" }));
    expect((await failureOf(client().projects.get("a/b"))).code).toBe("not_found");
    expect(server.seen).toHaveLength(1);
  });

  test("if the first request returned 200, a later 404 gives the error not_found", async () => {
    server = await startFaultServer(json(200, { id: 1 }), json(404, { error: "404 Not Found" }));
    const api = client();
    await failureOf(api.users.current());
    expect((await failureOf(api.projects.get("a/b"))).code).toBe("not_found");
    expect(server.seen).toHaveLength(2);
  });
});
