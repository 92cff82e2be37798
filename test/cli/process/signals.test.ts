import { EventEmitter, once } from "node:events";
import { existsSync, readdirSync, watch } from "node:fs";
import path from "node:path";
import { LocalBackend } from "../../../src/state/backends/local-backend";
import { HttpProxy, type Passage } from "../../support/http-proxy";
import { openPlace, type Place } from "../support/place";

let place: Place;
let proxy: HttpProxy | undefined;
beforeEach(async () => {
  place = await openPlace();
});
afterEach(async () => {
  proxy?.close();
  proxy = undefined;
  await place.close();
});

const LOCK = ".terraform.tfstate.lock.info";
/** A delay in milliseconds that exceeds the time limit of a test. */
const FOR_EVER = 600_000;

/** Starts a proxy in front of the service. `sent` lists the methods of the requests to the proxy. */
async function behind(pass: (passage: Passage) => Promise<void> | void) {
  const sent: string[] = [];
  const came = new EventEmitter();
  proxy = new HttpProxy(place.service.url, (passage) => {
    sent.push(passage.method);
    const passed = pass(passage);
    came.emit(passage.method);
    return passed;
  });
  return { env: { STEWARD_BASE_URL: await proxy.start() }, sent, came };
}

const silent = () => undefined;
const refusing = (passage: Passage) => passage.refuse(429, "429 Too Many Requests", { "retry-after": "120" });

const isLocked = (): boolean => existsSync(path.join(place.folder, LOCK));

test.each([
  ["SIGTERM", "a plan", ["plan"]],
  ["SIGINT", "a plan", ["plan"]],
  ["SIGHUP", "a plan", ["plan"]],
  ["SIGTERM", "a drift run", ["drift"]],
] as const)(
  "if the service does not respond, the first %s ends %s at once, and the error mentions unchecked objects",
  async (signal, _, command) => {
    expect((await place.run(["apply", "--auto-approve", "--config", "."])).code).toBe(0);
    const { env, came } = await behind(silent);
    const run = place.begin([...command, "--config", "."], env);
    await once(came, "GET");
    run.interrupt(signal);
    const { code, err } = await run.ended;
    expect(code).toBe(1);
    expect(err).toContain("The run was interrupted before every object was checked.");
    expect(err).not.toContain("cancelled");
    expect(isLocked()).toBe(false);
  },
);

test.each([
  ["plan", []],
  ["drift", []],
  ["apply", ["--auto-approve"]],
])("a signal during a wait for the rate limit ends %s at once", async (command, more) => {
  if (command === "drift") await place.run(["apply", "--auto-approve", "--config", "."]);
  const { env } = await behind(refusing);
  const run = place.begin([command, "--config", ".", ...more], env);
  await run.wrote("the service refused a request");
  run.interrupt();
  const { code } = await run.ended;
  expect(code).toBe(1);
  expect(isLocked()).toBe(false);
});

test.each([
  ["an apply", ["apply", "--auto-approve"], "The run was interrupted while it waited for the lock"],
  ["an edit of the state", ["state", "rm", "steward_job_token_scope.limit"], "Interrupted"],
])(
  "if a signal arrives while %s waits for the lock, the command ends and leaves the state unchanged",
  async (_, command, told) => {
    expect((await place.run(["apply", "--auto-approve", "--config", "."])).code).toBe(0);
    const state = place.read("terraform.tfstate");
    const unlock = await new LocalBackend(path.join(place.folder, "terraform.tfstate")).lock({
      operation: "x",
    });
    const run = place.begin([...command, "--config", ".", "--lock-timeout", "10m"]);
    await run.wrote("Waiting for the state, which is locked by");
    run.interrupt();
    const { code, err } = await run.ended;
    expect(code).toBe(1);
    expect(err).toContain(told);
    expect(err).not.toContain("Internal error");
    expect(place.read("terraform.tfstate")).toBe(state);
    await unlock();
  },
);

test("if a signal arrives while apply asks for approval, apply ends and sends no write", async () => {
  let isAsked: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve;
  });
  const run = place.begin(["apply", "--config", "."], {}, (_, signal) => {
    isAsked();
    return new Promise((resolve) => signal!.addEventListener("abort", () => resolve(undefined)));
  });
  await asked;
  run.interrupt();
  expect((await run.ended).code).toBe(1);
  expect(place.service.requests.all.every(({ method }) => method === "GET")).toBe(true);
  expect(isLocked()).toBe(false);
});

test("if a signal arrives while the app runs, Steward ends the app and reports the interruption", async () => {
  const app = `echo begun > begun; exec ${JSON.stringify(process.execPath)} -e "setTimeout(() => {}, ${FOR_EVER})"`;
  const begun = new Promise<void>((resolve) => {
    const watcher = watch(place.folder, (_, name) => {
      if (name !== "begun") return;
      watcher.close();
      resolve();
    });
  });
  const run = place.begin(["plan", "--app", app]);
  await begun;
  run.interrupt();
  const { code, err } = await run.ended;
  expect(code).toBe(1);
  expect(err).toContain("The run was interrupted while the app ran");
});

describe("the first signal during an apply", () => {
  const APPLY = ["apply", "--auto-approve", "--config", "."];

  test("if a signal arrives during the first of an object's three writes, apply sends no second write", async () => {
    const callers = {
      project: "acme/shop",
      target_projects: ["acme/tools", "acme/docs"],
      target_groups: ["acme"],
    };
    place.write("main.tf.json", {
      provider: { steward: [{ max_concurrency: 1 }] },
      resource: { steward_job_token_allowlist: { callers } },
    });
    const { env, sent, came } = await behind(async (passage) => {
      const answer = await passage.forward();
      if (passage.isWrite) run.interrupt();
      passage.answer(answer);
    });
    const run = place.begin(APPLY, env);
    await once(came, "POST");
    const { code, err } = await run.ended;
    expect(code).toBe(1);
    expect(err).toContain("Interrupted");
    expect(sent.filter((method) => method !== "GET")).toEqual(["POST"]);
    expect(isLocked()).toBe(false);
    expect((await place.run(APPLY)).code).toBe(0);
    expect((await place.run(["plan", "--detailed-exitcode", "--config", "."])).code).toBe(0);
  });

  test("if the first signal arrives during a request in flight, the next apply recovers the change", async () => {
    const production = {
      project: "acme/shop",
      name: "production",
      deploy_access_levels: [{ access_level: 40 }],
    };
    place.write("main.tf.json", {
      provider: { steward: [{ request_timeout: 1 }] },
      resource: { steward_protected_environment: { production } },
    });
    const { env, sent } = await behind(async (passage) => {
      const answer = await passage.forward();
      if (passage.isWrite) run.interrupt();
      else passage.answer(answer);
    });
    const run = place.begin(APPLY, env);
    const { code } = await run.ended;
    expect(code).toBe(1);
    expect(isLocked()).toBe(false);
    expect(readdirSync(place.folder)).toContain("terraform.tfstate.journal");
    expect(sent.filter((method) => method !== "GET")).toEqual(["POST"]);
    const next = await place.run(APPLY);
    expect(next).toMatchObject({
      code: 0,
      err: expect.stringContaining("Recovered: created by the interrupted run"),
    });
    expect(readdirSync(place.folder)).not.toContain("terraform.tfstate.journal");
    expect((await place.run(["plan", "--detailed-exitcode", "--config", "."])).code).toBe(0);
  });
});
