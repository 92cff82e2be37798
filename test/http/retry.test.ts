import { EventEmitter, once } from "node:events";
import * as fc from "fast-check";
import { type ClientEvent, type ClientOptions, createClient } from "../../src/api";
import { fullJitter } from "../../src/http/retry";
import { failureOf } from "../api/support/failure-of";
import {
  type Behaviour,
  cut,
  empty,
  type FaultServer,
  halfABody,
  huge,
  json,
  slowBytes,
  startFaultServer,
} from "../api/support/fault-server";

const PROJECT = json(200, { id: 1, path_with_namespace: "group/project" });
const INVITATION = json(200, { invite_email: "ann@example.com", access_level: 30 });
const ENVIRONMENT = json(200, { name: "production", deploy_access_levels: [] });

let server: FaultServer;
let events: ClientEvent[];
const start = async (...behaviours: [Behaviour, ...Behaviour[]]) => {
  server = await startFaultServer(...behaviours);
  events = [];
};
const client = (options: ClientOptions = {}) =>
  createClient({
    baseUrl: server.baseUrl,
    token: "token-of-these-tests",
    env: {},
    retryDelay: 0.001,
    onEvent: (event) => events.push(event),
    ...options,
  });
afterEach(() => server.close());

describe("repeatable requests", () => {
  const faults: [string, Behaviour][] = [
    ["a cut connection", cut],
    ["half a body", halfABody],
    ["502", json(502, {})],
    ["503", json(503, {})],
    ["503 with Retry-After", json(503, {}, { "retry-after": "0" })],
    ["504", json(504, {})],
    ["429 with Retry-After", json(429, {}, { "retry-after": "0" })],
  ];

  const requests: [string, (of: ReturnType<typeof client>) => Promise<unknown>, Behaviour][] = [
    ["GET ", (of) => of.projects.get(1), PROJECT],
    ["DELETE ", (of) => of.protectedEnvironments.unprotect(1, "production"), empty(204)],
    [
      'PUT {"access_level":30}',
      (of) => of.groupInvitations.update(1, "ann@example.com", { access_level: 30 }),
      INVITATION,
    ],
  ];

  test.each(
    requests.flatMap((request) => faults.map(([what, fault]) => [request[0], what, fault, request] as const)),
  )("%s is sent again with its body after %s", async (sent, _, fault, [, call, success]) => {
    await start(fault, success);
    await call(client());
    expect(server.seen.map(({ method, body }) => `${method} ${body}`)).toEqual([sent, sent]);
  });

  test("a GET is retried after the connection was cut before the service read anything", async () => {
    await start(PROJECT);
    server.cutConnections(2);
    await expect(client().projects.get(1)).resolves.toMatchObject({ id: 1 });
    expect(events.filter(({ type }) => type === "request")).toHaveLength(3);
    expect(server.seen).toHaveLength(1);
  });

  test("a GET whose response takes longer than requestTimeout is sent again", async () => {
    await start(slowBytes, PROJECT);
    await expect(client({ requestTimeout: 1 }).projects.get(1)).resolves.toMatchObject({ id: 1 });
    expect(events.map(({ type }) => type)).toEqual(["request", "retry", "request", "answer"]);
  });

  test("with maxAttempts = 3, a request that always returns 503 is sent three times", async () => {
    await start(json(503, { message: "closed" }));
    const error = await failureOf(client({ maxAttempts: 3 }).projects.get(1));
    expect(error).toMatchObject({ code: "service_unavailable", serviceMessage: "closed" });
    expect(server.seen).toHaveLength(3);
  });

  test("if Retry-After is longer than the total timeout, the client reports an error without a wait", async () => {
    await start(json(503, {}, { "retry-after": "100" }));
    const error = await failureOf(client({ totalTimeout: 60 }).projects.get(1));
    expect(error.code).toBe("service_unavailable");
    expect(error.message).toMatch(/503, and asks to wait 100 seconds, until .* UTC/);
    expect(server.seen).toHaveLength(1);
  });

  test.each([
    [500, "service_failed"],
    [404, "not_found"],
    [401, "unauthorized"],
  ])("the status %i is not retried", async (status, code) => {
    await start(json(status, { message: `${status} Project Not Found` }));
    expect((await failureOf(client().projects.get(1))).code).toBe(code);
    expect(server.seen).toHaveLength(1);
  });

  test("if a DELETE loses its response and the retry can't connect, the error says that the outcome is unknown", async () => {
    await start((_, response) => {
      response.socket?.destroy();
      void server.close();
    });
    const error = await failureOf(client({ maxAttempts: 2 }).protectedEnvironments.unprotect(1, "x"));
    expect(error).toMatchObject({ code: "lost_answer", mayHaveBeenDone: true });
  });
});

