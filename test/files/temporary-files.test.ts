import { spawnSync } from "node:child_process";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setImmediate as immediate } from "node:timers/promises";
import { removeTemporaryFiles, temporaryName } from "../../src/files/pending-file";
import { LocalBackend } from "../../src/state/backends/local-backend";
import { newLockInfo } from "../../src/state/lock/lock";
import { LockFile } from "../../src/state/lock/lock-file";
import { useScratchFolder } from "../state/scratch";

const scratch = useScratchFolder();

/** Returns the mark that a process of this machine wrote before it ended. */
function markOfGone(): string {
  const module = JSON.stringify(require.resolve("../../src/files/process-identity"));
  const ended = spawnSync(
    process.execPath,
    ["--require", "tsx/cjs", "-p", `require(${module}).processMark()`],
    {
      encoding: "utf8",
    },
  );
  return ended.stdout.trim();
}

const gone = markOfGone();
const [number, where, started] = gone.split("-") as [string, string, string];
const ownFile = (): string => path.basename(temporaryName(scratch("plan")));

test("the name of a temporary file contains the process id, and differs for each write", () => {
  expect(ownFile()).toMatch(
    new RegExp(`^\\.plan\\.${process.pid}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}\\.new$`),
  );
  expect(ownFile()).not.toBe(ownFile());
});

test("when Steward writes a file, it removes the temporary files of dead processes and no other files", async () => {
  const stays = [
    ownFile(),
    `.plan.${number}-00000000-${started}-0123abcd.new`, // Of another machine or container.
    `.plan.${process.pid}-0123abcd.new`, // From an earlier release, of a running process.
    `.other.${gone}-0123abcd.new`,
    `.plan.${gone}-0123abcd.old`,
    `plan.${gone}-0123abcd.new`,
    ".plan.new",
    "plan",
  ];
  const goes = [
    `.plan.${gone}-0123abcd.new`,
    `.plan.${process.pid}-${where}-00000000-0123abcd.new`, // Its id was reused by another process.
    `.plan.${number}-0123abcd.new`, // From an earlier release, of a dead process.
  ];
  for (const name of [...stays, ...goes]) writeFileSync(scratch(name), "");
  await removeTemporaryFiles([scratch("plan")], "gone");
  expect(readdirSync(scratch()).sort()).toEqual([...stays].sort());
});

test("when Steward takes the lock of a state, it removes all temporary files of this state", async () => {
  writeFileSync(scratch(`.site.tfstate.${number}-00000000-${started}-0123abcd.new`), "");
  writeFileSync(scratch(`.site.tfstate.backup.${gone}-0123abcd.new`), "");
  writeFileSync(scratch(`.site.tfstate.journal.1-0123abcd.new`), "");
  await (await new LocalBackend(scratch("site.tfstate")).lock({ operation: "plan" }))();
  expect(readdirSync(scratch())).toEqual([]);
});

test("when Steward takes the lock of a state, it removes temporary lock files of killed runs", async () => {
  for (const name of [
    `..site.tfstate.lock.info.${number}-00000000-${started}-0123abcd.new`,
    `..site.tfstate.lock.info.${gone}-0123abcd.new`,
    `..site.tfstate.lock.info.${number}-0123abcd.new`,
    `..site.tfstate.lock.info.guard.${gone}-0123abcd.new`,
    `..site.tfstate.lock.info.guard.guard.${gone}-0123abcd.new`,
  ])
    writeFileSync(scratch(name), "");
  await (await new LocalBackend(scratch("site.tfstate")).lock({ operation: "plan" }))();
  expect(readdirSync(scratch())).toEqual([]);
});

test("if another process removes a lock attempt's temporary file, the attempt fails and the next attempt succeeds", async () => {
  const lock = new LockFile(scratch(".site.tfstate.lock.info"));
  const attempt = lock.attempt(newLockInfo({ operation: "plan" }, lock.path));
  for (let removed = 0; removed === 0; await immediate())
    for (const name of readdirSync(scratch()).filter((one) => one.endsWith(".new"))) {
      rmSync(scratch(name));
      removed++;
    }
  expect(await attempt).toEqual({ isTaken: false });
  expect(await lock.attempt(newLockInfo({ operation: "plan" }, lock.path))).toEqual({ isTaken: true });
});
