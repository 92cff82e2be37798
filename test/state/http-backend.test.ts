import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { promisify } from "node:util";
import { ownIdentity } from "../../src/files/process-identity";
import { HttpBackend } from "../../src/state/backends/http-backend";
import { parseState } from "../../src/state/format/file-format";
import { formatState } from "../../src/state/format/format-state";
import { formatLockInfo, newLockInfo } from "../../src/state/lock/lock";
import { emptyState, type State } from "../../src/state/model/model";
import { type HttpBackendBlock, httpBackendConfig } from "../../src/state/storage/http-config";
import { describeWith } from "../support/capabilities";
import { diagnosticOf, useScratchFolder } from "./scratch";
import { type Mishap, StateServer } from "./state-server";

const scratch = useScratchFolder();
let server: StateServer;
beforeEach(async () => {
  server = new StateServer();
  await server.start();
});
afterEach(() => server.stop());

const PASSWORD = "s3cret-password";
const block = (change: HttpBackendBlock = {}): HttpBackendBlock => ({
  address: server.url("/state?team=s3cret-query"),
  lock_address: server.url("/lock"),
  unlock_address: server.url("/lock"),
  username: "ann",
  password: PASSWORD,
  retry_wait_min: 0,
  ...change,
});
const backend = (change?: HttpBackendBlock): HttpBackend =>
  new HttpBackend(httpBackendConfig(block(change), {}));
const basic = (user: string): string => `Basic ${Buffer.from(user).toString("base64")}`;
const withOutput = (state: State, value: string): State => ({
  ...state,
  outputs: { text: { value, type: "string", sensitive: false } },
});

test("the backend locks, reads, writes and unlocks the state with the configured addresses and password", async () => {
  const site = backend();
  expect(await site.read()).toBeUndefined();
  const unlock = await site.lock({ operation: "apply" });
  const state = emptyState();
  await site.write(state);
  await site.write(withOutput(state, "a"));
  await site.write(withOutput(state, "a"));
  await unlock();
  expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    "GET /state?team=s3cret-query",
    "LOCK /lock",
    `POST /state?team=s3cret-query&ID=${unlock.info.id}`,
    `POST /state?team=s3cret-query&ID=${unlock.info.id}`,
    "UNLOCK /lock",
  ]);
  for (const { headers } of server.requests) expect(headers.authorization).toBe(basic(`ann:${PASSWORD}`));
  expect(await backend().read()).toEqual({ ...withOutput(state, "a"), serial: 2 });
  expect(server.lock).toBe("");
});

test("with update_method PUT, the backend saves the state with PUT", async () => {
  const site = backend({ update_method: "PUT" });
  await site.write(emptyState());
  expect(server.requests.map(({ method }) => method)).toEqual(["GET", "PUT"]);
});

test("a run with a lock timeout waits until the state is unlocked", async () => {
  const first = await backend().lock({ operation: "apply" });
  const { code, detail, action } = await diagnosticOf(() => backend().lock({ operation: "plan" }));
  expect(code).toBe("state_locked");
  expect(detail).toContain(`${first.info.who} (process ${process.pid}`);
  expect(action).toEqual({ kind: "unlock", id: first.info.id });
  const second = await backend().lock({ operation: "plan", timeoutMs: 60_000, onWait: () => void first() });
  expect(JSON.parse(server.lock)).toMatchObject({ ID: second.info.id });
});

test("if the process that holds the lock has died, exactly one of four runs takes over the lock", async () => {
  const process = { ...ownIdentity(), pid: 999_999_999 };
  const dead = { ...newLockInfo({ operation: "apply" }, server.url("/state")), process };
  server.lock = formatLockInfo(dead);
  const all = await Promise.allSettled([1, 2, 3, 4].map(() => backend().lock({ operation: "apply" })));
  const taken = all.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  expect(taken).toHaveLength(1);
  expect(taken[0]!.stale).toEqual(dead);
  expect(JSON.parse(server.lock)).toMatchObject({ ID: taken[0]!.info.id });
});

