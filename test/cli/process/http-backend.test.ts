import { existsSync } from "node:fs";
import path from "node:path";
import { formatLockInfo, newLockInfo } from "../../../src/state/lock/lock-info";
import { StateServer } from "../../state/state-server";
import { CONFIGURATION, openPlace, type Place } from "../support/place";
import type { Ended } from "../support/process";

// Each test starts processes; a loaded machine takes its time.
const PASSWORD = "s3cret-password";
const QUERY = "s3cret-query";
const HERE = ["--config", "."];
const PRODUCTION = "steward_protected_environment.production";

let place: Place;
let server: StateServer;
const seen: Ended[] = [];

beforeAll(async () => {
  place = await openPlace();
  server = new StateServer();
  await server.start();
  const http = {
    address: server.url(`/state?key=${QUERY}`),
    lock_address: server.url("/lock"),
    unlock_address: server.url("/lock"),
    username: "ann",
    retry_max: 1,
    retry_wait_min: 0,
  };
  place.write("main.tf.json", {
    ...CONFIGURATION,
    terraform: { ...CONFIGURATION.terraform, backend: { http } },
  });
});
afterAll(async () => {
  await place.close();
  await server.stop();
});

/** Runs with the password only in the environment, at trace log level, and records the output. */
async function run(...args: string[]): Promise<Ended> {
  const ended = await place.run(args, { TF_HTTP_PASSWORD: PASSWORD, STEWARD_LOG: "trace" });
  seen.push(ended);
  return ended;
}

const methods = (): string[] => server.requests.splice(0).map(({ method }) => method);

/** Tests build on each other. */
describe("a state of the http backend", () => {
  test("apply locks, writes and unlocks a state of the http backend, with credentials from block and environment", async () => {
    const { code } = await run("apply", "--auto-approve", ...HERE);
    expect(code).toBe(0);
    const basic = `Basic ${Buffer.from(`ann:${PASSWORD}`).toString("base64")}`;
    for (const { headers } of server.requests) expect(headers.authorization).toBe(basic);
    expect(methods()).toEqual(expect.arrayContaining(["LOCK", "GET", "POST", "UNLOCK"]));
    expect(server.lock).toBe("");
    expect(JSON.parse(server.state)).toMatchObject({ version: 4, outputs: { environment: {} } });
    expect(existsSync(path.join(place.folder, "terraform.tfstate"))).toBe(false);
  });

  test("the next commands use the state of the http backend", async () => {
    expect((await run("plan", "--detailed-exitcode", ...HERE)).code).toBe(0);
    expect((await run("output", "environment", "--raw", ...HERE)).out).toBe("1:production");
    expect((await run("state", "pull", ...HERE)).out).toBe(server.state);
    expect((await run("state", "rm", PRODUCTION, ...HERE)).code).toBe(0);
    expect(server.state).not.toContain('"production"');
    expect((await run("import", PRODUCTION, "1:production", ...HERE)).code).toBe(0);
    expect((await run("plan", "--detailed-exitcode", ...HERE)).code).toBe(0);
  });

  test("a state of the http backend is not changed while locked by another run, until its lock is removed by id", async () => {
    const holder = newLockInfo({ operation: "apply" }, server.url("/state"));
    const { process: _process, ...elsewhere } = holder;
    server.lock = formatLockInfo({ ...elsewhere, who: "bob@runner-7" });
    const before = server.state;
    const refused = await run("apply", "--auto-approve", ...HERE);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain("bob@runner-7");
    expect(refused.err).toContain(`steward state unlock ${holder.id}`);
    expect(server.state).toBe(before);
    expect((await run("state", "unlock", holder.id, ...HERE)).code).toBe(0);
    expect(server.lock).toBe("");
  });

  test("a state that is refused or unreachable is an error with its location, without further effects", async () => {
    server.mishaps.push(401);
    const refused = await run("drift", ...HERE);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain("State storage refuses the credentials");
    expect(refused.err).toContain(server.url("/state"));
    server.mishaps.push("cut before", "cut before");
    const lost = await run("drift", ...HERE);
    expect(lost.code).toBe(1);
    expect(lost.err).toContain("State storage does not respond");
  });

  test("a state of the http backend can be destroyed", async () => {
    expect((await run("destroy", "--auto-approve", ...HERE)).code).toBe(0);
    expect(JSON.parse(server.state)).toMatchObject({ resources: [] });
  });

  test("the http backend never shows its credentials", () => {
    for (const { out, err } of seen) {
      expect(out + err).not.toContain(PASSWORD);
      expect(out + err).not.toContain(QUERY);
      expect(out + err).not.toContain(Buffer.from(`ann:${PASSWORD}`).toString("base64"));
    }
  });
});

test("an unsupported backend is refused by name, with a solution", async () => {
  place.write("s3/main.tf.json", {
    ...CONFIGURATION,
    terraform: { ...CONFIGURATION.terraform, backend: { s3: { bucket: "states" } } },
  });
  const { code, err } = await place.run(["plan", "--config", "s3"]);
  expect(code).toBe(1);
  expect(err).toContain('keeps its state in the backend "s3"');
  expect(err).toContain("steward exec -- terraform plan");
});
