import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { setImmediate as immediate } from "node:timers/promises";
import { ownIdentity } from "../../src/files/process-identity";
import { LocalBackend } from "../../src/state/backends/local-backend";
import { formatLockInfo, type LockInfo, newLockInfo } from "../../src/state/lock/lock";
import { LockFile } from "../../src/state/lock/lock-file";
import { diagnosticOf, useScratchFolder } from "./scratch";

const scratch = useScratchFolder();
const stateFile = (): string => scratch("site.tfstate");
const lockFile = (): string => scratch(".site.tfstate.lock.info");
const backend = (): LocalBackend => new LocalBackend(stateFile());

const held = (change: Partial<LockInfo>): LockInfo => ({
  ...newLockInfo({ operation: "apply" }, stateFile()),
  ...change,
});

test("the lock is a file in Terraform's format next to the state", async () => {
  const unlock = await backend().lock({ operation: "apply" });
  expect(JSON.parse(readFileSync(lockFile(), "utf8"))).toMatchObject({
    ID: unlock.info.id,
    Operation: "apply",
    Info: "",
    Who: expect.stringMatching(new RegExp(`.@${hostname()}$`)),
    Version: expect.stringMatching(/^1\./),
    Created: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    Path: stateFile(),
    Process: { pid: process.pid, host: hostname() },
  });
  await unlock();
  expect(readdirSync(scratch())).toEqual([]);
});

test("if the state is locked, the error says who has the lock, since when, and on which host", async () => {
  const first = await backend().lock({ operation: "apply" });
  const { code, detail, action } = await diagnosticOf(() => backend().lock({ operation: "plan" }));
  expect(code).toBe("state_locked");
  expect(detail).toContain(stateFile());
  expect(detail).toContain(`${first.info.who} (process ${process.pid} on ${hostname()}) for "apply"`);
  expect(detail).toContain(first.info.created);
  expect(action).toEqual({ kind: "unlock", id: first.info.id });
});

test("while a run waits for the lock, it reports the lock's process only once", async () => {
  const first = await backend().lock({ operation: "apply" });
  const waited: string[] = [];
  const second = await backend().lock({
    operation: "plan",
    timeoutMs: 60_000,
    onWait: (holder) => {
      waited.push(holder.id);
      void first();
    },
  });
  expect(waited).toEqual([first.info.id]);
  expect(second.stale).toBeUndefined();
});

test("the wait for the lock ends when the run is cancelled", async () => {
  await backend().lock({ operation: "apply" });
  const controller = new AbortController();
  const waiting = backend().lock({
    operation: "plan",
    timeoutMs: 60_000,
    signal: controller.signal,
    onWait: () => controller.abort(),
  });
  expect(await diagnosticOf(() => waiting)).toMatchObject({
    code: "interrupted",
    detail: expect.stringContaining("was interrupted while it waited"),
  });
});

test("if Terraform has the lock, a run fails, even with an incomplete lock file", async () => {
  const theirs = {
    ID: "abc",
    Operation: "OperationTypeApply",
    Who: "ann@build-7",
    Created: "2026-01-02T03:04:05Z",
  };
  writeFileSync(lockFile(), JSON.stringify(theirs));
  const { detail } = await diagnosticOf(() => backend().lock({ operation: "plan" }));
  expect(detail).toContain('ann@build-7 for "OperationTypeApply" since 2026-01-02T03:04:05Z');
  writeFileSync(lockFile(), '{"ID":"ab');
  const half = await diagnosticOf(() => backend().lock({ operation: "plan" }));
  expect(half).toMatchObject({
    code: "state_locked",
    detail: expect.stringContaining(`remove the lock at ${lockFile()}`),
  });
});

const me = ownIdentity();
const gone = { ...me, pid: 999_999_999 };
test.each<[string, LockInfo["process"] & object, boolean]>([
  ["not taken over from this process", me, false],
  ["not taken over from a process on another host", { ...gone, host: "elsewhere" }, false],
  [
    "not taken over from a process in another container, or from before a restart",
    { ...gone, realm: "elsewhere" },
    false,
  ],
  ["taken over from a process that has ended", gone, true],
  ["taken over from a process whose process ID another process has now", { ...gone, started: "1" }, true],
])("a lock is %s", async (_, process, isTakenOver) => {
  const holder = held({ process });
  writeFileSync(lockFile(), formatLockInfo(holder));
  const taking = backend().lock({ operation: "plan" });
  if (!isTakenOver) return expect((await diagnosticOf(() => taking)).code).toBe("state_locked");
  const lock = await taking;
  expect(lock.stale).toEqual(holder);
  expect(JSON.parse(readFileSync(lockFile(), "utf8"))).toMatchObject({ ID: lock.info.id });
});