test("if the given id is not the lock's id, unlock fails", async () => {
  const held = await backend().lock({ operation: "apply" });
  expect((await diagnosticOf(() => backend().unlock("xyz"))).code).toBe("state_lock_differs");
  expect(await backend().unlock(held.info.id)).toMatchObject({ id: held.info.id });
  expect((await diagnosticOf(() => backend().unlock(held.info.id))).code).toBe("state_not_locked");
  await held();
});

test("if another run took the lock by force, a write saves nothing", async () => {
  const site = backend();
  const state = emptyState();
  await site.write(state);
  await site.lock({ operation: "apply" });
  server.lock = JSON.stringify({ ID: "other", Who: "ann@build-7" });
  const { code, detail } = await diagnosticOf(() => site.write(withOutput(state, "a")));
  expect(code).toBe("state_locked");
  expect(detail).toContain("ann@build-7");
  expect(parseState(server.state, "x").serial).toBe(1);
});

test("if another run wrote the state meanwhile, a write without lock_address fails", async () => {
  const site = backend({ lock_address: null });
  await site.lock({ operation: "apply" });
  const state = emptyState();
  await site.write(state);
  server.state = formatState({ ...withOutput(state, "x"), serial: 2 });
  expect((await diagnosticOf(() => site.write(withOutput(state, "a")))).code).toBe("state_moved_on");
  expect((await diagnosticOf(() => backend().write(emptyState()))).code).toBe("state_lineage_differs");
});

describe("a server that fails", () => {
  test("if the response to a lock request is lost, the backend repeats the request and gets the lock", async () => {
    server.mishaps.push("cut after", 503);
    const unlock = await backend().lock({ operation: "apply" });
    expect(JSON.parse(server.lock)).toMatchObject({ ID: unlock.info.id });
    server.mishaps.push("cut after");
    await unlock();
    expect(server.lock).toBe("");
  });

  test("if the response to a write is lost, the backend repeats the write", async () => {
    const site = backend();
    await site.lock({ operation: "apply" });
    await site.read();
    server.mishaps.push("cut after", "cut before");
    await site.write(emptyState());
    expect(parseState(server.state, "x").serial).toBe(1);
  });

  test.each<[string, HttpBackendBlock, readonly Mishap[]]>([
    ["under a lock", {}, []],
    ["without a lock", { lock_address: null }, ["none"]],
  ])(
    "%s, after a failed write that was executed, the next write replaces the stored state",
    async (_, change, reads) => {
      const site = backend(change);
      await site.lock({ operation: "apply" });
      const state = emptyState();
      await site.write(withOutput(state, "a"));
      server.mishaps.push(...reads, "cut after", 503, 503);
      await diagnosticOf(() => site.write(withOutput(state, "b")));
      await site.write(withOutput(state, "a"));
      expect(parseState(server.state, "x")).toEqual({ ...withOutput(state, "a"), serial: 3 });
      expect(site.version?.serial).toBe(3);
    },
  );

  test.each<[number | "cut before", string]>([
    [401, "state_http_refused"],
    [403, "state_http_refused"],
    [500, "state_http_failed"],
    [302, "state_http_failed"],
    ["cut before", "state_http_unreachable"],
  ])("if all attempts fail with %s, the error is %s and contains no secret", async (mishap, code) => {
    for (const work of [
      () => backend().read(),
      () => backend().write(emptyState()),
      () => backend().lock({ operation: "apply" }),
      () => backend().unlock("abc"),
    ]) {
      server.mishaps.splice(0, Infinity, mishap, mishap, mishap);
      const diagnostic = await diagnosticOf(work);
      expect(diagnostic.code).toBe(code);
      expect(diagnostic.detail).toContain(new URL(server.url("/")).host);
      expect(diagnostic.detail).not.toMatch(/s3cret|ann/);
    }
  });

  test.each([301, 302, 307, 308])("the backend does not follow a redirect with status %d", async (status) => {
    for (const work of [() => backend().read(), () => backend().lock({ operation: "apply" })]) {
      server.mishaps.splice(0, Infinity, status);
      const { code, detail } = await diagnosticOf(work);
      expect(code).toBe("state_http_failed");
      expect(detail).toContain(`status ${status}. Steward follows no redirect`);
      expect(detail).toContain("TF_HTTP_ADDRESS");
    }
  });

  test("if the storage refuses the lock with 403, the error suggests a plan without the lock", async () => {
    server.mishaps.splice(0, Infinity, 403);
    const { action } = await diagnosticOf(() => backend().lock({ operation: "plan" }));
    expect(action).toEqual({ kind: "plan", lock: false });
    server.mishaps.splice(0, Infinity, 403);
    expect((await diagnosticOf(() => backend().read())).action).toBeUndefined();
  });

  test("if the stored state is an HTML page, a write fails and does not overwrite the page", async () => {
    server.state = "<html>s3cret</html>";
    const { code, detail } = await diagnosticOf(() => backend().write(emptyState()));
    expect(code).toBe("state_not_json");
    expect(detail).not.toContain("s3cret");
    expect(server.state).toBe("<html>s3cret</html>");
  });
});

