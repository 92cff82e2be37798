import * as fc from "fast-check";
import { type ClientEvent, type ClientOptions, createClient } from "../../src/api";
import { readRateLimit, readRetryAfter } from "../../src/http/rate-limit";
import { AdaptiveLimit, MAX_LIMIT } from "../../src/http/request-limits";
import { type Behaviour, empty, type FaultServer, json, startFaultServer } from "../api/support/fault-server";
import { projectOf, rateLimited } from "../api/support/rate-limited";
import { VirtualClock } from "../api/support/virtual-clock";

let server: FaultServer;
let events: ClientEvent[];
let clock: VirtualClock;
const start = async (...behaviours: [Behaviour, ...Behaviour[]]) => {
  server = await startFaultServer(...behaviours);
  events = [];
  clock = new VirtualClock();
};
const client = (options: ClientOptions = {}) =>
  createClient({
    baseUrl: server.baseUrl,
    token: "t",
    env: {},
    clock,
    onEvent: (event) => events.push(event),
    ...options,
  });
const readAll = (of: ReturnType<typeof client>, length: number) =>
  Promise.all(Array.from({ length }, (_, index) => of.projects.get(index + 1)));
const pauses = () => events.filter(({ type }) => type === "rate_limit");

describe("under a rate limit", () => {
  afterEach(() => server.close());

  test.each([
    ["that reports its state with every response", ["state", "retry-after"], 0],
    ["that only reports how long to wait", ["retry-after"], 1],
  ] as const)(
    "with a service %s, no request is refused twice",
    async (_, tells, mayBeRefused) => {
      const reads = 1000;
      const { behaviour, refused } = rateLimited(
        { limit: 600, window: 60_000, tells: [...tells], clock: { now: () => clock.now() } },
        projectOf,
      );
      await start(behaviour);
      const found = await readAll(client(), reads);
      expect(found.map(({ id }) => id)).toEqual(Array.from({ length: reads }, (_, index) => index + 1));
      expect(new Set(refused).size).toBe(refused.length);
      // If the service announces the remaining limit in time, the client stops before any refusal. Otherwise, the service
      // refuses at most the requests in flight.
      expect(refused.length).toBeLessThanOrEqual(mayBeRefused * MAX_LIMIT);
      expect(pauses().length).toBeGreaterThanOrEqual(1);
    },
    150_000,
  );

  test("the client also waits after a 429 that does not say how long to wait", async () => {
    await start(json(429, {}), projectOf);
    expect(await readAll(client(), 3)).toHaveLength(3);
    expect(pauses()).toHaveLength(1);
  });

  test("waiting for the end of a rate limit doesn't count against timeouts", async () => {
    await start(json(429, {}, { "retry-after": "3" }), projectOf);
    const hasty = client({ totalTimeout: 2, requestTimeout: 2 });
    await expect(hasty.projects.get(7)).resolves.toMatchObject({ id: 7 });
  });

  test("an endless rate limit ends with an error after the maximum number of attempts", async () => {
    await start(json(429, { message: "slow down" }, { "retry-after": "0" }));
    await expect(client({ maxAttempts: 2 }).projects.get(1)).rejects.toMatchObject({ code: "rate_limited" });
    expect(server.seen).toHaveLength(2);
  });

  test.each([
    ["Retry-After", () => ({ "retry-after": "3000" })],
    ["a reset", () => ({ "ratelimit-remaining": "0", "ratelimit-reset": "3000" })],
  ])(
    "if %s announces a wait of more than five minutes, the error contains the end of this wait",
    async (_, said) => {
      await start(json(429, {}, said()));
      const limited = client();
      const wait = /asks to wait 50 minutes, until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/;
      await expect(limited.projects.get(1)).rejects.toMatchObject({
        code: "rate_limited",
        message: expect.stringMatching(wait),
      });
      // Later requests fail in the same way without being sent.
      await expect(limited.projects.get(2)).rejects.toMatchObject({
        code: "rate_limited",
        message: expect.stringMatching(wait),
      });
      expect(server.seen).toHaveLength(1);
    },
  );

  test("if a successful response announces a pause of more than five minutes, the next request fails at once", async () => {
    await start((request, response) => {
      response.setHeader("ratelimit-remaining", "0");
      response.setHeader("ratelimit-reset", "3000");
      projectOf(request, response);
    });
    const limited = client();
    await expect(limited.projects.get(1)).resolves.toMatchObject({ id: 1 });
    await expect(limited.projects.get(2)).rejects.toMatchObject({ code: "rate_limited" });
    expect(server.seen).toHaveLength(1);
  });

  test("if a rate limit has no announced end, all calls end within the total timeout", async () => {
    await start(json(429, { message: "slow down" }));
    const hasty = client({ totalTimeout: 0.9, maxAttempts: 1000 });
    const all = await Promise.allSettled(
      Array.from({ length: 40 }, (_, index) => hasty.projects.get(index + 1)),
    );
    expect(all.map((each) => each.status === "rejected" && each.reason.code)).toEqual(
      Array.from({ length: 40 }, () => "rate_limited"),
    );
    // The client sends no request twice, because the pause before it would exceed the total timeout.
    expect(new Set(server.seen.map(({ target }) => target)).size).toBe(server.seen.length);
  });

  test("after an invalid Retry-After, the client uses its own pause", async () => {
    await start(json(429, {}, { "retry-after": "-5" }), projectOf);
    await expect(client({ totalTimeout: 0.9 }).projects.get(1)).rejects.toMatchObject({
      code: "rate_limited",
    });
  });

  test("if a pause that the service announced was too short, the service refuses no request twice", async () => {
    const refused: string[] = [];
    await start((request, response) => {
      const isEarly = refused.length < 15;
      if (isEarly) refused.push(request.target);
      (isEarly ? json(429, {}, { "retry-after": "0" }) : projectOf)(request, response);
    });
    expect(await readAll(client(), 20)).toHaveLength(20);
    expect(new Set(refused).size).toBe(15);
  });
});