describe("requests that must not be repeated", () => {
  const changes: [string, (of: ReturnType<typeof client>) => Promise<unknown>, Behaviour][] = [
    [
      "POST",
      (of) => of.jobTokenScope.addGroup(1, 2),
      json(201, { source_project_id: 1, target_group_id: 2 }),
    ],
    ["PATCH", (of) => of.jobTokenScope.update(1, { enabled: true }), empty(204)],
    ["PUT", (of) => of.protectedEnvironments.update(1, "production", {}), ENVIRONMENT],
  ];

  test.each(changes)(
    "the client retries a %s after 429, because the service did not execute the request",
    async (_, change, success) => {
      await start(json(429, {}, { "retry-after": "0" }), success);
      await change(client());
      expect(server.seen).toHaveLength(2);
    },
  );

  const ambiguous: [string, Behaviour, object][] = [
    ["a lost response", cut, { code: "lost_answer", mayHaveBeenDone: true }],
    ["a gateway timeout", json(504, {}), { code: "lost_answer", status: 504, mayHaveBeenDone: true }],
    ["503", json(503, {}), { code: "service_unavailable" }],
  ];
  test.each(changes.flatMap(([name, change]) => ambiguous.map((one) => [name, ...one, change] as const)))(
    "a %s is not retried after %s",
    async (_name, _what, fault, told, change) => {
      await start(fault);
      expect(await failureOf(change(client()))).toMatchObject(told);
      expect(server.seen).toHaveLength(1);
    },
  );

  test.each(changes)(
    "a %s is not retried after the connection was cut before the service read the request",
    async (_, change, success) => {
      await start(success);
      server.cutConnections(1);
      // The server has recorded nothing, but the client can't know whether the service read the request.
      expect(await failureOf(change(client()))).toMatchObject({ code: "lost_answer", mayHaveBeenDone: true });
      expect(server.seen).toEqual([]);
    },
  );

  test("even a PATCH is retried if no connection can be established", async () => {
    await start(empty(204));
    await server.close();
    const attempt = client({ maxAttempts: 3 }).jobTokenScope.update(1, { enabled: true });
    expect(await failureOf(attempt)).toMatchObject({ code: "unreachable", mayHaveBeenDone: false });
    expect(events.filter(({ type }) => type === "retry")).toHaveLength(2);
  });
});

describe("a large response", () => {
  test("a response of 20 MiB is read, because the default limit is 32 MiB", async () => {
    await start(huge(20 * 1024 * 1024));
    await expect(client().projects.get(1)).resolves.toMatchObject({ id: 1 });
  });

  test("maxAnswerBytes allows a response that is larger than the default limit", async () => {
    await start(huge(50_000_000));
    const found = await client({ maxAnswerBytes: 64 * 1024 * 1024 }).projects.get(1);
    expect(found.description).toHaveLength(50_000_000);
  });
});

describe("cancellation", () => {
  test("cancelling a call ends this call and closes its connection at once", async () => {
    const abort = new AbortController();
    const closed = new EventEmitter();
    const isClosed = once(closed, "close");
    await start((_, response) => {
      response.on("close", () => closed.emit("close"));
      abort.abort();
    });
    const error = await failureOf(client().jobTokenScope.addGroup(1, 2, { signal: abort.signal }));
    expect(error).toMatchObject({ name: "CancelledError", code: "cancelled", mayHaveBeenDone: true });
    await isClosed;
  });

  test("a call that is cancelled before it starts sends nothing", async () => {
    await start(PROJECT);
    const error = await failureOf(client({ signal: AbortSignal.abort() }).projects.get(1));
    expect(error).toMatchObject({ code: "cancelled", mayHaveBeenDone: false });
    expect(server.seen).toEqual([]);
  });

  test("cancelling ends a pause between two attempts", async () => {
    await start(json(503, {}, { "retry-after": "100" }));
    const abort = new AbortController();
    const work = client({ onEvent: ({ type }) => type === "retry" && abort.abort() }).projects.get(1, {
      signal: abort.signal,
    });
    expect((await failureOf(work)).code).toBe("cancelled");
  });

  test("cancelling ends the wait for a permit", async () => {
    const abort = new AbortController();
    await start(() => abort.abort());
    const narrow = client({ maxConcurrency: 1, signal: abort.signal });
    const errors = await Promise.all([failureOf(narrow.projects.get(1)), failureOf(narrow.projects.get(2))]);
    expect(errors.map(({ code }) => code)).toEqual(["cancelled", "cancelled"]);
    expect(server.seen).toHaveLength(1);
  });
});

test("the maximum pause between attempts doubles with each attempt, up to half a minute", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100 }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (attempt, random) => {
        const pause = fullJitter(500, attempt, () => random);
        expect(pause).toBeGreaterThanOrEqual(0);
        expect(pause).toBeLessThanOrEqual(Math.min(30_000, 500 * 2 ** (attempt - 1)));
      },
    ),
  );
});