describeWith("engine", "together with the real engine", (program) => {
  const engine = (...args: string[]): Promise<{ stdout: string }> =>
    promisify(execFile)(program, args, { cwd: scratch(), env: { ...process.env, CHECKPOINT_DISABLE: "1" } });

  test("over HTTP, Steward and Terraform can read each other's states", async () => {
    const settings = Object.entries(block()).map(
      ([name, value]) => `    ${name} = ${JSON.stringify(value)}\n`,
    );
    writeFileSync(
      scratch("main.tf"),
      `terraform {\n  backend "http" {\n${settings.join("")}  }\n}\nresource "terraform_data" "one" {}\noutput "x" { value = 1 }\n`,
    );
    await engine("init", "-no-color");
    await engine("apply", "-auto-approve", "-no-color");
    expect(server.lock).toBe("");

    const site = backend();
    const state = (await site.read())!;
    expect(formatState(state)).toBe(server.state);
    const unlock = await site.lock({ operation: "apply" });
    await expect(engine("plan", "-no-color")).rejects.toThrow(unlock.info.id);
    await site.write(withOutput(state, "ours"));
    await unlock();
    expect((await engine("output", "-raw", "text")).stdout).toBe("ours");
    await engine("destroy", "-auto-approve", "-no-color");
    expect((await backend().read())!.resources).toEqual([]);
  }, 60_000);
});

test("if state push replaces the state by one of another lineage, the serial still increases", async () => {
  await backend().write(emptyState());
  const site = backend();
  const unlock = await site.lock({ operation: "state push" });
  const other = { ...withOutput(emptyState(), "b"), serial: 7 };
  await site.replace(other);
  await site.replace({ ...other, serial: 3, outputs: {} });
  await unlock();
  expect(server.requests.filter(({ method }) => method === "POST").slice(1)).toMatchObject([
    { url: `/state?team=s3cret-query&ID=${unlock.info.id}` },
    { url: `/state?team=s3cret-query&ID=${unlock.info.id}` },
  ]);
  expect(await backend().read()).toEqual({ ...other, serial: 8, outputs: {} });
});

describe("an HTML page instead of a response of the storage", () => {
  const steps: Readonly<Record<string, (site: HttpBackend) => Promise<unknown>>> = {
    "the state": (site) => site.write(emptyState()),
    "the journal": (site) => site.journal.replace(["{}\n"]),
    "the lock": (site) => site.lock({ operation: "apply" }),
    "an unlock": (site) => site.unlock("abc"),
  };
  test.each(Object.entries(steps))(
    "if the response is a sign-in page, the request for %s fails",
    async (_, step) => {
      const site = backend();
      await site.read();
      server.mishaps.push("sign-in page");
      const { code, summary, detail } = await diagnosticOf(() => step(site));
      expect({ code, summary }).toEqual({
        code: "state_http_failed",
        summary: "State storage returned a page",
      });
      expect(detail).not.toContain("s3cret");
      expect(server.state).toBe("");
    },
  );

  test("if a write gets a sign-in page, and the storage then has the new state, the write succeeds", async () => {
    const site = backend();
    await site.read();
    server.mishaps.push("page after");
    await site.write({ ...emptyState(), serial: 3 });
    expect(JSON.parse(server.state)).toMatchObject({ version: 4 });
  });
});
