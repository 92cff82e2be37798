import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { createInterface } from "node:readline";
import { ownIdentity } from "../../src/files/process-identity";
import { LocalBackend } from "../../src/state/backends/local-backend";
import { LockFile } from "../../src/state/lock/lock-file";
import { formatLockInfo, type LockInfo, newLockInfo } from "../../src/state/lock/lock-info";
import { runs } from "../support/capabilities";
import { diagnosticOf, useScratchFolder } from "./scratch";

const scratch = useScratchFolder();
const stateFile = (): string => scratch("site.tfstate");
const lockFile = (): string => scratch(".site.tfstate.lock.info");
const backend = (): LocalBackend => new LocalBackend(stateFile());

const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
  }
});

function start(...args: string[]): ChildProcess {
  const script = require.resolve("./lock-holder");
  const child = spawn(process.execPath, ["--require", "tsx/cjs", script, stateFile(), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  return child;
}

async function firstLine(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) return line;
  return "nothing";
}

async function allLines(child: ChildProcess): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout! })) lines.push(line);
  return lines;
}

const held = (change: Partial<LockInfo>): LockInfo => ({
  ...newLockInfo({ operation: "apply" }, stateFile()),
  ...change,
});

test("a lock stands beside the state as Terraform writes it, and goes when it is given back", async () => {
  const unlock = await backend().lock({ operation: "apply", info: "nightly" });
  expect(JSON.parse(readFileSync(lockFile(), "utf8"))).toMatchObject({
    ID: unlock.info.id,
    Operation: "apply",
    Info: "nightly",
    Who: expect.stringMatching(new RegExp(`.@${hostname()}$`)),
    Version: expect.stringMatching(/^1\./),
    Created: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    Path: stateFile(),
    Process: { pid: process.pid, host: hostname() },
  });
  await unlock();
  expect(readdirSync(scratch())).toEqual([]);
});

test("who comes second is told who holds it, where, since when and how to unlock it", async () => {
  const first = await backend().lock({ operation: "apply" });
  const { code, detail, action } = await diagnosticOf(() => backend().lock({ operation: "plan" }));
  expect(code).toBe("state_locked");
  expect(detail).toContain(stateFile());
  expect(detail).toContain(`${first.info.who} (process ${process.pid} on ${hostname()}) for "apply"`);
  expect(detail).toContain(first.info.created);
  expect(action).toEqual({ kind: "unlock", id: first.info.id });
});

test("who waits is told once for whom, and gets it when it is given back", async () => {
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

test("waiting ends when it is called off", async () => {
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
    detail: expect.stringContaining("Nothing was changed"),
  });
});