describe("concurrent requests", () => {
  afterEach(() => server.close());

  /** Sends these requests, and returns the highest number that were in flight at the same time. */
  const widest = async (of: () => ReturnType<typeof client>, requests: number) => {
    let underWay = 0;
    let most = 0;
    await start((request, response) => {
      underWay += 1;
      most = Math.max(most, underWay);
      setImmediate(() => {
        underWay -= 1;
        projectOf(request, response);
      });
    });
    await readAll(of(), requests);
    return most;
  };

  test("maxConcurrency limits the concurrent requests of all calls of a client together", async () => {
    expect(await widest(() => client({ maxConcurrency: 3 }), 50)).toBeLessThanOrEqual(3);
  });

  test("the client never sends more than fifty requests at the same time", async () => {
    expect(await widest(() => client(), 400)).toBeLessThanOrEqual(MAX_LIMIT);
  });

  test("the client sends look-ups of projects, groups and users before other reads that wait for a permit", async () => {
    const seen: string[] = [];
    await start((request, response) => {
      seen.push(request.target.replace("/api/v4", "").replace(/\?.*/, ""));
      json(200, [])(request, response);
    });
    const api = client({ maxConcurrency: 1 });
    const pages = [1, 2, 3].map((id) => api.pages.get(id));
    const lookUps = [
      api.projects.get(5),
      api.groups.get(6),
      api.users.get(7),
      api.users.byUsername("ada"),
      api.groups.projects(8).pages(),
    ];
    await Promise.allSettled([...pages, ...lookUps]);
    expect(seen).toEqual([
      "/projects/1/pages",
      ...["/projects/5", "/groups/6", "/users/7", "/users", "/groups/8/projects"],
      ...["/projects/2/pages", "/projects/3/pages"],
    ]);
  });

  test("after ten fast responses, the concurrency limit doubles from ten to twenty", async () => {
    const held: (() => void)[] = [];
    let wave = 10;
    await start(projectOf, (request, response) => {
      held.push(() => projectOf(request, response));
      // The server responds only when a whole wave of requests has arrived. If the client sent fewer requests at the same
      // time, it would never get a response.
      if (held.length < wave) return;
      wave = wave === 10 ? 20 : 1;
      for (const answer of held.splice(0)) answer();
    });
    const api = client();
    await api.projects.get(1);
    expect(await readAll(api, 31)).toHaveLength(31);
  });
});

