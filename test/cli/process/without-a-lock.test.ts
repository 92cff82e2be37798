import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { formatLockInfo, newLockInfo } from "../../../src/state/lock/lock-info";
import { StateServer } from "../../state/state-server";
import { CONFIGURATION, TOKENS, usePlace } from "../support/place";

// Plans for merge requests use a read-only token while another run may hold the state.

const place = usePlace("each");

const HERE = ["--config", "."];
const UNLOCKED = ["plan", "--detailed-exitcode", "--lock=false", ...HERE];
const READ_ONLY = { STEWARD_TOKEN: TOKENS.reader };
const SCOPE = "/projects/acme%2Fshop/job_token_scope";

/** All files of the folder with their contents. */
const files = (): Record<string, string> =>
  Object.fromEntries(readdirSync(place.folder).map((name) => [name, place.read(name)]));
const lockedBySomebody = () => {
  const { process: _process, ...elsewhere } = newLockInfo({ operation: "apply" }, "terraform.tfstate");
  return formatLockInfo({ ...elsewhere, who: "bob@runner-7" });
};

test("plan --lock=false reads a locked state and writes nothing", async () => {
  expect((await place.run(["apply", "--auto-approve", ...HERE])).code).toBe(0);
  place.write(".terraform.tfstate.lock.info", lockedBySomebody());
  expect((await place.run(["plan", ...HERE])).err).toContain("bob@runner-7");
  await place.byHand("PATCH", SCOPE, { enabled: false });
  const before = files();
  place.service.requests.reset();
  const { code, out } = await place.run(UNLOCKED, READ_ONLY);
  expect(code).toBe(2);
  expect(out).toContain("Plan: 0 to add, 1 to change, 0 to destroy.");
  expect(files()).toEqual(before);
  expect(new Set(place.service.requests.all.map(({ method }) => method))).toEqual(new Set(["GET"]));
});

test("plan --lock=false does not lock a state of the http backend", async () => {
  const server = new StateServer();
  await server.start();
  try {
    const [address, lock_address] = [server.url("/state"), server.url("/lock")];
    const http = { address, lock_address, unlock_address: lock_address, retry_max: 0 };
    place.write("main.tf.json", {
      ...CONFIGURATION,
      terraform: { ...CONFIGURATION.terraform, backend: { http } },
    });
    server.lock = lockedBySomebody();
    expect((await place.run(UNLOCKED, READ_ONLY)).code).toBe(2);
    expect(new Set(server.requests.map(({ method }) => method))).toEqual(new Set(["GET"]));
  } finally {
    await server.stop();
  }
});

test("plan --lock=false reports an interrupted run without recovering it", async () => {
  place.service.faults.add({ method: "POST", route: "/projects/:id/protected_environments", delay: 30_000 });
  const held = place.start(["apply", "--auto-approve", ...HERE]);
  await held.wrote("err", "steward_protected_environment.production: Creating...");
  await held.wrote("err", "steward_job_token_allowlist.callers: Creation complete");
  held.child.kill("SIGKILL");
  await held.ended;
  const before = files();
  expect(before).toHaveProperty(["terraform.tfstate.journal"], expect.stringContaining("production"));
  const { code, err } = await place.run(UNLOCKED, READ_ONLY);
  expect(code).toBe(2);
  expect(err).toContain("A run is in progress or was interrupted");
  expect(files()).toEqual(before);
});

test("a plan saved with --lock=false is applied under the lock", async () => {
  expect((await place.run([...UNLOCKED, "--out", "plan.steward"], READ_ONLY)).code).toBe(2);
  expect(readdirSync(place.folder).sort()).toEqual(["main.tf.json", "plan.steward"]);
  expect((await place.run(["apply", "plan.steward"])).code).toBe(0);
  expect(readFileSync(path.join(place.folder, "terraform.tfstate"), "utf8")).toContain("production");
});

test("plan --refresh=false plans from the state without reading objects", async () => {
  expect((await place.run(["apply", "--auto-approve", ...HERE])).code).toBe(0);
  await place.byHand("PATCH", SCOPE, { enabled: false });
  place.service.requests.reset();
  const unrefreshed = await place.run(["plan", "--detailed-exitcode", "--refresh=false", ...HERE]);
  expect(unrefreshed.code).toBe(0);
  expect(place.service.requests.all.map(({ route }) => route)).toEqual(["/projects/:id"]);
  expect((await place.run(["plan", "--detailed-exitcode", ...HERE])).code).toBe(2);
  // Changes of the configuration are still planned and applied.
  place.write("main.tf.json", {
    ...CONFIGURATION,
    resource: { ...CONFIGURATION.resource, steward_job_token_allowlist: undefined },
  });
  const applied = await place.run(["apply", "--auto-approve", "--refresh=false", ...HERE]);
  expect(applied.out).toContain("Resources: 0 added, 0 changed, 1 destroyed.");
});

test.each([
  [["apply", "--auto-approve", "--lock=false"], "State can't be written without its lock"],
  [["destroy", "--auto-approve", "--lock=false"], "State can't be written without its lock"],
  [["drift", "--repair", "--lock=false"], "--repair and --lock=false"],
  [["plan", "--refresh-only", "--refresh=false"], "--refresh-only and --refresh=false"],
  [["apply", "plan.steward", "--refresh=false"], "FILE and --refresh"],
  [["plan", "--lock=no"], "Enter true or false."],
])("%j is refused without changes", async (args, reason) => {
  const { code, err } = await place.run(args);
  expect(code).toBe(1);
  expect(err).toContain(reason);
});
