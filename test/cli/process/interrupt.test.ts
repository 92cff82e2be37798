import { readFileSync, watch } from "node:fs";
import path from "node:path";
import { isDead, ownIdentity } from "../../../src/files/process-identity";
import { LocalBackend } from "../../../src/state/backends/local-backend";
import { ageJournal } from "../../support/age-journal";
import { holdingProxy } from "../support/holding-proxy";
import { openPlace, usePlace } from "../support/place";

const place = usePlace("all");

test("after SIGTERM, apply completes the change in progress and starts no other change", async () => {
  const proxy = await holdingProxy(place.service.url);
  const args = ["apply", "--auto-approve", "--config", ".", "--parallelism", "1"];
  const run = place.start(args, { STEWARD_BASE_URL: proxy.url });
  await proxy.holds;
  run.child.kill("SIGTERM");
  await run.wrote("err", "Stopping after 1 change in progress: ");
  proxy.release();
  const { code, out } = await run.ended;
  proxy.close();
  expect(code).toBe(1);
  expect(out).toContain("Apply incomplete");
  const { resources } = JSON.parse(place.read("terraform.tfstate")) as { resources: { mode: string }[] };
  expect(resources.filter(({ mode }) => mode === "managed")).toHaveLength(1);

  expect((await place.run(["apply", "--auto-approve", "--config", "."])).code).toBe(0);
  expect((await place.run(["plan", "--detailed-exitcode", "--config", "."])).code).toBe(0);
});

test("after a second SIGTERM ended apply, the next apply recovers the change in flight", async () => {
  const fresh = await openPlace();
  const proxy = await holdingProxy(fresh.service.url);
  try {
    const args = ["apply", "--auto-approve", "--config", "."];
    const run = fresh.start([...args, "--parallelism", "1"], { STEWARD_BASE_URL: proxy.url });
    await proxy.holds;
    run.child.kill("SIGTERM");
    await run.wrote("err", "Stopping after 1 change in progress: ");
    run.child.kill("SIGTERM");
    expect((await run.ended).code).toBe(143);
    expect(fresh.read("terraform.tfstate.journal")).toContain("steward_job_token_scope");
    await ageJournal(new LocalBackend(path.join(fresh.folder, "terraform.tfstate")).journal);
    const next = await fresh.run(args);
    expect(next.err).toContain("Took over the lock of the state from a process that has ended");
    expect(next.err).toContain("Recovered: created by the interrupted run");
    expect(next.code).toBe(0);
    expect((await fresh.run(["plan", "--detailed-exitcode", "--config", "."])).code).toBe(0);
  } finally {
    proxy.close();
    await fresh.close();
  }
});

test("if the app ignores SIGTERM, a second SIGTERM to steward ends steward and kills the app", async () => {
  const app = "trap '' TERM; echo $$; while :; do sleep 1; done";
  const run = place.start(["plan", "--app", `(${app}) > pid`]);
  const pid = await content(path.join(place.folder, "pid"));
  run.child.kill("SIGTERM");
  await run.wrote("err", "Stopping: waiting for the app to end.");
  run.child.kill("SIGTERM");
  expect((await run.ended).code).toBe(143);
  const { host, realm } = ownIdentity();
  // The kernel may take a while to remove a killed process.
  while (!isDead({ pid: Number(pid), host, realm })) await new Promise((resolve) => setTimeout(resolve, 10));
});

test("after SIGHUP, as from a closed terminal, destroy completes the change in progress and then fails", async () => {
  const proxy = await holdingProxy(place.service.url);
  const run = place.start(["destroy", "--auto-approve", "--config", ".", "--parallelism", "1"], {
    STEWARD_BASE_URL: proxy.url,
  });
  await proxy.holds;
  run.child.kill("SIGHUP");
  await run.wrote("err", "Stopping after 1 change in progress: ");
  proxy.release();
  const { code } = await run.ended;
  proxy.close();
  expect(code).toBe(1);
  expect((await place.run(["apply", "--auto-approve", "--config", "."])).code).toBe(0);
});

/** Waits until a file is not empty, and returns its content. */
function content(file: string): Promise<string> {
  return new Promise((resolve) => {
    const look = () => {
      const text = readFileSync(file, { encoding: "utf8", flag: "a+" });
      if (text === "") return;
      watcher.close();
      resolve(text.trim());
    };
    const watcher = watch(path.dirname(file), look);
    look();
  });
}