test("Terraform's own lock is respected, half written too", async () => {
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

describe("a lock is taken over only when its process is certainly gone", () => {
  const me = ownIdentity();
  const inUse: [string, LockInfo["process"] & object][] = [
    ["this very process", me],
    ["a process of another host", { ...me, pid: 999_999_999, host: "elsewhere" }],
    ["a process in another container or before a restart", { ...me, pid: 999_999_999, realm: "elsewhere" }],
  ];
  test.each(inUse)("a lock is not taken over from %s", async (_, holder) => {
    writeFileSync(lockFile(), formatLockInfo(held({ process: holder })));
    expect((await diagnosticOf(() => backend().lock({ operation: "plan" }))).code).toBe("state_locked");
  });

  const gone: [string, LockInfo["process"] & object][] = [
    ["a process that is no more", { ...me, pid: 999_999_999 }],
    ["a process whose number another one has now", { ...me, started: "1" }],
  ];
  test.each(gone)("from %s", async (_, holder) => {
    const dead = held({ process: holder });
    writeFileSync(lockFile(), formatLockInfo(dead));
    const lock = await backend().lock({ operation: "plan" });
    expect(lock.stale).toEqual(dead);
    expect(JSON.parse(readFileSync(lockFile(), "utf8"))).toMatchObject({ ID: lock.info.id });
  });

  test("also when who took it over before died in the middle of that", async () => {
    const dead = formatLockInfo(held({ process: { ...me, pid: 999_999_999 } }));
    writeFileSync(lockFile(), dead);
    writeFileSync(`${lockFile()}.guard`, dead);
    const lock = await backend().lock({ operation: "plan" });
    await lock();
    expect(readdirSync(scratch())).toEqual([]);
  });
});

test("a holder that was killed loses its lock to the next run, and its half-written state goes", async () => {
  const child = start("hold");
  const [word, id] = (await firstLine(child)).split(" ");
  expect(word).toBe("held");
  expect((await diagnosticOf(() => backend().lock({ operation: "plan" }))).code).toBe("state_locked");
  child.kill("SIGKILL");
  await once(child, "exit");
  writeFileSync(scratch(`.site.tfstate.${child.pid}-0123abcd.new`), "half");
  const lock = await backend().lock({ operation: "plan" });
  expect(lock.stale).toMatchObject({ id, operation: "hold", process: { pid: child.pid } });
  expect(readdirSync(scratch())).toEqual([".site.tfstate.lock.info"]);
}, 60_000);

test("two of the processes that race for a lock never hold it, also while holders are killed", async () => {
  const dead = formatLockInfo(held({ process: { ...ownIdentity(), pid: 999_999_999 } }));
  writeFileSync(lockFile(), dead);
  const victim = start("race", "100000");
  const racers = [1, 2, 3].map(() => start("race", String(runs(30, 500))));
  const results = racers.map(allLines);
  await Promise.race(results.slice(0, 1));
  victim.kill("SIGKILL");
  for (const lines of await Promise.all(results)) expect(lines).toEqual(["done"]);
  const last = await backend().lock({ operation: "plan" });
  await last();
  expect(existsSync(lockFile())).toBe(false);
}, 120_000);

test("one of many who find the same dead lock at the same moment takes it over", async () => {
  const me = ownIdentity();
  for (let round = 0; round < runs(10, 300); round++) {
    writeFileSync(lockFile(), formatLockInfo(held({ process: { ...me, pid: 999_999_999 } })));
    const attempts = Array.from({ length: 6 }, () => new LockFile(lockFile()).attempt(held({})));
    const taken = (await Promise.all(attempts)).filter((one) => one.taken);
    expect(taken).toHaveLength(1);
  }
  expect(readdirSync(scratch())).toEqual([".site.tfstate.lock.info"]);
}, 120_000);

test("who does not finish a takeover on another host is named, with the file to delete", async () => {
  const me = ownIdentity();
  writeFileSync(lockFile(), formatLockInfo(held({ process: { ...me, pid: 999_999_999 } })));
  const guard = `${lockFile()}.guard`;
  writeFileSync(guard, formatLockInfo(held({ who: "ann@build-7", process: { ...me, host: "build-7" } })));
  const { code, detail, action } = await diagnosticOf(() => new LockFile(lockFile(), 0).attempt(held({})));
  expect(code).toBe("state_locked");
  expect(detail).toMatch(/^ann@build-7.*delete/);
  expect(detail).toContain(guard);
  expect(action?.kind).toBe("unlock");
});

describe("unlock", () => {
  test("removes the lock with that id and says whose it was", async () => {
    const theirs = held({ id: "abc", who: "ann@build-7" });
    writeFileSync(lockFile(), formatLockInfo(theirs));
    expect(await backend().unlock("abc")).toEqual(theirs);
    expect(readdirSync(scratch())).toEqual([]);
  });

  test("leaves another's lock alone", async () => {
    writeFileSync(lockFile(), formatLockInfo(held({ id: "abc", who: "ann@build-7" })));
    const { code, detail } = await diagnosticOf(() => backend().unlock("xyz"));
    expect(code).toBe("state_lock_differs");
    expect(detail).toMatch(/"xyz".*ann@build-7.*"abc"/);
    expect(existsSync(lockFile())).toBe(true);
  });

  test.each(["another host", "the same host before a restart"])(
    "removes the guard too that a process of %s left behind, and so does who gives back its own lock",
    async (where) => {
      const me = ownIdentity();
      const process = where === "another host" ? { ...me, host: "build-7" } : { ...me, realm: "before" };
      const files = ["", ".guard", ".guard.guard"].map((end) => `${lockFile()}${end}`);
      for (const [index, file] of files.entries())
        writeFileSync(file, formatLockInfo(held({ id: `left ${index}`, process })));
      expect(await new LockFile(lockFile(), 20).remove("left 0")).toBeUndefined();
      expect(readdirSync(scratch())).toEqual([]);
    },
  );

  test("leaves a guard alone that others take and give back", async () => {
    writeFileSync(lockFile(), formatLockInfo(held({ id: "abc" })));
    const guard = `${lockFile()}.guard`;
    const others = { ...ownIdentity(), host: "build-7" };
    let turn = 0;
    const take = () => writeFileSync(guard, formatLockInfo(held({ id: `turn ${turn++}`, process: others })));
    take();
    const taking = setInterval(take, 10);
    const removing = new LockFile(lockFile(), 150).remove("abc");
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(existsSync(guard)).toBe(true);
    clearInterval(taking);
    await removing;
    expect(existsSync(lockFile())).toBe(false);
  });

  test("says when nobody holds it", async () => {
    expect((await diagnosticOf(() => backend().unlock("abc"))).code).toBe("state_not_locked");
  });

  test("who was unlocked by force does not remove the next one's lock", async () => {
    const first = await backend().lock({ operation: "apply" });
    await backend().unlock(first.info.id);
    const second = await backend().lock({ operation: "apply" });
    await first();
    expect(JSON.parse(readFileSync(lockFile(), "utf8"))).toMatchObject({ ID: second.info.id });
  });
});

test("a missing folder is named", async () => {
  const lost = new LocalBackend(scratch("no", "site.tfstate"));
  const { code, detail } = await diagnosticOf(() => lost.lock({ operation: "apply" }));
  expect(code).toBe("state_folder_missing");
  expect(detail).toContain(scratch("no", "site.tfstate"));
});