describe("the adaptive limit", () => {
  test("the adaptive limit stays between one and fifty for every sequence of responses", () => {
    const happening = fc.oneof(
      fc.constant("halve" as const),
      fc.record({ milliseconds: fc.integer({ min: 0, max: 5000 }), isSaturated: fc.boolean() }),
    );
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 300 }), (all) => {
        const width = new AdaptiveLimit();
        for (const each of all) {
          if (each === "halve") width.halve();
          else width.recordResponse("projects.get", each.milliseconds, each.isSaturated);
          expect(width.current).toBeGreaterThanOrEqual(1);
          expect(width.current).toBeLessThanOrEqual(MAX_LIMIT);
        }
      }),
    );
  });

  test("the adaptive limit halves after a refusal, and grows again after a fast response", () => {
    const width = new AdaptiveLimit();
    for (let count = 0; count < 100; count += 1) width.recordResponse("projects.get", 20, true);
    expect(width.current).toBe(50);
    width.halve();
    expect(width.current).toBe(25);
    width.recordResponse("projects.get", 20, true);
    expect(width.current).toBe(26);
  });

  test("the adaptive limit does not grow without queued requests", () => {
    const width = new AdaptiveLimit();
    for (let count = 0; count < 100; count += 1) width.recordResponse("projects.get", 20, false);
    expect(width.current).toBe(10);
  });

  test("the adaptive limit shrinks if the responses of one operation become slower", () => {
    const width = new AdaptiveLimit();
    for (let count = 0; count < 30; count += 1) {
      width.recordResponse("projects.get", 20, false);
      width.recordResponse("projects.list", 800, false);
    }
    expect(width.current).toBe(10);
    for (let count = 0; count < 30; count += 1) width.recordResponse("projects.get", 2000, true);
    expect(width.current).toBeLessThan(10);
  });
});

describe("rate limit headers", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");
  const date = "Thu, 01 Jan 2026 00:05:00 GMT";

  test.each([
    ["a Unix time, by the service's own clock", { reset: String(now / 1000 + 330), date }, 30_000],
    ["a Unix time, without its clock", { reset: String(now / 1000 + 30) }, 30_000],
    ["seconds from now", { reset: "30", date }, 30_000],
    ["a moment in the past", { reset: String(now / 1000 - 30) }, 0],
  ])("the reset time in the headers can be %s", (_, headers, milliseconds) => {
    expect(readRateLimit({ remaining: "7", ...headers }, now)).toEqual({
      remaining: 7,
      resetsAt: now + milliseconds,
    });
  });

  test.each([
    [{}],
    [{ remaining: "7" }],
    [{ remaining: "many", reset: "30" }],
    [{ remaining: "7", reset: String(now) }],
  ])("invalid rate limit headers are ignored: %j", (headers) => {
    expect(readRateLimit(headers, now)).toBeUndefined();
  });

  test.each([
    ["5", 5000],
    ["0", 0],
    ["Thu, 01 Jan 2026 00:00:05 GMT", 5000],
    ["Wed, 31 Dec 2025 00:00:00 GMT", 0],
    ["Wednesday, 31-Dec-25 00:00:00 GMT", 0],
    ["Thu Jan  1 00:00:05 2026", 5000],
    ["600", 600_000],
    ["soon", undefined],
    ["", undefined],
    ["-5", undefined],
    ["1e9", undefined],
    ["99999999999", undefined],
    ["9".repeat(400), undefined],
    ["in 5 minutes", undefined],
    ["Thu, 99 Foo 2026 00:00:05 GMT", undefined],
    [undefined, undefined],
  ])("Retry-After %s means %s milliseconds", (text, milliseconds) => {
    expect(readRetryAfter(text === undefined ? {} : { "retry-after": text }, now)).toBe(milliseconds);
  });
});

test("the client compares a date in Retry-After with the clock of the service", () => {
  const now = Date.parse("2026-01-01T00:10:00Z");
  const headers = { "retry-after": "Thu, 01 Jan 2026 00:00:05 GMT", date: "Thu, 01 Jan 2026 00:00:00 GMT" };
  expect(readRetryAfter(headers, now)).toBe(5000);
});

test("events report every attempt of a request, with the reason for a retry", async () => {
  await start(json(503, {}), empty(204));
  await client({ token: "secret-token", retryDelay: 0.001 }).pages.unpublish("group/project");
  expect(events).toEqual([
    {
      type: "request",
      operation: "pages.unpublish",
      method: "DELETE",
      path: "/projects/group%2Fproject/pages",
      attempt: 1,
    },
    expect.objectContaining({ type: "answer", attempt: 1, status: 503, milliseconds: expect.any(Number) }),
    expect.objectContaining({ type: "retry", attempt: 1, reason: "the service responded with 503" }),
    expect.objectContaining({ type: "request", attempt: 2 }),
    expect.objectContaining({ type: "answer", attempt: 2, status: 204 }),
  ]);
  await server.close();
});