// The simulator covers races for a lock, and processes that die while they take over a lock.
test("the next run takes over the lock of a killed process", async () => {
  const script = require.resolve("./child");
  const child = spawn(process.execPath, ["--require", "tsx/cjs", script, stateFile(), "hold"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  expect((await diagnosticOf(() => backend().lock({ operation: "plan" }))).code).toBe("state_locked");
  child.kill("SIGKILL");
  await once(child, "exit");
  writeFileSync(scratch(`.site.tfstate.${child.pid}-0123abcd.new`), "half");
  const lock = await backend().lock({ operation: "plan" });
  expect(lock.stale).toMatchObject({ operation: "hold", process: { pid: child.pid } });
  expect(String(line)).toBe(`held ${lock.stale!.id}\n`);
  expect(readdirSync(scratch())).toEqual([".site.tfstate.lock.info"]);
}, 60_000);

test("if a process on another host left a guard file, locking fails and prints the path of this file", async () => {
  writeFileSync(lockFile(), formatLockInfo(held({ process: gone })));
  const guard = `${lockFile()}.guard`;
  writeFileSync(guard, formatLockInfo(held({ who: "ann@build-7", process: { ...me, host: "build-7" } })));
  const { code, detail, action } = await diagnosticOf(() => new LockFile(lockFile(), 0).attempt(held({})));
  expect(code).toBe("state_locked");
  expect(detail).toMatch(/^ann@build-7.*delete/);
  expect(detail).toContain(guard);
  expect(action?.kind).toBe("unlock");
});

/** Replaces the clock with which processes measure how long a guard exists. The test decides how much time passes. */
class StoppedClock {
  readonly #now = performance.now;
  #time = 0;
  #reads = 0;

  constructor() {
    performance.now = () => {
      this.#reads += 1;
      return this.#time;
    };
  }

  advance(milliseconds: number): void {
    this.#time += milliseconds;
  }

  /**
   * Waits until the time has been read `times` times. An attempt to take the lock reads the time once, or twice if it
   * finds a new guard.
   */
  async isRead(times: number): Promise<void> {
    const end = this.#reads + times;
    while (this.#reads < end) await immediate();
  }

  restore(): void {
    performance.now = this.#now;
  }
}

describe("unlock", () => {
  test("unlock removes the lock with the given id", async () => {
    const theirs = held({ id: "abc", who: "ann@build-7" });
    writeFileSync(lockFile(), formatLockInfo(theirs));
    expect(await backend().unlock("abc")).toEqual(theirs);
    expect(readdirSync(scratch())).toEqual([]);
  });

  test("if the lock has another id, unlock does not remove the lock", async () => {
    writeFileSync(lockFile(), formatLockInfo(held({ id: "abc", who: "ann@build-7" })));
    const { code, detail } = await diagnosticOf(() => backend().unlock("xyz"));
    expect(code).toBe("state_lock_differs");
    expect(detail).toMatch(/"xyz".*ann@build-7.*"abc"/);
    expect(existsSync(lockFile())).toBe(true);
  });

  test("unlock also removes guard files that a process on another host left", async () => {
    const files = ["", ".guard", ".guard.guard"].map((end) => `${lockFile()}${end}`);
    for (const [index, file] of files.entries())
      writeFileSync(
        file,
        formatLockInfo(held({ id: `left ${index}`, process: { ...ownIdentity(), host: "build-7" } })),
      );
    expect(await new LockFile(lockFile(), 20).remove("left 0")).toBeUndefined();
    expect(readdirSync(scratch())).toEqual([]);
  });

  test("unlock waits while other processes renew the guard file, and then removes the lock", async () => {
    writeFileSync(lockFile(), formatLockInfo(held({ id: "abc" })));
    const guard = `${lockFile()}.guard`;
    const others = { ...ownIdentity(), host: "build-7" };
    let turn = 0;
    const take = () => writeFileSync(guard, formatLockInfo(held({ id: `turn ${turn++}`, process: others })));
    take();
    const clock = new StoppedClock();
    try {
      const removing = new LockFile(lockFile(), 150).remove("abc");
      for (let step = 0; step < 10; step += 1) {
        await clock.isRead(3);
        clock.advance(100);
        take();
      }
      await clock.isRead(3);
      expect(existsSync(guard)).toBe(true);
      clock.advance(200);
      await removing;
    } finally {
      clock.restore();
    }
    expect(existsSync(lockFile())).toBe(false);
  });

  test("if the state is not locked, unlock fails with state_not_locked", async () => {
    expect((await diagnosticOf(() => backend().unlock("abc"))).code).toBe("state_not_locked");
  });

  test("after a forced unlock, the end of the first run does not remove the second run's lock", async () => {
    const first = await backend().lock({ operation: "apply" });
    await backend().unlock(first.info.id);
    const second = await backend().lock({ operation: "apply" });
    await first();
    expect(JSON.parse(readFileSync(lockFile(), "utf8"))).toMatchObject({ ID: second.info.id });
  });
});
