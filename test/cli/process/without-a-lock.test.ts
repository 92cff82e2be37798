import { readdirSync } from "node:fs";
import { formatLockInfo, newLockInfo } from "../../../src/state/lock/lock-info";
import { StateServer } from "../../state/state-server";
import { CONFIGURATION, TOKENS, usePlace } from "../support/place";

// Plans for merge requests use a read-only token while another run may hold the state.

const place = usePlace("each");

const HERE = ["--config", "."];
const UNLOCKED = ["plan", "--detailed-exitcode", "--lock=false", ...HERE];
const READ_ONLY = { STEWARD_TOKEN: TOKENS.reader };

/** All files of the folder with their contents. */
const files = (): Record<string, string> =>
  Object.fromEntries(readdirSync(place.folder).map((name) => [name, place.read(name)]));
const lockedBySomebody = () => {
  const { process: _process, ...elsewhere } = newLockInfo({ operation: "apply" }, "terraform.tfstate");
  return formatLockInfo({ ...elsewhere, who: "bob@runner-7" });
};

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
