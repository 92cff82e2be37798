import { EventEmitter, getEventListeners, once } from "node:events";
import { type ClientEvent, type ClientOptions, createClient } from "../../src/api";
import { failureOf } from "../api/support/failure-of";
import { type Behaviour, type FaultServer, json, startFaultServer } from "../api/support/fault-server";

const PROJECT = json(200, { id: 1, path_with_namespace: "group/project" });
const ADDED = json(201, { source_project_id: 1, target_group_id: 2 });
/** A delay in milliseconds. A test fails if it waits this long, because it expects a shorter time. */
const LONG = 600;

let server: FaultServer;
let stop: AbortController;
let told: EventEmitter;
const start = async (...behaviours: [Behaviour, ...Behaviour[]]) => {
  server = await startFaultServer(...behaviours);
  stop = new AbortController();
  told = new EventEmitter();
};
afterEach(() => server.close());

const client = (options: ClientOptions = {}) =>
  createClient({
    baseUrl: server.baseUrl,
    token: "token-of-these-tests",
    env: {},
    stop: stop.signal,
    onEvent: (event: ClientEvent) => void told.emit(event.type),
    ...options,
  });
const methods = () => server.seen.map(({ method }) => method);

/** Returns a behaviour that stops the client as soon as a request arrives, and then responds. */
const stopThen =
  (answer: Behaviour): Behaviour =>
  (request, response) => {
    stop.abort();
    setImmediate(() => answer(request, response));
  };

test("after a stop, the client waits for the response to a change that was already sent", async () => {
  await start(stopThen(ADDED));
  await expect(client().jobTokenScope.addGroup(1, 2)).resolves.toMatchObject({ target_group_id: 2 });
});

test("after a stop, the client refuses a new change, and the error says that the change was not sent", async () => {
  await start(PROJECT);
  const wound = client();
  stop.abort();
  const error = await failureOf(wound.jobTokenScope.addGroup(1, 2));
  expect(error).toMatchObject({ code: "cancelled", mayHaveBeenDone: false });
  expect(methods()).toEqual([]);
});

test("after a stop, the client sends each read once, without a retry", async () => {
  await start(PROJECT, json(503, {}), PROJECT);
  const wound = client();
  stop.abort();
  await expect(wound.projects.get(1)).resolves.toMatchObject({ id: 1 });
  expect((await failureOf(wound.projects.get(1))).code).not.toBe("");
  expect(methods()).toEqual(["GET", "GET"]);
});

describe("a stop ends a wait at once", () => {
  test("a stop ends the wait for a rate limit, both for reads and for changes", async () => {
    await start(json(429, {}, { "retry-after": "120" }));
    const waiting = client();
    const paused = once(told, "rate_limit");
    const calls = [waiting.projects.get(1), waiting.jobTokenScope.addGroup(1, 2)].map(failureOf);
    await paused;
    stop.abort();
    for (const error of await Promise.all(calls)) expect(error).toMatchObject({ mayHaveBeenDone: false });
    const sent = server.seen.length;
    // A request after the stop ends at once.
    expect((await failureOf(waiting.projects.get(1))).code).toBe("cancelled");
    expect(server.seen).toHaveLength(sent);
  });

  test("a stop ends the wait before the next attempt", async () => {
    await start(json(503, {}, { "retry-after": "120" }));
    const retried = once(told, "retry");
    const call = failureOf(client().projects.get(1));
    await retried;
    stop.abort();
    expect((await call).code).toBe("cancelled");
    expect(methods()).toEqual(["GET"]);
  });

  test("after a change lost its response, a stop ends the wait before the verifying read", async () => {
    await start(json(504, {}));
    const looking = client({ retryDelay: LONG });
    const lost = await failureOf(looking.jobTokenScope.addGroup(1, 2));
    const retried = once(told, "retry");
    const pause = failureOf(looking.pauseBeforeVerify(lost, 1));
    await retried;
    stop.abort();
    expect(await pause).toMatchObject({ code: "cancelled", mayHaveBeenDone: true });
  });

  test("a stop ends the wait of a change for a permit", async () => {
    await start(stopThen(ADDED));
    const narrow = client({ maxConcurrency: 1 });
    const first = narrow.jobTokenScope.addGroup(1, 2);
    const second = failureOf(narrow.jobTokenScope.addGroup(1, 3));
    await expect(first).resolves.toMatchObject({ target_group_id: 2 });
    expect(await second).toMatchObject({ code: "cancelled", mayHaveBeenDone: false });
    expect(methods()).toEqual(["POST"]);
  });
});

describe("a silent service", () => {
  test("after a stop, the client waits at most one request timeout for a change without a response", async () => {
    await start(() => stop.abort());
    const error = await failureOf(
      client({ requestTimeout: 0.05, retryDelay: LONG }).jobTokenScope.addGroup(1, 2),
    );
    expect(error).toMatchObject({ code: "lost_answer", mayHaveBeenDone: true });
  });

  test("after a stop, the client waits at most one request timeout in total for all reads without a response", async () => {
    await start(PROJECT, () => undefined);
    const wound = client({ requestTimeout: 0.2 });
    stop.abort();
    await failureOf(wound.projects.get(1).then(() => wound.projects.get(2)));
    expect((await failureOf(wound.projects.get(3))).code).toBe("cancelled");
    expect(methods()).toEqual(["GET", "GET"]);
  });
});

test("a closed client leaves no timer", async () => {
  await start(PROJECT);
  const closed = client({ requestTimeout: LONG });
  await closed.projects.get(1);
  stop.abort();
  await closed.close();
});

test("a closed client leaves no listener on its abort signals", async () => {
  await start(PROJECT, json(503, {}), PROJECT);
  const signal = AbortSignal.any([stop.signal]);
  const wound = client({ stop: signal, signal });
  await Promise.all([1, 2, 3].map(() => wound.projects.get(1)));
  await wound.close();
  expect(getEventListeners(signal, "abort")).toEqual([]);
});
